// SPDX-License-Identifier: GPL-3.0-or-later
// Around the window with Tab and Shift+Tab alone.
#include "support/qt/windowjourney.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;

class TestKeyboard : public QObject, private WindowJourney
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup() { end(); }
    void tabGoesRoundThePanes_data();
    void tabGoesRoundThePanes();
    void aMinimizedWindowKeepsItsFocus();

private:
    struct Stop
    {
        QWidget* widget;
        bool shown; ///< the window looks different while it has the focus
    };
    /// Where the focus goes, press after press, until it is where it was before.
    static QList<Stop> round(Qt::Key key)
    {
        QList<Stop> stops;
        while (stops.size() < 300) {
            QTest::keyClick(QApplication::focusWidget(), key);
            QWidget* now = QApplication::focusWidget();
            if (!now || std::ranges::any_of(stops, [now](const Stop& stop) { return stop.widget == now; }))
                break;
            const QImage with = now->grab().toImage();
            now->clearFocus();
            const QImage without = now->grab().toImage();
            now->setFocus(key == Qt::Key_Tab ? Qt::TabFocusReason : Qt::BacktabFocusReason);
            stops.append({now, with != without});
        }
        return stops;
    }
    static QString paneOf(const QWidget* widget)
    {
        for (; widget; widget = widget->parentWidget()) {
            if (qobject_cast<const QDockWidget*>(widget))
                return widget->objectName();
        }
        return {};
    }
};

void TestKeyboard::tabGoesRoundThePanes_data()
{
    QTest::addColumn<Qt::Key>("key");
    QTest::addColumn<QString>("pane");
    for (const char* pane :
        {"dockMetadata", "dockTensors", "dockHex", "dockProblems", "dockMix", "dockHeatMap", "dockLabel", "dockData"}) {
        QTest::addRow("Tab from %s", pane) << Qt::Key_Tab << QString::fromLatin1(pane);
        QTest::addRow("Shift+Tab from %s", pane) << Qt::Key_Backtab << QString::fromLatin1(pane);
    }
}

void TestKeyboard::tabGoesRoundThePanes()
{
    QFETCH(Qt::Key, key);
    QFETCH(QString, pane);
    GgufWriter writer = smallModel();
    writer.kv("general.architecture", std::string("llama")); // twice: so that there is a problem
    MainWindow& window = openLoaded(write(writer, u"small.gguf"_s));
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.findChild<QAction*>(u"dockHexAction"_s)->trigger();
    runQueued();
    window.findChild<QAction*>(QString(pane + u"Action"_s))->trigger();
    const auto* content = window.findChild<QDockWidget*>(pane)->widget();
    if (QStringList{u"dockMix"_s, u"dockHeatMap"_s, u"dockLabel"_s}.contains(pane))
        AWAIT_COMPARE(content->findChild<QStackedWidget*>()->currentIndex(), 1); // what they show is there
    window.findChild<QAction*>(QString(pane + u"Action"_s))->trigger();
    runQueued();
    QWidget* first = QApplication::focusWidget();
    QVERIFY(first && content->isAncestorOf(first));

    QStringList panes;
    bool back = false;
    for (const Stop& stop : round(key)) {
        const QString name = QLatin1String(stop.widget->metaObject()->className()) + u' ' + stop.widget->objectName();
        QVERIFY2(stop.shown, qPrintable(name + u" does not show that it has the focus"_s));
        const QString at = paneOf(stop.widget);
        if (!at.isEmpty() && (panes.isEmpty() || panes.last() != at))
            panes.append(at);
        back = back || stop.widget == first;
    }
    QVERIFY(back);
    // As they lie, each once, whatever pane of those that share a place is in front.
    if (panes.size() > 1 && panes.first() == panes.last())
        panes.removeLast();
    const bool isBehindAnother = !QStringList{u"dockMetadata"_s, u"dockTensors"_s, u"dockProblems"_s}.contains(pane);
    QStringList expected{u"dockMetadata"_s, u"dockTensors"_s, isBehindAnother ? pane : u"dockHex"_s, u"dockProblems"_s};
    if (key == Qt::Key_Backtab)
        std::ranges::reverse(expected);
    std::ranges::rotate(panes, std::ranges::find(panes, expected.first()));
    QCOMPARE(panes, expected);
}

void TestKeyboard::aMinimizedWindowKeepsItsFocus()
{
    MainWindow& window = openLoaded(write(smallModel(), u"small.gguf"_s));
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QTableView& table = tensorView(window);
    table.setFocus();
    table.setCurrentIndex(table.model()->index(0, 0));
    window.showMinimized();
    AWAIT(!table.isVisible() || window.isMinimized());
    runQueued();
    window.showNormal();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    AWAIT_COMPARE(QApplication::focusWidget(), &table);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    QCOMPARE(table.currentIndex().row(), 1);
}

QTEST_MAIN(TestKeyboard)
#include "tst_keyboard.moc"
