// SPDX-License-Identifier: GPL-3.0-or-later
// The window measured: opening against the bare parse, starting against the smallest program, the longest time that
// the event loop stood still while a person does things, and memory. Prints what ratios prints.
// usage: ratios_gui SMALLEST-PROGRAM     (after ratios, which writes the inputs)
#include "inputs.h"
#include "measure.h"

#include "models/roles.h"
#include "panes/tensorpane.h"
#include "window/documentview.h"
#include "window/mainwindow.h"
#include "window/opening.h"
#include "window/settings.h"

#include <QAbstractItemModel>
#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollBar>
#include <QSettings>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>
#include <QTreeView>

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <vector>

#include <unistd.h>

using namespace Qt::StringLiterals;

namespace {

void print(const std::string& name, double ratio, const std::string& target, const std::string& input)
{
    fmt::print("{}\t{:.2f}\t{}\t{}\n", name, ratio, target, input);
    std::fflush(stdout);
}

/// Ticks each 5 ms and remembers the longest wait between two ticks.
class Heartbeat : public QObject
{
public:
    Heartbeat()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        connect(&m_timer, &QTimer::timeout, this, [this] { m_longest = std::max(m_longest, m_since.nsecsElapsed()); m_since.start(); });
        m_timer.start(5);
        m_since.start();
    }
    void begin()
    {
        m_since.start();
        m_longest = 0;
    }
    double longestMs() const { return 1e-6 * static_cast<double>(std::max(m_longest, m_since.nsecsElapsed())); }

private:
    QTimer m_timer;
    QElapsedTimer m_since;
    qint64 m_longest = 0;
};

/// Windows with settings of their own that nobody else sees.
struct Bench
{
    QTemporaryDir folder;
    Settings settings{std::make_unique<QSettings>(folder.filePath(u"settings.ini"_s), QSettings::IniFormat)};
    Opening opening{settings};
};

/// Runs the event loop until nothing has been queued for a while.
void settle(int quietMs = 60)
{
    QElapsedTimer quiet;
    quiet.start();
    while (quiet.elapsed() < quietMs)
        QApplication::processEvents(QEventLoop::AllEvents, 5);
}

MainWindow* openAndPaint(Bench& bench, const std::filesystem::path& path)
{
    MainWindow* window = bench.opening.newWindow();
    window->resize(1440, 900);
    window->show();
    QApplication::processEvents();
    window->openFile(QString::fromStdString(path.string()));
    return window;
}

bool isOpen(MainWindow& window)
{
    const auto state = window.loader().state();
    return state != DocumentLoader::State::Idle && state != DocumentLoader::State::Loading;
}

double openSeconds(Bench& bench, const std::filesystem::path& path)
{
    MainWindow* window = openAndPaint(bench, path);
    QElapsedTimer timer;
    timer.start();
    while (!isOpen(*window))
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QApplication::processEvents(); // the paint that the last change asked for
    const double seconds = 1e-9 * static_cast<double>(timer.nsecsElapsed());
    settle();
    window->close();
    settle();
    return seconds;
}

double wallSeconds(const std::function<void()>& work)
{
    QElapsedTimer timer;
    timer.start();
    work();
    return 1e-9 * static_cast<double>(timer.nsecsElapsed());
}

void measureOpen(Bench& bench, const std::string& name, const std::string& what)
{
    const auto path = benchinputs::folder() / (name + ".gguf");
    double parse = 1e300, open = 1e300;
    for (int i = 0; i < 3; ++i) {
        parse = std::min(parse, wallSeconds([&] { parseFile(path); }));
        open = std::min(open, openSeconds(bench, path));
    }
    print("(open in the window - 50 ms) / parse", std::max(0.0, open - 0.05) / parse, "2", what);
}

void measureStalls(Bench& bench, const std::string& name, const std::string& what)
{
    Heartbeat heart;
    std::vector<double> gaps;
    const auto stall = [&](const std::string& doing, const std::function<void()>& work) {
        settle();
        heart.begin();
        work();
        settle();
        gaps.push_back(heart.longestMs());
        print("longest gap in ms while " + doing, gaps.back(), "50", what);
    };
    MainWindow* window = nullptr;
    stall("loading", [&] {
        window = openAndPaint(bench, benchinputs::folder() / (name + ".gguf"));
        while (!isOpen(*window))
            QApplication::processEvents(QEventLoop::AllEvents, 5);
    });
    auto* table = window->findChild<QTableView*>(u"tensorView"_s);
    for (int column = 0; table && column < table->model()->columnCount(); ++column) {
        if (table->isColumnHidden(column))
            continue;
        const QString heading = table->model()->headerData(column, Qt::Horizontal).toString();
        stall("sorting by " + heading.toStdString(), [&] { table->sortByColumn(column, Qt::DescendingOrder); });
    }
    if (auto* filter = window->findChild<QLineEdit*>(u"tensorFilter"_s)) {
        const auto type = [filter](const QStringList& texts) {
            for (const QString& text : texts) {
                filter->setText(text);
                settle(250); // the delay of the filter line and more
            }
            filter->clear();
            settle(250);
        };
        stall("filtering", [&] { type({u"b"_s, u"bl"_s, u"blk"_s, u"blk.1"_s, u"blk.1*7"_s}); });
        auto* mode = window->findChild<QComboBox*>(u"tensorFilterMode"_s);
        mode->setCurrentIndex(mode->count() - 1);
        stall("filtering by regular expression", [&] { type({u"^b"_s, u"^blk\\.1"_s, u"^blk\\.1.*7"_s, u"^blk\\.(1|2).*7\\."_s}); });
    }
    if (auto* tree = window->findChild<QTreeView*>(u"metadataView"_s)) {
        // An asterisk on each row opens groups, arrays and their ranges, one after another.
        stall("expanding each group and array", [&] {
            const QAbstractItemModel& metadata = *tree->model();
            std::vector<QModelIndex> groups{QModelIndex()};
            while (!groups.empty()) {
                const QModelIndex group = groups.back();
                groups.pop_back();
                const int rows = metadata.rowCount(group);
                for (int row = 0; row < rows && rows < 1000; ++row) {
                    const QModelIndex child = metadata.index(row, 0, group);
                    if (!metadata.hasChildren(child))
                        continue;
                    tree->setCurrentIndex(child);
                    QKeyEvent press(QEvent::KeyPress, Qt::Key_Asterisk, Qt::NoModifier, u"*"_s);
                    QApplication::sendEvent(tree, &press);
                    QApplication::processEvents();
                    if (!child.data(IndexRole).isValid())
                        groups.push_back(child);
                    else
                        tree->expand(metadata.index(0, 0, child)); // a range, or an array in the array
                    QApplication::processEvents();
                }
            }
        });
        stall("scrolling the metadata", [&] {
            for (int i = 0; i <= 100; ++i) {
                tree->verticalScrollBar()->setValue(tree->verticalScrollBar()->maximum() / 100 * i);
                QApplication::processEvents();
            }
        });
    }
    if (auto* hex = window->findChild<QAbstractScrollArea*>(u"hexView"_s)) {
        stall("scrolling the bytes", [&] {
            for (int i = 0; i <= 200; ++i) {
                hex->verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepAdd);
                QApplication::processEvents();
            }
        });
    }
    stall("jumping to 1,000 places", [&] {
        std::mt19937_64 random(1);
        const std::uint64_t size = window->loader().document().fileSize();
        for (int i = 0; i < 1000; ++i) {
            Place place;
            place.range = {random() % size, 16};
            window->selection().select(place, nullptr);
            QApplication::processEvents();
        }
    });
    stall("closing", [&] { window->close(); });

    const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
    std::nth_element(gaps.begin(), middle, gaps.end());
    print("typical gap in ms: the median of these", *middle, "16", what);
}

/// Ends the program when its window has been painted.
class PaintWatch : public QObject
{
public:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Paint)
            QTimer::singleShot(0, [] {
                tellPeak();
                _exit(0);
            });
        return QObject::eventFilter(watched, event);
    }
};

int showWindow(const std::string& file)
{
    Bench bench;
    if (file.empty()) {
        MainWindow* window = bench.opening.newWindow();
        PaintWatch watch;
        window->installEventFilter(&watch);
        window->show();
        return QApplication::exec();
    }
    if (file == "-") { // an empty window with all its panes
        bench.opening.newWindow()->show();
        settle(1000);
        tellPeak();
        return 0;
    }
    MainWindow* window = openAndPaint(bench, file);
    while (!isOpen(*window))
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    settle(1000); // what the panes work out in the background
    tellPeak();
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string mode = argc == 3 ? argv[1] : "";
    QStandardPaths::setTestModeEnabled(true);
    QApplication app(argc, argv);
    if (mode == "--window")
        return showWindow(argv[2]);
    if (argc != 2) {
        fmt::print(stderr, "usage: ratios_gui SMALLEST-PROGRAM\n");
        return 2;
    }

    double start = 1e300, smallest = 1e300;
    for (int i = 0; i < 9; ++i) {
        smallest = std::min(smallest, runProgram(argv[1], "--window", "").seconds);
        start = std::min(start, runProgram("/proc/self/exe", "--window", "").seconds);
    }
    print("start to first paint / smallest Qt Charts program", start / smallest, "1.5", "an empty window");

    Bench bench;
    for (const benchinputs::Input& input : benchinputs::all())
        measureOpen(bench, input.name, input.what);
    for (const benchinputs::Input& input : benchinputs::all())
        measureStalls(bench, input.name, input.what);

    const double idle = runProgram("/proc/self/exe", "--window", "-").peak;
    for (const benchinputs::Input& input : benchinputs::all()) {
        const auto path = benchinputs::folder() / (input.name + ".gguf");
        const double bytes = static_cast<double>(parseFile(path).tablesEnd());
        const double peak = runProgram("/proc/self/exe", "--window", path.string()).peak;
        print("memory above an empty window and 20 MB / metadata bytes", std::max(0.0, peak - idle - 20e6) / bytes, "2",
            input.what);
    }
    return 0;
}
