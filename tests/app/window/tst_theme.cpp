// SPDX-License-Identifier: GPL-3.0-or-later
// What must be readable in each appearance.
#include "load/documentloader.h"
#include "models/roles.h"
#include "models/selection.h"
#include "models/tensormodel.h"
#include "support/ggufwriter.h"
#include "support/qt/await.h"
#include "support/qt/pixels.h"
#include "window/documentview.h"
#include "window/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QTableView>
#include <QTest>

using namespace Qt::StringLiterals;

class ThemeTest : public QObject
{
    Q_OBJECT
private slots:
    void cleanup() { applyTheme(Theme::System); }
    void rowsOfCutTensorsCanBeRead_data() { themes(); }
    void rowsOfCutTensorsCanBeRead();
    void whatIsCheckedLooksChecked_data() { themes(); }
    void whatIsCheckedLooksChecked();

private:
    static void themes()
    {
        QTest::addColumn<Theme>("theme");
        QTest::newRow("desktop") << Theme::System;
        QTest::newRow("light") << Theme::Light;
        QTest::newRow("dark") << Theme::Dark;
    }
    /// Three tensors: whole, cut and wholly beyond the end.
    static GgufWriter cutModel()
    {
        GgufWriter writer;
        writer.tensor("whole", 0, {64}).tensor("half", 0, {64}).tensor("gone", 0, {64});
        writer.truncateTo(writer.dataRange("half").offset + 100);
        return writer;
    }
};

void ThemeTest::rowsOfCutTensorsCanBeRead()
{
    QFETCH(Theme, theme);
    applyTheme(theme);
    DocumentLoader loader;
    Selection selection;
    DocumentView view(loader, selection);
    loader.open(cutModel().source(), u"m.gguf"_s);
    AWAIT(loader.state() == DocumentLoader::State::Loaded);
    const QAbstractItemModel& model = *view.findChild<QTableView*>(u"tensorView"_s)->model();
    const QPalette palette = QApplication::palette();
    const auto cell = [&model](int row) { return model.index(row, TensorModel::NameColumn); };
    QVERIFY(!cell(0).data(Qt::ForegroundRole).isValid());
    for (const int row : {1, 2}) {
        const QColor ink = cell(row).data(Qt::ForegroundRole).value<QColor>();
        QVERIFY(ink != palette.color(QPalette::Text));
        for (const QPalette::ColorRole ground : {QPalette::Base, QPalette::AlternateBase})
            QVERIFY2(contrast(ink, palette.color(ground)) >= 4.5, qPrintable(ink.name()));
    }
    // By an icon and in words too.
    QVERIFY(!cell(0).data(SeverityRole).isValid());
    for (const int row : {1, 2})
        QCOMPARE(cell(row).data(SeverityRole).toInt(), static_cast<int>(gguf::Severity::Error));
    QVERIFY(cell(1).data(Qt::ToolTipRole).toString().contains(u"100 of 256 bytes"_s));
    QVERIFY(cell(1).data(Qt::AccessibleTextRole).toString().contains(u"100 of 256 bytes"_s));
    QVERIFY(cell(2).data(Qt::AccessibleTextRole).toString().contains(u"missing"_s));
}

void ThemeTest::whatIsCheckedLooksChecked()
{
    QFETCH(Theme, theme);
    applyTheme(theme);
    DocumentLoader loader;
    Selection selection;
    DocumentView view(loader, selection);
    view.resize(1200, 800);
    view.show();
    loader.open(cutModel().source(), u"m.gguf"_s);
    AWAIT(loader.state() == DocumentLoader::State::Loaded);
    int checkable = 0;
    const auto buttons = view.findChildren<QAbstractButton*>();
    for (QAbstractButton* button : buttons) {
        if (!button->isCheckable() || !button->isEnabled()) // those of panes behind others
            continue;
        ++checkable;
        const QSignalBlocker blocker(button);
        button->setChecked(false);
        const QImage off = button->grab().toImage();
        button->setChecked(true);
        const QImage on = button->grab().toImage();
        int clear = 0; // pixels that nobody can overlook
        for (int y = 0; y < on.height(); ++y) {
            for (int x = 0; x < on.width(); ++x)
                clear += contrast(on.pixelColor(x, y), off.pixelColor(x, y)) >= 3 ? 1 : 0;
        }
        QVERIFY2(clear >= 12, qPrintable(button->objectName() + u": "_s + QString::number(clear)));
    }
    QVERIFY(checkable >= 2);
}

QTEST_MAIN(ThemeTest)
#include "tst_theme.moc"
