// SPDX-License-Identifier: GPL-3.0-or-later
// Opens many files one after another in one process, does what a person does with each, and tells how memory grows.
// usage: soak COUNT FOLDER...     Takes the files of the folders in turn. Exit status 1: memory grew by over 10 MB.
#include "load/workers.h"
#include "panes/hexpane.h"
#include "window/comparewindow.h"
#include "window/documentview.h"
#include "window/mainwindow.h"
#include "window/opening.h"
#include "window/settings.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLineEdit>
#include <QPixmapCache>
#include <QSettings>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <malloc.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
extern "C" std::size_t __sanitizer_get_current_allocated_bytes(); // GCC has the function, but not its header
#endif

using namespace Qt::StringLiterals;

namespace {

constexpr int kWarmUp = 20;
constexpr double kAllowedGrowth = 10e6;

/// Bytes in use: resident, or allocated where AddressSanitizer keeps what was freed. Without the pixmaps that styles
/// have painted, one for each size of each button: Qt keeps up to 10 MiB of them by itself.
double memoryInUse()
{
    QPixmapCache::clear();
#ifdef __SANITIZE_ADDRESS__
    return static_cast<double>(__sanitizer_get_current_allocated_bytes());
#else
    malloc_trim(0);
    long pages = 0, resident = 0;
    std::FILE* const file = std::fopen("/proc/self/statm", "r");
    if (!file || std::fscanf(file, "%ld %ld", &pages, &resident) != 2)
        std::exit(2);
    std::fclose(file);
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
#endif
}

void waitFor(const std::function<bool()>& condition)
{
    while (!condition()) {
        QTimer::singleShot(5, [] { });
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
}

void settle()
{
    for (int i = 0; i < 5; ++i) {
        QApplication::processEvents();
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
}

void visit(MainWindow& window, std::mt19937_64& random)
{
    if (auto* table = window.findChild<QTableView*>(u"tensorView"_s)) {
        for (int column = 0; column < table->model()->columnCount(); ++column)
            table->sortByColumn(column, column % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
    }
    if (auto* filter = window.findChild<QLineEdit*>(u"tensorFilter"_s)) {
        filter->setText(u"attn"_s);
        settle();
        filter->clear();
    }
    const std::uint64_t size = window.loader().document().fileSize();
    for (int i = 0; i < 10 && size > 0; ++i) {
        window.view().hex().goTo(random() % size);
        settle();
    }
}

void compare(const std::string& a, const std::string& b)
{
    CompareWindow window(QString::fromStdString(a), QString::fromStdString(b));
    window.show();
    QElapsedTimer patience; // a file that cannot be compared is never ready
    patience.start();
    waitFor([&] { return window.comparison() || patience.elapsed() > 200; });
    window.close();
}

std::vector<std::string> filesIn(int argc, char** argv)
{
    std::vector<std::string> files;
    for (int i = 2; i < argc; ++i) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
            if (entry.is_regular_file())
                files.push_back(entry.path().string());
        }
    }
    std::ranges::sort(files);
    return files;
}

} // namespace

int main(int argc, char** argv)
{
    QStandardPaths::setTestModeEnabled(true);
    QApplication app(argc, argv);
    const std::vector<std::string> files = filesIn(argc, argv);
    const int count = argc > 2 ? std::atoi(argv[1]) : 0;
    if (files.empty() || count <= kWarmUp) {
        fmt::print(stderr, "usage: soak COUNT FOLDER...     (COUNT over {})\n", kWarmUp);
        return 2;
    }

    QTemporaryDir folder;
    Settings settings(std::make_unique<QSettings>(folder.filePath(u"settings.ini"_s), QSettings::IniFormat));
    Opening opening(settings);
    std::mt19937_64 random(1);
    double warm = 0;
    for (int i = 0; i < count; ++i) {
        const std::string& path = files[static_cast<std::size_t>(random() % files.size())];
        MainWindow* window = opening.newWindow();
        window->show();
        window->openFile(QString::fromStdString(path));
        waitFor([&] { return window->loader().state() != DocumentLoader::State::Loading && !window->loader().isInspecting(); });
        visit(*window, random);
        if (i % 10 == 0)
            compare(path, files[static_cast<std::size_t>(random() % files.size())]);
        window->close();
        settle();
        if (i + 1 == kWarmUp || i + 1 == count) {
            Workers::waitForAll(std::chrono::seconds(10));
            settle();
        }
        if (i + 1 == kWarmUp)
            warm = memoryInUse();
    }
    const double growth = memoryInUse() - warm;
    fmt::print("after {} files: {:.1f} MB; after {}: {:+.1f} MB (at most +{:.0f})\n", kWarmUp, warm / 1e6, count,
        growth / 1e6, kAllowedGrowth / 1e6);
    return growth <= kAllowedGrowth ? 0 : 1;
}
