// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does with the bytes, through the real window.
#include "models/roles.h"
#include "models/typepalette.h"
#include "panes/hexpane.h"
#include "panes/mapstrip.h"
#include "support/qt/windowjourney.h"
#include "support/qt/pixels.h"
#include "widgets/bytestrip.h"
#include "widgets/hexview.h"
#include "widgets/plaintext.h"
#include "widgets/statusmessage.h"
#include "window/foreignpage.h"

#include <QAbstractItemView>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

GgufWriter model()
{
    GgufWriter writer;
    writer.kv("general.architecture", std::string("llama"))
        .kv("general.name", std::string("Small"))
        .kv("tokenizer.ggml.tokens", std::vector<std::string>{"one", "two", "three"})
        .tensor("blk.0.attn_q.weight", kQ4_0, {32, 5})
        .tensor("blk.0.ffn_up.weight", kQ8_0, {32, 64})
        .tensor("output.weight", kF32, {64, 16});
    return writer;
}

} // namespace

class TestHexJourneys : public QObject, private WindowJourney
{
    Q_OBJECT
private slots:
    void init()
    {
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        begin();
    }
    void cleanup() { end(); }
    void bytesSelectRowsAndRowsSelectBytes();
    void aByteSelectsItsProblem();
    void backAndForwardByKeysAndMouseButtons();
    void theStripIsClickedDraggedAndWalked();
    void aTensorIsSavedToAFile();
    void aSelectionIsSavedToAFile();
    void findGoesOnAndCanBeGivenUp();
    void whatIsMissingIsOutlinedBehindTheEnd();
    void theBytesOfOtherFilesCanBeInspected();
    void regionsAreToldApart_data();
    void regionsAreToldApart();

private:
    /// A window as large as it is made for, with a file.
    MainWindow& openShown(const QString& path)
    {
        MainWindow& window = openWindow();
        window.resize(1440, 900);
        window.openFile(path);
        finishLoading(window);
        runQueued();
        return window;
    }
    MainWindow& openShown(const GgufWriter& writer) { return openShown(write(writer, u"model.gguf"_s)); }
    static HexView& bytesOf(MainWindow& window) { return *window.view().hex().view(); }
    static QAbstractItemView& list(MainWindow& window, const char* name)
    {
        return *window.findChild<QAbstractItemView*>(QLatin1String(name));
    }
    static void click(HexView& view, quint64 offset, Qt::KeyboardModifiers keys = {})
    {
        QTest::mouseClick(view.viewport(), Qt::LeftButton, keys, view.byteRect(offset).center());
    }
    /// Types into the dialog that is open where to save, and says yes.
    static void saveAs(MainWindow& window, const QString& path)
    {
        auto* dialog = window.findChild<QFileDialog*>(u"saveDialog"_s);
        QVERIFY(dialog);
        dialog->selectFile(path);
        static_cast<QDialog*>(dialog)->accept();
    }
    QByteArray contents(const QString& path) const
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
};

void TestHexJourneys::bytesSelectRowsAndRowsSelectBytes()
{
    const GgufWriter writer = model();
    MainWindow& window = openShown(writer);
    HexView& bytes = bytesOf(window);
    QAbstractItemView& tensors = list(window, "tensorView");
    QAbstractItemView& metadata = list(window, "metadataView");
    bytes.setFocus();
    QSignalSpy changed(&window.selection(), &Selection::changed);

    bytes.showRange({writer.pairRange("general.name").offset, 0});
    click(bytes, writer.valueOffset("general.name") + 9);
    QCOMPARE(metadata.currentIndex().siblingAtColumn(0).data().toString(), u"name"_s); // below general
    QCOMPARE(changed.count(), 1); // the rows followed, and said nothing
    QVERIFY(bytes.hasFocus());
    bytes.showRange({writer.dataRange("blk.0.ffn_up.weight").offset, 0});
    click(bytes, writer.dataRange("blk.0.ffn_up.weight").offset + 40);
    QCOMPARE(tensors.currentIndex().siblingAtColumn(0).data().toString(), u"blk.0.ffn_up.weight"_s);
    QCOMPARE(changed.count(), 2);
    QVERIFY(bytes.hasFocus());
    click(bytes, writer.dataRange("blk.0.ffn_up.weight").offset + 50, Qt::ShiftModifier);
    QCOMPARE(bytes.selection(), (HexRange{writer.dataRange("blk.0.ffn_up.weight").offset + 40, 11}));

    changed.clear();
    QSignalSpy moved(&bytes, &HexView::caretMoved);
    QTest::mouseClick(
        tensors.viewport(), Qt::LeftButton, {}, tensors.visualRect(tensors.model()->index(0, 0)).center());
    const gguf::ByteRange first = writer.dataRange("blk.0.attn_q.weight");
    QCOMPARE(bytes.selection(), (HexRange{first.offset, first.length}));
    QVERIFY(!bytes.byteRect(first.offset).isEmpty()); // and it is in sight
    QCOMPARE(changed.count(), 1);
    QVERIFY(moved.isEmpty());
}

void TestHexJourneys::aByteSelectsItsProblem()
{
    GgufWriter writer = model();
    writer.kv("Bad Key", std::uint32_t{1});
    MainWindow& window = openShown(writer);
    QAbstractItemView& problems = list(window, "problemView");
    HexView& bytes = bytesOf(window);
    bytes.setFocus();
    const gguf::ByteRange range = window.loader().document().problem(0).range;
    bytes.showRange({range.offset, 0});
    click(bytes, range.offset + 1);
    QCOMPARE(problems.currentIndex().data(IndexRole).toULongLong(), quint64(0));
    QVERIFY(problems.currentIndex().data(IndexRole).isValid());
    QVERIFY(bytes.hasFocus());
    QCOMPARE(bytes.caret(), quint64(range.offset + 1)); // the row did not take the caret with it
    window.view().hex().goTo(range.offset - 1); // others lie before it
    window.view().hex().findChild<QAction*>(u"hexNextProblem"_s)->trigger();
    QCOMPARE(bytes.selection(), (HexRange{range.offset, range.length}));
}

void TestHexJourneys::backAndForwardByKeysAndMouseButtons()
{
    const GgufWriter writer = model();
    MainWindow& window = openShown(writer);
    HexView& bytes = bytesOf(window);
    const quint64 places[] = {4, writer.dataRange("blk.0.ffn_up.weight").offset, writer.dataRange("output.weight").offset};
    for (const quint64 place : places)
        window.view().hex().goTo(place);
    bytes.setFocus();
    QTest::keyClick(&bytes, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(bytes.caret(), places[1]);
    QTest::keyClick(&bytes, Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(bytes.caret(), places[2]);
    QTest::mouseClick(bytes.viewport(), Qt::BackButton, {}, QPoint(200, 60));
    QTest::mouseClick(bytes.viewport(), Qt::BackButton, {}, QPoint(200, 60));
    QCOMPARE(bytes.caret(), places[0]);
    QTest::mouseClick(list(window, "tensorView").viewport(), Qt::ForwardButton, {}, QPoint(30, 30));
    QCOMPARE(bytes.caret(), places[1]);
    // Small moves are no places to come back to, but Back leads to where they ended.
    QTest::keyClick(&bytes, Qt::Key_Down);
    const quint64 moved = bytes.caret();
    window.view().hex().goTo(0);
    QTest::keyClick(&bytes, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(bytes.caret(), moved);
}

void TestHexJourneys::theStripIsClickedDraggedAndWalked()
{
    const GgufWriter writer = model();
    MainWindow& window = openShown(writer);
    HexView& bytes = bytesOf(window);
    auto* map = window.findChild<MapStrip*>(u"mapStrip"_s);
    AWAIT(map->isCurrent());
    ByteStrip& strip = *map->strip();
    const auto at = [&](quint64 offset) {
        return QPoint(static_cast<int>(3 + double(offset) / double(writer.size()) * (strip.width() - 6)), 8);
    };
    const gguf::ByteRange up = writer.dataRange("blk.0.ffn_up.weight"), output = writer.dataRange("output.weight");
    QTest::mousePress(&strip, Qt::LeftButton, {}, at(up.offset + up.length / 2));
    QVERIFY(up.contains(bytes.caret()));
    QCOMPARE(window.selection().place()->tensor, std::optional<std::size_t>(1));
    const QPoint end = at(output.offset + output.length / 2);
    QMouseEvent drag(QEvent::MouseMove, end, strip.mapToGlobal(end), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&strip, &drag);
    QTest::mouseRelease(&strip, Qt::LeftButton, {}, end);
    QVERIFY(output.contains(bytes.caret()));
    QCOMPARE(map->findChild<QLabel*>(u"mapStripName"_s)->text(), u"output.weight"_s);
    strip.setFocus();
    QTest::keyClick(&strip, Qt::Key_Home);
    QCOMPARE(bytes.caret(), quint64(0));
    QTest::keyClick(&strip, Qt::Key_Right);
    QCOMPARE(bytes.caret(), quint64(24)); // the metadata
    QVERIFY(strip.hasFocus());
}

void TestHexJourneys::aTensorIsSavedToAFile()
{
    const GgufWriter writer = model();
    MainWindow& window = openShown(writer);
    const gguf::ByteRange range = writer.dataRange("blk.0.ffn_up.weight");
    window.view().hex().goTo(range.offset + 100);
    window.view().hex().findChild<QAction*>(u"hexSaveRegion"_s)->trigger();
    const QString path = m_folder->filePath(u"tensor.bin"_s);
    saveAs(window, path);
    auto* message = window.view().hex().findChild<StatusMessage*>(u"hexMessage"_s);
    AWAIT(message->text().contains(u"tensor.bin"_s) && message->text().startsWith(u"Saved"_s));
    const std::vector<std::byte> bytes = writer.bytes();
    QCOMPARE(contents(path),
        QByteArray(reinterpret_cast<const char*>(bytes.data()) + range.offset, static_cast<qsizetype>(range.length)));
}

void TestHexJourneys::aSelectionIsSavedToAFile()
{
    const GgufWriter writer = model();
    MainWindow& window = openShown(writer);
    auto* save = window.view().hex().findChild<QAction*>(u"hexSaveSelection"_s);
    QVERIFY(!save->isEnabled());
    bytesOf(window).select({0, 4});
    QVERIFY(save->isEnabled());
    save->trigger();
    const QString path = m_folder->filePath(u"four.bin"_s);
    saveAs(window, path);
    AWAIT_COMPARE(contents(path), QByteArray("GGUF"));
}

void TestHexJourneys::findGoesOnAndCanBeGivenUp()
{
    const GgufWriter writer = model();
    MainWindow& window = openShown(writer);
    HexView& bytes = bytesOf(window);
    bytes.setFocus();
    QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    auto* text = window.view().hex().findChild<QLineEdit*>(u"findText"_s);
    auto* state = window.view().hex().findChild<PlainLabel*>(u"findState"_s);
    AWAIT(text->hasFocus());
    QTest::keyClicks(text, u"blk.0."_s);
    QTest::keyClick(text, Qt::Key_Return);
    const quint64 first = writer.recordRange("blk.0.attn_q.weight").offset + 8;
    const quint64 second = writer.recordRange("blk.0.ffn_up.weight").offset + 8;
    AWAIT_COMPARE(bytes.selection(), (HexRange{first, 6}));
    QTest::keyClick(text, Qt::Key_Return);
    AWAIT_COMPARE(bytes.selection(), (HexRange{second, 6}));
    QTest::keyClick(text, Qt::Key_Return);
    AWAIT_COMPARE(bytes.selection(), (HexRange{first, 6})); // from the start again
    AWAIT(state->fullText().contains(u"wrapped around"_s));
    QTest::keyClick(text, Qt::Key_Return, Qt::ShiftModifier);
    AWAIT_COMPARE(bytes.selection(), (HexRange{second, 6})); // backwards, over the start
    AWAIT(state->fullText().contains(u"wrapped around"_s));
    text->setText(u"not in there"_s);
    QTest::keyClick(text, Qt::Key_Return);
    AWAIT(state->fullText().contains(u"Not found"_s));
    QCOMPARE(bytes.selection(), (HexRange{second, 6}));
    QTest::keyClick(text, Qt::Key_Escape);
    QVERIFY(!text->isVisible());
    QVERIFY(bytes.hasFocus());
}

void TestHexJourneys::whatIsMissingIsOutlinedBehindTheEnd()
{
    GgufWriter writer = model();
    const gguf::ByteRange up = writer.dataRange("blk.0.ffn_up.weight");
    const quint64 whole = writer.size();
    writer.truncateTo(up.offset + 1000);
    MainWindow& window = openShown(writer);
    HexView& bytes = bytesOf(window);
    bytes.setFocus();
    QTest::keyClick(&bytes, Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(bytes.caret(), up.offset + 999); // the last byte there is
    const QString missing = bytes.accessibleDescription();
    QVERIFY2(missing.contains(u"blk.0.ffn_up.weight"_s), qPrintable(missing));
    QVERIFY2(missing.contains(QLocale(QLocale::English).toString(whole - writer.size())), qPrintable(missing));
    // An outline of dashes below the last row, as wide as the bytes
    const QRect last = bytes.byteRect(up.offset + 999);
    const QImage image = bytes.viewport()->grab().toImage();
    QVERIFY(last.bottom() + 2 * last.height() < image.height());
    const QColor base = bytes.palette().color(QPalette::Base);
    int marked = 0;
    for (int x = last.left() % 100 + 200; x < 500; ++x) {
        bool any = false;
        for (int y = last.bottom() + 2; y < last.bottom() + last.height() / 2; ++y)
            any = any || image.pixelColor(x, y) != base;
        marked += any ? 1 : 0;
    }
    QVERIFY2(marked > 100, qPrintable(QString::number(marked)));
    QTest::keyClick(&bytes, Qt::Key_Down);
    QCOMPARE(bytes.caret(), up.offset + 999);
    // The strip is as long as the file should be, and its missing end leads to the end of what is there.
    auto* map = window.findChild<MapStrip*>(u"mapStrip"_s);
    AWAIT(map->isCurrent());
    QCOMPARE(map->strip()->map().size(), whole);
    window.view().hex().goTo(0);
    QTest::mouseClick(map->strip(), Qt::LeftButton, {}, QPoint(map->strip()->width() - 20, 8));
    QCOMPARE(bytes.caret(), up.offset + 999);
    QCOMPARE(bytes.topRow(), bytes.maximumTopRow());
}

void TestHexJourneys::theBytesOfOtherFilesCanBeInspected()
{
    QFile file(m_folder->filePath(u"page.gguf"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("<!DOCTYPE html><html><head><title>Sign in</title></head></html>");
    file.close();
    MainWindow& window = openShown(file.fileName());
    HexPane& pane = window.findChild<ForeignPage*>(u"foreignPage"_s)->hex();
    QVERIFY(pane.isVisible());
    QAction* goTo = window.findChild<QAction*>(u"actionGoTo"_s);
    QVERIFY(goTo->isEnabled());
    goTo->trigger();
    auto* line = pane.findChild<QLineEdit*>(u"goToText"_s);
    QVERIFY(line->isVisible());
    QTest::keyClicks(line, u"0x10"_s);
    QTest::keyClick(line, Qt::Key_Return);
    AWAIT_COMPARE(pane.view()->caret(), quint64(0x10));
    QVERIFY(window.findChild<QLabel*>(u"location"_s)->text().startsWith(u"0x10"_s));
    QAction* find = window.findChild<QAction*>(u"actionFind"_s);
    QVERIFY(find->isEnabled());
    find->trigger();
    auto* text = pane.findChild<QLineEdit*>(u"findText"_s);
    QTest::keyClicks(text, u"<title>"_s);
    QTest::keyClick(text, Qt::Key_Return);
    AWAIT_COMPARE(pane.view()->selection(), (HexRange{27, 7}));
    QVERIFY(window.findChild<QAction*>(u"actionCopy"_s)->isEnabled());
    // The menus have the commands of the pane that is seen.
    QVERIFY(pane.findChild<QAction*>(u"hexRow8"_s)->isVisible());
    QVERIFY(!window.view().hex().findChild<QAction*>(u"hexRow8"_s)->isVisible());
    window.openFile(write(model(), u"model.gguf"_s));
    AWAIT(window.loader().state() == DocumentLoader::State::Loaded);
    QVERIFY(!pane.findChild<QAction*>(u"hexRow8"_s)->isVisible());
    QVERIFY(window.view().hex().findChild<QAction*>(u"hexRow8"_s)->isVisible());
    // The one that is not seen lets go of the file.
    QCOMPARE(pane.cache().size(), quint64(0));
    QVERIFY(window.view().hex().cache().size() > 0);
    window.view().hex().goTo(40);
    QCOMPARE(pane.view()->caret(), quint64(0));
}

void TestHexJourneys::regionsAreToldApart_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<double>("scale");
    QTest::newRow("light 1x") << false << 1.0;
    QTest::newRow("light 2x") << false << 2.0;
    QTest::newRow("dark 1x") << true << 1.0;
    QTest::newRow("dark 2x") << true << 2.0;
}

/// By structure: where each region's bytes are, its tint is the ground, with text in the text's colour upon it, its
/// strong colour lies beside, and lines part the regions.
void TestHexJourneys::regionsAreToldApart()
{
    QFETCH(const bool, dark);
    QFETCH(const double, scale);
    const GgufWriter writer = model();
    MainWindow& window = openShown(writer);
    HexPane& pane = window.view().hex();
    pane.setPalette(paletteOf(dark));
    HexView& view = *pane.view();
    view.setBytesPerRow(16);
    const TypePalette colors = TypePalette::forPalette(pane.palette());
    QCOMPARE(colors.isDark(), dark);
    const auto painted = [&] {
        QImage image(view.viewport()->size() * scale, QImage::Format_RGB32);
        image.setDevicePixelRatio(scale);
        view.viewport()->render(&image);
        return image;
    };
    struct Case
    {
        const char* what;
        gguf::ByteRange range;
        QColor tint, lane;
    };
    using enum gguf::RegionKind;
    const gguf::ByteRange q = writer.dataRange("blk.0.attn_q.weight"), out = writer.dataRange("output.weight");
    const Case cases[] = {
        {"header", {0, 24}, colors.regionTint(Header), colors.regionColor(Header)},
        {"metadata", writer.pairRange("general.name"), colors.regionTint(MetadataPair), colors.regionColor(MetadataPair)},
        {"record", writer.recordRange("output.weight"), colors.regionTint(TensorRecord), colors.regionColor(TensorRecord)},
        {"tensor", out, colors.tint(kF32), colors.color(kF32)},
        {"quantized tensor", q, colors.tint(kQ4_0), colors.color(kQ4_0)},
        {"padding", {q.end(), 32 - q.end() % 32}, colors.regionTint(TensorPadding), colors.regionColor(TensorPadding)},
    };
    for (const Case& each : cases) {
        view.showRange({each.range.offset, 0});
        view.setCaret(0); // nothing is selected or framed there
        view.showRange({each.range.offset, 0});
        AWAIT(pane.cache().state(each.range.offset) == BlockCache::State::Present);
        const QImage image = painted();
        const quint64 byte = each.range.offset + 5; // of a quantized tensor: a quant, not the scale
        const QRect cell = view.byteRect(byte);
        QVERIFY2(!cell.isEmpty(), each.what);
        const QImage inside = image.copy(QRect(cell.topLeft() * scale, cell.size() * scale).adjusted(1, 2, -1, -2));
        const int area = inside.width() * inside.height();
        QVERIFY2(pixelsOf(inside, each.tint) > area / 3, each.what);
        int inked = 0; // pixels of the digits: far from the ground
        for (int y = 0; y < inside.height(); ++y) {
            for (int x = 0; x < inside.width(); ++x)
                inked += qAbs(qGray(inside.pixel(x, y)) - qGray(each.tint.rgb())) > 60 ? 1 : 0;
        }
        QVERIFY2(inked > area / 60, each.what);
        QVERIFY2(pixelsOf(image, each.lane) > 20 * scale * scale, each.what);
    }
    // Different things have different grounds.
    for (const Case& a : cases) {
        for (const Case& b : cases)
            QVERIFY2(&a == &b || a.tint != b.tint || a.lane != b.lane, a.what);
    }
}

QTEST_MAIN(TestHexJourneys)
#include "tst_hexpane.moc"
