// SPDX-License-Identifier: GPL-3.0-or-later
// Windows on a small screen; one of 1440 x 900 that is scaled by two is no larger.
#include "support/qt/windowjourney.h"
#include "window/comparewindow.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QHeaderView>
#include <QScreen>
#include <QScrollBar>
#include <QTest>

using namespace Qt::StringLiterals;

class TestSmallScreens : public QObject, private WindowJourney
{
    Q_OBJECT
private slots:
    void initTestCase();
    void init() { begin(); }
    void cleanup() { end(); }
    void theWindowFits();
    void aPaneThatIsTooLowScrolls();
    void nothingIsCutAt1000x700();
    void dialogsFit();
    void theComparisonFits();

private:
    static bool fits(const QWidget& window)
    {
        const QSize room = window.screen()->availableSize();
        return window.width() <= room.width() && window.height() <= room.height();
    }
    MainWindow& openBroken()
    {
        GgufWriter writer = smallModel();
        writer.kv("general.architecture", std::string("llama")); // twice: so that there is a problem
        MainWindow& window = openLoaded(write(writer, u"small.gguf"_s));
        runQueued(); // the panes are arranged when they have their size
        return window;
    }
    static void showPane(const MainWindow& window, const QDockWidget& dock)
    {
        window.findChild<QAction*>(QString(dock.objectName() + u"Action"_s))->trigger();
        runQueued();
    }
};

void TestSmallScreens::initTestCase()
{
    QCOMPARE(QGuiApplication::primaryScreen()->size(), QSize(720, 450));
}

void TestSmallScreens::theWindowFits()
{
    MainWindow& window = openBroken();
    const auto docks = window.findChildren<QDockWidget*>();
    QCOMPARE(docks.size(), 8);
    for (const QDockWidget* dock : docks) {
        showPane(window, *dock);
        QVERIFY2(fits(window), qPrintable(dock->objectName()));
        QVERIFY2(window.rect().contains(QRect(dock->mapTo(&window, QPoint()), dock->size())), qPrintable(dock->objectName()));
        QVERIFY2(dock->height() > 150, qPrintable(dock->objectName())); // all at one place: two rows would be too low
    }
    // In the arrangement of a larger screen too.
    MainWindow& other = openWindow();
    other.resize(1200, 800);
    other.openFile(m_folder->filePath(u"small.gguf"_s));
    finishLoading(other);
    for (const QDockWidget* dock : other.findChildren<QDockWidget*>())
        showPane(other, *dock);
    other.resize(500, 300);
    for (const QDockWidget* dock : other.findChildren<QDockWidget*>()) {
        showPane(other, *dock);
        QVERIFY2(fits(other), qPrintable(dock->objectName()));
    }
}

void TestSmallScreens::aPaneThatIsTooLowScrolls()
{
    MainWindow& window = openBroken();
    window.resize(window.width(), 300);
    auto* dock = window.findChild<QDockWidget*>(u"dockData"_s);
    showPane(window, *dock);
    auto* last = dock->findChild<QWidget*>(u"expectedHash"_s);
    QVERIFY(last->visibleRegion().isEmpty());
    for (int i = 0; i < 20 && QApplication::focusWidget() != last; ++i)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QVERIFY(last->hasFocus());
    QCOMPARE(last->visibleRegion().boundingRect(), last->rect());
}

void TestSmallScreens::nothingIsCutAt1000x700()
{
    MainWindow& window = openWindow();
    window.resize(1000, 700);
    window.openFile(QStringLiteral(GGUF_SAMPLES_DIR) + u"/sample-llama-q4_k_m.gguf"_s);
    finishLoading(window);
    runQueued();
    const auto pane = [&window](const char* name) {
        auto* dock = window.findChild<QDockWidget*>(QLatin1String(name));
        showPane(window, *dock);
        return dock;
    };
    for (const auto& [dock, name] : {std::pair("dockMix", u"mixTypes"_s), {"dockLabel", u"bitsByPart"_s}}) {
        const auto* table = pane(dock)->findChild<QTableView*>(name);
        AWAIT(table->model()->rowCount() > 1);
        runQueued();
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            for (int column = 0; column < table->model()->columnCount(); ++column) {
                const QModelIndex cell = table->model()->index(row, column);
                const int text = table->fontMetrics().horizontalAdvance(cell.data().toString());
                const int swatch = cell.data(Qt::DecorationRole).isValid() ? table->iconSize().width() : 0;
                QVERIFY2(table->columnWidth(column) >= text + qMax(swatch, 0), qPrintable(cell.data().toString()));
            }
        }
        QVERIFY(table->horizontalHeader()->length() <= table->viewport()->width() || table->horizontalScrollBar()->isVisible());
    }
    // The heat map with its totals, and what it says below.
    const QDockWidget* map = pane("dockHeatMap");
    AWAIT(map->findChild<QWidget*>(u"heatMapStatus"_s)->isVisible());
    runQueued();
    const auto* status = map->findChild<QWidget*>(u"heatMapStatus"_s);
    QVERIFY(map->rect().contains(QRect(status->mapTo(map, QPoint()), status->size())));
    const QDockWidget* data = pane("dockData");
    const auto* field = data->findChild<QWidget*>(u"expectedHash"_s);
    const QRect place(field->mapTo(data, QPoint()), field->size());
    QVERIFY(data->rect().contains(place));
}

void TestSmallScreens::dialogsFit()
{
    MainWindow& window = openBroken();
    for (const auto& [action, name] : {std::pair(u"actionShortcuts"_s, u"shortcutDialog"_s), {u"actionChecks"_s, u"checksDialog"_s}}) {
        window.findChild<QAction*>(action)->trigger();
        auto* dialog = window.findChild<QDialog*>(name);
        QVERIFY(QTest::qWaitForWindowExposed(dialog));
        QVERIFY2(fits(*dialog), qPrintable(name));
        dialog->close();
    }
}

void TestSmallScreens::theComparisonFits()
{
    const QString path = write(smallModel(), u"a.gguf"_s);
    CompareWindow window(path, path);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY(fits(window));
}

int main(int argc, char** argv)
{
    QTemporaryDir folder;
    QFile screens(folder.filePath(u"screens.json"_s));
    if (!screens.open(QIODevice::WriteOnly))
        return 1;
    screens.write(R"({"screens": [{"name": "small", "x": 0, "y": 0, "width": 720, "height": 450, "dpr": 1, "logicalDpi": 96, "logicalBaseDpi": 96}]})");
    screens.close();
    qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + screens.fileName().toLocal8Bit());
    QApplication app(argc, argv);
    TestSmallScreens test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_smallscreens.moc"
