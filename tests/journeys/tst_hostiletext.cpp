// SPDX-License-Identifier: GPL-3.0-or-later
// Text from a file is data wherever it is shown: markup stays text, and nothing of it steers a terminal, a
// spreadsheet or the direction of writing.
#include "models/tabletext.h"
#include "models/tensormodel.h"
#include "panes/problempane.h"
#include "panes/tensorpane.h"
#include "support/qt/modeltext.h"
#include "support/qt/windowjourney.h"
#include "widgets/heatmap.h"
#include "window/comparewindow.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QHelpEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTest>
#include <QToolTip>
#include <QTreeView>

#include <numeric>

using namespace Qt::StringLiterals;
using namespace std::string_view_literals;

namespace {

constexpr std::string_view kNames[] = {"<b>x</b>", "=1+1", "+cmd|' /C calc'!A0", "-2", "@SUM(A1)", "a\nb\t<i>c</i>",
    "\x1b[31mred", "user\u202Egnp.exe", "nul\0<u>z</u>"sv, "`|*_[l](javascript:x)![i](x)&lt;b&gt;"};

/// Nothing that acts: no control characters but line feeds and tabs, and nothing that turns the direction of writing.
QString odd(const QString& text)
{
    for (const QChar character : text) {
        const char16_t unit = character.unicode();
        const bool control = (unit < 0x20 && unit != u'\n' && unit != u'\t') || (unit >= 0x7F && unit < 0xA0);
        const bool direction = (unit >= 0x202A && unit <= 0x202E) || (unit >= 0x2066 && unit <= 0x2069)
            || unit == 0x200E || unit == 0x200F || unit == 0x061C;
        if (control || direction)
            return u"U+%1 in %2"_s.arg(int(unit), 4, 16, QChar(u'0')).arg(text.left(200));
    }
    return {};
}

#define VERIFY_TAME(text) QVERIFY2(odd(text).isEmpty(), qPrintable(odd(text)))

/// A tooltip is rich text that we wrote ourselves around escaped text, or cannot be taken for rich text.
bool isPlain(const QString& toolTip)
{
    if (!Qt::mightBeRichText(toolTip))
        return true;
    if (!toolTip.startsWith(u"<qt>"_s) || !toolTip.endsWith(u"</qt>"_s))
        return false;
    QString inner = toolTip.sliced(4).chopped(5);
    inner.remove(u"<br/>"_s);
    return !inner.contains(u'<') && !inner.contains(u'>');
}

} // namespace

class TestHostileText : public QObject, private WindowJourney
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup() { end(); }
    void panesShowItAsText();
    void toolTipsShowItAsText();
    void clipboardHoldsItAsText();
    void spreadsheetsRunNoFormula();
    void reportsHoldItAsText();
    void comparisonsShowItAsText();
    void fileNamesAreTextToo();

private:
    static GgufWriter hostileModel(std::size_t longText)
    {
        GgufWriter writer;
        writer.kv("general.architecture", "llama").kv("general.name", "<b>bold</b>\x1b[31m\u202Eevil");
        writer.kv("esc.\x1b]0;owned\x07<b>key</b>", "\x1b[2J<script>alert(1)</script>");
        writer.kv("text.bidi", "user\u202Egnp.exe\u2066\u200F").kv("text.long", "<b>" + std::string(longText, 'x'));
        writer.kv("text.nul", std::string("a\0<b>b</b>\0c", 12));
        writer.kv("tokenizer.ggml.tokens",
            std::vector<std::string>{"<img src=x>", "\x1b[2J", "=1+1", "\u202Edcba", std::string("n\0l", 3)});
        for (const std::string_view name : kNames)
            writer.tensor(name, kF32, {8});
        // So that problems speak of hostile names: a name twice, and offsets that overlap.
        writer.tensor("blk.0.<b>x</b>.weight", kF32, {8}).tensor("<b>x</b>", kF32, {8}).statedOffset(32);
        return writer;
    }
    MainWindow& openHostile(std::size_t longText = std::size_t{1} << 20)
    {
        MainWindow& window = openLoaded(write(hostileModel(longText), u"hostile.gguf"_s));
        // Each pane gets room, so that what it shows can be pointed at.
        for (QDockWidget* dock : window.findChildren<QDockWidget*>())
            dock->show();
        runQueued();
        return window;
    }
    static QStringList clipboardOf(MainWindow& window, const QString& viewName, const QStringList& commands);
};

void TestHostileText::panesShowItAsText()
{
    MainWindow& window = openHostile();
    QVERIFY(window.view().problems().title() != u"Problems"_s);
    QVERIFY(tensorNames(window).contains(u"<b>x</b>"_s));
    QCOMPARE(window.findChild<QLabel*>(u"summaryTitle"_s)->textFormat(), Qt::PlainText);
    QVERIFY(window.findChild<QLabel*>(u"summaryTitle"_s)->text().contains(u"<b>"_s));

    const auto look = [&window] {
        for (const QLabel* label : window.findChildren<QLabel*>()) {
            VERIFY_TAME(label->text());
            QVERIFY2(label->textFormat() == Qt::PlainText || !Qt::mightBeRichText(label->text()), qPrintable(label->text()));
            VERIFY_TAME(label->accessibleName());
        }
        for (const QAbstractButton* button : window.findChildren<QAbstractButton*>())
            VERIFY_TAME(button->text());
        for (const QLineEdit* field : window.findChildren<QLineEdit*>())
            VERIFY_TAME(field->text());
        for (const QPlainTextEdit* text : window.findChildren<QPlainTextEdit*>()) {
            VERIFY_TAME(text->toPlainText());
            QVERIFY(text->toPlainText().size() <= 70'000); // a text view lays out no megabyte
        }
        for (const QWidget* widget : window.findChildren<QWidget*>())
            VERIFY_TAME(widget->accessibleDescription());
        VERIFY_TAME(window.windowTitle());
    };
    look();
    // Each row chosen once, since its details are shown elsewhere.
    for (QAbstractItemView* view : window.findChildren<QAbstractItemView*>()) {
        if (!view->model() || !view->isVisible())
            continue;
        for (const QString& line : modelText(*view->model(), {}, 3)) {
            VERIFY_TAME(line);
            QVERIFY(line.size() < 10'000);
        }
        for (int row = 0; row < qMin(view->model()->rowCount(), 40); ++row) {
            view->setCurrentIndex(view->model()->index(row, 0));
            runQueued();
            look();
        }
    }
}

void TestHostileText::toolTipsShowItAsText()
{
    // In the strip of the file a long value would leave no room for the others.
    MainWindow& window = openHostile(1000);
    window.resize(1400, 900);
    int seen = 0, hostile = 0;
    const auto pointAt = [&](QWidget* widget, const QPoint& point) {
        QToolTip::showText({}, {});
        QHelpEvent event(QEvent::ToolTip, point, widget->mapToGlobal(point));
        QCoreApplication::sendEvent(widget, &event);
        const QString text = QToolTip::text();
        if (text.isEmpty())
            return;
        ++seen;
        hostile += text.contains(u"&lt;b&gt;"_s) ? 1 : 0;
        VERIFY_TAME(text);
        QVERIFY2(isPlain(text), qPrintable(text));
        QVERIFY(text.size() < 20'000);
    };
    for (QAbstractItemView* view : window.findChildren<QAbstractItemView*>()) {
        const QPoint beyond(view->viewport()->width(), view->viewport()->height());
        for (int y = 4; y < beyond.y(); y += 12) {
            for (int x = 20; x < beyond.x(); x += 60)
                pointAt(view->viewport(), {x, y});
        }
    }
    QVERIFY(hostile > 0);
    // Painted views: bytes, the strip of the whole file, and the heat map.
    auto* bytes = window.findChild<QAbstractScrollArea*>(u"hexView"_s)->viewport();
    auto* strip = window.findChild<QWidget*>(u"mapStripBytes"_s);
    auto* map = window.findChild<QAbstractScrollArea*>(u"mixHeatMap"_s)->viewport();
    window.findChild<QAction*>(u"actionNextProblem"_s)->trigger(); // brings a hostile record into the hex view
    window.findChild<QDockWidget*>(u"dockHeatMap"_s)->raise(); // the audit begins when it is seen
    QTRY_VERIFY_WITH_TIMEOUT(!window.findChild<HeatMap*>(u"mixHeatMap"_s)->data().isEmpty(), 60000);
    for (QWidget* painted : {bytes, strip, map}) {
        hostile = 0;
        for (int y = 4; y < painted->height(); y += 9) {
            for (int x = 4; x < painted->width(); x += painted == strip ? 3 : 30)
                pointAt(painted, {x, y});
        }
        QVERIFY2(hostile > 0, painted == bytes ? "bytes" : painted == strip ? "strip" : "heat map");
    }
    QVERIFY(seen > 50);
    for (const QWidget* widget : window.findChildren<QWidget*>())
        QVERIFY2(isPlain(widget->toolTip()), qPrintable(widget->toolTip()));
}

/// What the commands of a view's context menu put on the clipboard.
QStringList TestHostileText::clipboardOf(MainWindow& window, const QString& viewName, const QStringList& commands)
{
    QStringList texts;
    auto* view = window.findChild<QAbstractItemView*>(viewName);
    for (const QString& command : commands) {
        emit view->customContextMenuRequested(view->visualRect(view->currentIndex()).center());
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        if (!menu)
            return {};
        const QList<QAction*> actions = menu->actions();
        const auto found = std::find_if(actions.begin(), actions.end(),
            [&command](const QAction* action) { return action->text().remove(u'&') == command; });
        QApplication::clipboard()->clear();
        if (found != actions.end())
            (*found)->trigger();
        menu->close();
        runQueued();
        const QMimeData* data = QApplication::clipboard()->mimeData(); // null: the command is not for this row
        texts.append(!data ? QString() : data->hasHtml() ? u"\x1b not plain text"_s : data->text());
    }
    return texts;
}

void TestHostileText::clipboardHoldsItAsText()
{
    MainWindow& window = openHostile();
    tensorView(window).selectAll();
    const QStringList tables = clipboardOf(window, u"tensorView"_s, {u"Copy as Text"_s, u"Copy as CSV"_s, u"Copy as Markdown"_s});
    QCOMPARE(tables.size(), 3);
    const auto rows = static_cast<qsizetype>(window.loader().document().tensorCount());
    for (const QString& table : tables) {
        VERIFY_TAME(table);
        QVERIFY(table.contains(u"x1B"_s) && table.contains(u"u202E"_s)); // made visible, not dropped
        // One line for each tensor: no name breaks out of its row.
        QVERIFY2(table.count(u'\n') >= rows + 1 && table.count(u'\n') <= rows + 2, qPrintable(table));
    }
    QVERIFY(tables[2].contains(u"!\\[i\\](x)\\&lt;b\\&gt;"_s));
    QVERIFY(tables[2].contains(u"\\<b\\>x\\</b\\>"_s));
    QVERIFY(tables[2].contains(u"\\`\\|\\*\\_\\[l\\]"_s));

    auto* metadata = window.findChild<QTreeView*>(u"metadataView"_s);
    metadata->expandAll();
    int copied = 0;
    for (QModelIndex row = metadata->model()->index(0, 0); row.isValid(); row = metadata->indexBelow(row)) {
        metadata->setCurrentIndex(row);
        for (const QString& text : clipboardOf(window, u"metadataView"_s, {u"Copy Key"_s, u"Copy Value"_s, u"Copy Row"_s})) {
            VERIFY_TAME(text);
            copied += text.isEmpty() ? 0 : 1;
        }
    }
    QVERIFY(copied > 20);

    window.findChild<QAction*>(u"actionNextProblem"_s)->trigger();
    auto* problems = window.findChild<QTreeView*>(u"problemView"_s);
    problems->selectAll();
    const QStringList list = clipboardOf(window, u"problemView"_s, {u"Copy"_s});
    QCOMPARE(list.size(), 1);
    QVERIFY(list[0].contains(u"<b>x</b>"_s));
    VERIFY_TAME(list[0]);
}

void TestHostileText::spreadsheetsRunNoFormula()
{
    MainWindow& window = openHostile();
    const TensorModel& model = window.view().tensors().model();
    QList<int> rows(model.rowCount()), columns(model.columnCount());
    std::iota(rows.begin(), rows.end(), 0);
    std::iota(columns.begin(), columns.end(), 0);
    const QString csv = TableText::text(model.table(rows, TableText::Format::Csv, columns));
    // Each way in which a cell may begin: at the start of a line, after a comma, inside quotes.
    const QRegularExpression formula(u"(^|,|\n)\"?[=+@\\t\\r]|(^|,|\n)\"?-[^0-9]"_s);
    QVERIFY2(!formula.match(csv).hasMatch(), qPrintable(formula.match(csv).captured()));
    QVERIFY(csv.contains(u"'=1+1"_s) && csv.contains(u"'@SUM(A1)"_s));
    QVERIFY(csv.contains(u"'-2"_s)); // a name, though it looks like a number
    // JSON is read back as it was written.
    const QJsonArray read = QJsonDocument::fromJson(TableText::text(model.table(rows, TableText::Format::Json, columns)).toUtf8()).array();
    QCOMPARE(read.size(), rows.size());
    QCOMPARE(read[0][u"name"_s].toString(), u"<b>x</b>"_s);
    QCOMPARE(read[1][u"name"_s].toString(), u"=1+1"_s);
}

void TestHostileText::reportsHoldItAsText()
{
    MainWindow& window = openHostile();
    window.findChild<QAction*>(u"actionCopyReport"_s)->trigger();
    AWAIT(QApplication::clipboard()->text().startsWith(u"### "_s));
    const QString report = QApplication::clipboard()->text();
    VERIFY_TAME(report);
    QVERIFY(!QApplication::clipboard()->mimeData()->hasHtml());
    QVERIFY(report.contains(u"&lt;b&gt;x&lt;/b&gt;"_s));
    // Outside the code of hex excerpts nothing is markup.
    QString prose;
    bool code = false;
    for (const QString& line : report.split(u'\n')) {
        if (line == u"```"_s)
            code = !code;
        else if (!code)
            prose += line + u'\n';
    }
    QVERIFY(!code);
    QVERIFY2(!prose.contains(QRegularExpression(u"<[a-z/]"_s)), qPrintable(prose));
    QVERIFY(!report.contains(u"tokenizer.ggml.tokens"_s)); // no token lists
}

void TestHostileText::comparisonsShowItAsText()
{
    GgufWriter other = hostileModel(2000);
    other.kv("only.<b>here</b>\x1b[31m", "\u202E<i>x</i>").tensor("only <b>here</b>\x1b", kF32, {4});
    CompareWindow window(write(hostileModel(1000), u"<b>a<b>\x1b[31m.gguf"_s), write(other, u"b.gguf"_s));
    window.resize(1200, 800);
    window.show();
    AWAIT(window.comparison() != nullptr);
    VERIFY_TAME(window.windowTitle());
    int hostile = 0;
    for (QAbstractItemView* view : window.findChildren<QAbstractItemView*>()) {
        if (!view->model())
            continue;
        for (const QString& line : modelText(*view->model(), {}, 1)) {
            VERIFY_TAME(line);
            hostile += line.contains(u"<b>"_s) ? 1 : 0;
        }
        for (int row = 0; row < qMin(view->model()->rowCount(), 30); ++row) {
            view->setCurrentIndex(view->model()->index(row, 0));
            runQueued();
            for (const QLabel* label : window.findChildren<QLabel*>()) {
                VERIFY_TAME(label->text());
                QVERIFY2(label->textFormat() == Qt::PlainText || !Qt::mightBeRichText(label->text()), qPrintable(label->text()));
                QVERIFY(isPlain(label->toolTip()));
            }
            for (const QPlainTextEdit* text : window.findChildren<QPlainTextEdit*>())
                VERIFY_TAME(text->toPlainText());
        }
    }
    QVERIFY(hostile > 1);
}

void TestHostileText::fileNamesAreTextToo()
{
    const QString name = u"<b>x<b>\x1b[31m\u202Efugg.gguf"_s;
    MainWindow& window = openLoaded(write(smallModel(), name));
    VERIFY_TAME(window.windowTitle());
    QVERIFY(window.windowTitle().contains(u"\\x1B[31m\\u202E"_s));
    const QString toolTip = window.findChild<QLabel*>(u"summaryTitle"_s)->toolTip();
    VERIFY_TAME(toolTip);
    QVERIFY(toolTip.contains(u"fugg.gguf"_s) && isPlain(toolTip));
    window.openFile(m_folder->filePath(u"no "_s + name));
    finishLoading(window);
    QCOMPARE(page(window), u"failedPage"_s);
    VERIFY_TAME(window.windowTitle());
    for (const QLabel* label : window.findChildren<QLabel*>()) {
        VERIFY_TAME(label->text());
        QVERIFY(label->textFormat() == Qt::PlainText || !Qt::mightBeRichText(label->text()));
    }
    MainWindow& other = openWindow();
    const auto* recent = other.findChild<QListWidget*>(u"recentFilesView"_s);
    QCOMPARE(recent->count(), 2);
    for (int i = 0; i < recent->count(); ++i) {
        VERIFY_TAME(recent->item(i)->text());
        QVERIFY(isPlain(recent->item(i)->toolTip()));
    }
    auto* menu = other.findChild<QMenu*>(u"menuRecent"_s);
    emit menu->aboutToShow();
    for (const QAction* action : menu->actions())
        VERIFY_TAME(action->text());
}

QTEST_MAIN(TestHostileText)
#include "tst_hostiletext.moc"
