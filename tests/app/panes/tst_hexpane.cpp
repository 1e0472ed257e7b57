// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/hexpane.h"

#include "load/documentloader.h"
#include "load/workers.h"
#include "models/numbertext.h"
#include "models/typepalette.h"
#include "panes/datainspector.h"
#include "panes/gotobar.h"
#include "panes/mapstrip.h"
#include "support/fakesource.h"
#include "support/ggufwriter.h"
#include "support/qt/await.h"
#include "widgets/bytestrip.h"
#include "widgets/hexview.h"
#include "widgets/plaintext.h"
#include "widgets/statusmessage.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTreeWidget>

namespace {

GgufWriter model()
{
    GgufWriter writer;
    writer.kv("general.architecture", std::string("llama"))
        .kv("general.name", std::string("tiny"))
        .tensor("blk.0.attn_q.weight", kQ4_0, {32, 5})
        .tensor("blk.1.ffn_up.weight", kF32, {100000})
        .tensor("output.weight", kQ8_0, {32, 3});
    return writer;
}

struct Shown
{
    explicit Shown(std::shared_ptr<const gguf::ByteSource> source)
        : pane(loader, selection)
    {
        pane.resize(1200, 600);
        pane.show();
        loader.open(std::move(source), QStringLiteral("tiny.gguf"));
    }
    Shown()
        : Shown(model().source())
    {
    }
    bool isLoaded() const { return loader.state() == DocumentLoader::State::Loaded && !loader.isInspecting(); }
    void trigger(const char* name) { pane.findChild<QAction*>(QLatin1String(name))->trigger(); }

    DocumentLoader loader;
    Selection selection;
    HexPane pane;
};

} // namespace

class TestHexPane : public QObject
{
    Q_OBJECT
private slots:
    void caretAndSelectionWithoutEcho()
    {
        Shown s;
        AWAIT(s.isLoaded());
        QSignalSpy changed(&s.selection, &Selection::changed);
        const gguf::ByteRange data = model().dataRange("output.weight");
        s.pane.view()->setCaret(data.offset + 3);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(s.selection.place()->tensor, std::optional<std::size_t>(2));
        QCOMPARE(s.selection.place()->range.offset, data.offset + 3);
        // Another pane chooses: the hex pane follows and says nothing.
        QObject other;
        Place place;
        place.range = model().pairRange("general.name");
        place.metadata = 1;
        s.selection.select(place, &other);
        QCOMPARE(changed.count(), 2);
        QCOMPARE(s.pane.view()->selection(), (HexRange{place.range.offset, place.range.length}));
        QVERIFY2(s.pane.locationPath().contains(u"general.name"), qPrintable(s.pane.locationPath()));
    }

    void placeholdersUntilBytesCome()
    {
        const auto source = std::make_shared<FakeSource>(model().bytes());
        Shown s(source);
        AWAIT(s.isLoaded());
        const auto gate = std::make_shared<Gate>();
        source->blockAt(gate);
        const quint64 far = 200'000;
        s.pane.goTo(far);
        s.pane.grab();
        AWAIT(gate->waiting() == 1);
        QCOMPARE(s.pane.cache().state(far), BlockCache::State::Wanted);
        QVERIFY(!s.pane.locationPath().isEmpty()); // named before it can be read
        gate->open();
        AWAIT(s.pane.cache().state(far) == BlockCache::State::Present);
    }

    void unreadableBytesAreSaid()
    {
        const auto source = std::make_shared<FakeSource>(model().bytes());
        Shown s(source);
        AWAIT(s.isLoaded());
        source->failAt(150'000);
        s.pane.goTo(200'000);
        s.pane.grab();
        AWAIT(s.pane.cache().state(200'000) == BlockCache::State::Failed);
        QVERIFY2(s.pane.locationOffset().contains(tr("could not be read")), qPrintable(s.pane.locationOffset()));
    }

    void blockUnderTheCaret()
    {
        Shown s;
        AWAIT(s.isLoaded());
        const gguf::ByteRange data = model().dataRange("output.weight");
        s.pane.goTo(data.offset + 34 + 5); // second block
        auto* weights = s.pane.findChild<QTreeWidget*>(QStringLiteral("inspectorWeights"));
        AWAIT(weights->topLevelItemCount() == 32);
        QCOMPARE(weights->selectedItems().size(), 1);
        QCOMPARE(weights->selectedItems().first()->text(0), QStringLiteral("3")); // byte 5: two of scale, then quants
        auto* fields = s.pane.findChild<QTreeWidget*>(QStringLiteral("inspectorFields"));
        QCOMPARE(fields->topLevelItem(0)->text(0), QStringLiteral("d"));
        s.pane.goTo(0);
        QCOMPARE(weights->topLevelItemCount(), 0);
    }

    void blockAcrossCacheBlocks()
    {
        GgufWriter writer;
        writer.tensor("w", kQ8_0, {32, 8192});
        Shown s(writer.source());
        AWAIT(s.isLoaded());
        const gguf::ByteRange data = writer.dataRange("w");
        const quint64 border = 2 * BlockCache::kBlockSize;
        const quint64 start = border - (border - data.offset) % 34; // of the block that holds the border
        QVERIFY(start < border);
        s.pane.goTo(border);
        auto* weights = s.pane.findChild<QTreeWidget*>(QStringLiteral("inspectorWeights"));
        AWAIT(weights->topLevelItemCount() == 32);
    }

    void stepsThroughRegions()
    {
        Shown s;
        AWAIT(s.isLoaded());
        s.trigger("hexNextTensor");
        QCOMPARE(s.pane.view()->caret(), model().dataRange("blk.0.attn_q.weight").offset);
        s.trigger("hexNextPadding");
        QCOMPARE(s.pane.view()->caret(), model().dataRange("blk.0.attn_q.weight").end());
        s.trigger("hexNextRegion");
        QCOMPARE(s.pane.view()->caret(), model().dataRange("blk.1.ffn_up.weight").offset);
        s.trigger("hexPreviousTensor");
        QCOMPARE(s.pane.view()->caret(), model().dataRange("blk.0.attn_q.weight").offset);
        s.pane.goTo(0);
        s.trigger("hexPreviousRegion");
        QVERIFY(!s.pane.findChild<StatusMessage*>(QStringLiteral("hexMessage"))->text().isEmpty());
    }

    void goToUnderstandsWhatPeopleType()
    {
        Shown s;
        AWAIT(s.isLoaded());
        const gguf::Document& document = s.loader.document();
        const quint64 size = document.fileSize();
        const auto offset = [&](const char* text, bool fromData = false) {
            const auto place = resolveGoTo(document, QLatin1String(text), fromData, 1000, size);
            return std::holds_alternative<gguf::ByteRange>(place) ? qint64(std::get<gguf::ByteRange>(place).offset) : -1;
        };
        QCOMPARE(offset("100"), 100);
        QCOMPARE(offset("0x1F"), 0x1F);
        QCOMPARE(offset("0x1F", true), qint64(*document.dataOffset()) + 0x1F);
        QCOMPARE(offset("+0x10"), 1016);
        QCOMPARE(offset("-1000"), 0);
        QCOMPARE(offset("-1001"), -1);
        QCOMPARE(offset("99999999999999999999"), -1);
        QCOMPARE(offset("output.weight"), qint64(model().dataRange("output.weight").offset));
        QCOMPARE(offset("ffn_up"), qint64(model().dataRange("blk.1.ffn_up.weight").offset));
        QCOMPARE(offset("general.name"), qint64(model().pairRange("general.name").offset));
        QCOMPARE(offset("no such thing"), -1);
    }

    void goToBarGoesAndCloses()
    {
        Shown s;
        AWAIT(s.isLoaded());
        s.pane.showGoTo();
        auto* line = s.pane.findChild<QLineEdit*>(QStringLiteral("goToText"));
        line->setText(QStringLiteral("0x40"));
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(line->isVisible()); // names are looked for in the background
        AWAIT_COMPARE(s.pane.view()->caret(), quint64(0x40));
        QCOMPARE(s.selection.place()->range.offset, std::uint64_t(0x40));
        QVERIFY(!line->isVisible());
    }

    void findsAcrossCacheBlocks()
    {
        std::vector<std::byte> bytes = model().bytes();
        const quint64 border = 3 * BlockCache::kBlockSize;
        std::memcpy(bytes.data() + border - 3, "needle", 6);
        Shown s(std::make_shared<FakeSource>(std::move(bytes)));
        AWAIT(s.isLoaded());
        s.pane.showFind();
        auto* line = s.pane.findChild<QLineEdit*>(QStringLiteral("findText"));
        line->setText(QStringLiteral("needle"));
        QTest::keyClick(line, Qt::Key_Return);
        AWAIT_COMPARE(s.pane.view()->selection(), (HexRange{border - 3, 6}));
        s.pane.goTo(0);
        s.pane.findChild<QComboBox*>(QStringLiteral("findKind"))->setCurrentIndex(1);
        line->setText(QStringLiteral("6E 65 ?? 64"));
        QTest::keyClick(line, Qt::Key_Return, Qt::ShiftModifier); // backwards, around the start
        AWAIT_COMPARE(s.pane.view()->selection(), (HexRange{border - 3, 4}));
    }

    void findSaysWhatItCouldNotRead()
    {
        const auto source = std::make_shared<FakeSource>(model().bytes());
        Shown s(source);
        AWAIT(s.isLoaded());
        source->failAt(200'000);
        s.pane.showFind();
        auto* line = s.pane.findChild<QLineEdit*>(QStringLiteral("findText"));
        auto* message = s.pane.findChild<StatusMessage*>(QStringLiteral("hexMessage"));
        line->setText(QStringLiteral("not in there"));
        QTest::keyClick(line, Qt::Key_Return);
        AWAIT(message->isVisible());
        QVERIFY2(message->text().contains(u"0x30D40"), qPrintable(message->text()));
        QVERIFY2(message->text().contains(NumberText::bytes(model().size() - 200'000 - 11)), qPrintable(message->text()));
        line->setText(QStringLiteral("tiny"));
        QTest::keyClick(line, Qt::Key_Return);
        AWAIT_COMPARE(s.pane.view()->selection().offset, quint64(model().valueOffset("general.name") + 8));
    }

    void rowsWithScalesOfTheirOwn()
    {
        // IQ4_KS: each row begins with its scale. Q8_KV: with scale and sum; its values are known.
        // Q4_0_R8: eight rows lie woven together.
        constexpr std::uint32_t kIq4Ks = 144, kQ8KV = 151, kQ4_0R8 = 202;
        const auto floats = [](float value, std::size_t size) {
            std::vector<std::byte> bytes(size, std::byte{5});
            std::memcpy(bytes.data(), &value, sizeof value);
            return bytes;
        };
        GgufWriter writer;
        writer.tensor("ks", kIq4Ks, {512, 1}, floats(0.5f, 4 + 2 * 136));
        writer.tensor("kv", kQ8KV, {64, 1}, floats(0.25f, 8 + 64));
        writer.tensor("woven", kQ4_0R8, {64, 8}, std::vector<std::byte>(8 * 36));
        Shown s(writer.source());
        AWAIT(s.isLoaded());
        auto* fields = s.pane.findChild<QTreeWidget*>(QStringLiteral("inspectorFields"));
        auto* weights = s.pane.findChild<QTreeWidget*>(QStringLiteral("inspectorWeights"));
        auto* title = s.pane.findChild<PlainLabel*>(QStringLiteral("inspectorBlockTitle"));
        auto* note = s.pane.findChild<PlainLabel*>(QStringLiteral("inspectorNote"));
        s.pane.goTo(writer.dataRange("ks").offset + 4 + 136);
        AWAIT(fields->topLevelItemCount() == 2);
        QCOMPARE(title->fullText(), QStringLiteral("IQ4_KS, row 0, block 1"));
        QCOMPARE(fields->topLevelItem(0)->text(3), QStringLiteral("0.5"));
        QCOMPARE(fields->topLevelItem(1)->text(1), QStringLiteral("0…135"));
        QVERIFY(note->isVisible() && note->fullText().contains(u"IQ4_KS"));
        QCOMPARE(weights->topLevelItemCount(), 0);

        s.pane.goTo(writer.dataRange("kv").offset + 8 + 33);
        AWAIT(weights->topLevelItemCount() == 32);
        QCOMPARE(weights->topLevelItem(0)->text(0), QStringLiteral("32"));
        QCOMPARE(weights->topLevelItem(0)->text(3), QStringLiteral("1.25")); // 5 * 0.25
        QCOMPARE(weights->selectedItems().size(), 1);
        QCOMPARE(weights->selectedItems().first(), weights->topLevelItem(1));
        QVERIFY(!note->isVisible());
        s.pane.goTo(writer.dataRange("kv").offset); // at the scale itself
        AWAIT(weights->topLevelItemCount() == 0);
        QCOMPARE(fields->topLevelItemCount(), 2);

        s.pane.goTo(writer.dataRange("woven").offset + 8 * 18 + 1);
        AWAIT(title->fullText() == QStringLiteral("Q4_0_R8, rows 0 to 7, block 1"));
        QVERIFY(note->isVisible() && note->fullText().contains(u"woven together"));
        s.pane.goTo(0);
        QVERIFY(!note->isVisible());
    }

    void everyScaleOfABlockCanBeRead()
    {
        std::vector<std::byte> block(210, std::byte{0x21});
        for (std::size_t i = 0; i < 16; ++i) // short ones first
            block[192 + i] = std::byte(i < 10 ? 0 : 77);
        block[208] = std::byte{0x66}, block[209] = std::byte{0x8E}; // a small negative scale of all
        GgufWriter writer;
        writer.tensor("q6", 14, {256}, block);
        Shown s(writer.source());
        s.pane.resize(870, 400);
        AWAIT(s.isLoaded());
        auto* weights = s.pane.findChild<QTreeWidget*>(QStringLiteral("inspectorWeights"));
        s.pane.goTo(writer.dataRange("q6").offset + 1);
        AWAIT(weights->topLevelItemCount() == 256);
        weights->grab();
        for (int row = 0; row < weights->topLevelItemCount(); ++row) {
            for (int column = 0; column < weights->columnCount(); ++column) {
                const QString text = weights->topLevelItem(row)->text(column);
                QVERIFY2(weights->columnWidth(column) >= weights->fontMetrics().horizontalAdvance(text), qPrintable(text));
            }
        }
    }

    void everyNumberOfTheInspectorCanBeRead()
    {
        Shown s;
        s.pane.resize(870, 400); // as in the window of 1440 x 900
        AWAIT(s.isLoaded());
        auto* values = s.pane.findChild<QTreeWidget*>(QStringLiteral("inspectorValues"));
        s.pane.goTo(8);
        AWAIT(!values->topLevelItem(0)->text(1).isEmpty());
        values->grab();
        QCOMPARE(values->header()->visualIndex(1), 1); // the file's own byte order first
        for (int row = 0; row < values->topLevelItemCount(); ++row) {
            for (const int column : {1, 2}) {
                const QTreeWidgetItem* item = values->topLevelItem(row);
                const int needed = values->fontMetrics().horizontalAdvance(item->text(column));
                if (!values->visualItemRect(item).isEmpty() && values->viewport()->rect().contains(values->visualItemRect(item).center()))
                    QVERIFY2(values->columnWidth(column) >= needed, qPrintable(item->text(0)));
            }
        }
        QScrollBar* bar = values->horizontalScrollBar();
        AWAIT(bar->maximum() == 0 || bar->isVisible());
        s.loader.open(GgufWriter(3, gguf::ByteOrder::Big).kv("a", std::uint32_t{1}).source(), QStringLiteral("big.gguf"));
        AWAIT(s.isLoaded());
        QCOMPARE(values->header()->visualIndex(2), 1);
    }

    void copiesInEachForm()
    {
        Shown s;
        AWAIT(s.isLoaded());
        s.pane.view()->select({0, 4});
        QClipboard* clipboard = QApplication::clipboard();
        clipboard->clear();
        s.trigger("hexCopyHex");
        AWAIT_COMPARE(clipboard->text(), QStringLiteral("47 47 55 46"));
        s.trigger("hexCopyBase64");
        QCOMPARE(clipboard->text(), QStringLiteral("R0dVRg=="));
        s.trigger("hexCopyRaw");
        QCOMPARE(clipboard->text(), QStringLiteral("GGUF"));
        s.trigger("hexCopyArray");
        QCOMPARE(clipboard->text(),
            QStringLiteral("static const unsigned char bytes[4] = {\n    0x47, 0x47, 0x55, 0x46\n};\n"));
    }

    void bookmarksLastAsLongAsTheFile()
    {
        Shown s;
        AWAIT(s.isLoaded());
        for (const quint64 offset : {quint64(100), quint64(50)}) {
            s.pane.goTo(offset);
            s.trigger("hexToggleBookmark");
        }
        s.trigger("hexNextBookmark");
        QCOMPARE(s.pane.view()->caret(), quint64(100));
        s.trigger("hexNextBookmark");
        QCOMPARE(s.pane.view()->caret(), quint64(50));
        s.trigger("hexPreviousBookmark");
        QCOMPARE(s.pane.view()->caret(), quint64(100));
        s.loader.reload();
        AWAIT(s.isLoaded());
        s.pane.goTo(70);
        s.trigger("hexNextBookmark");
        QCOMPARE(s.pane.view()->caret(), quint64(70));
    }

    void mapStripCoversTheFile()
    {
        Shown s;
        MapStrip map(s.pane, s.selection);
        AWAIT(s.isLoaded());
        AWAIT(map.isCurrent());
        const ByteStripMap& shown = map.strip()->map();
        QCOMPARE(shown.size(), model().size());
        QCOMPARE(shown.count(), std::size_t(9)); // header, metadata, table, 3 tensors, paddings of all but the second
        const TypePalette colors = TypePalette::forPalette(map.palette());
        const auto colorAt = [&](quint64 offset) { return shown[shown.indexAt(offset)].color; };
        QCOMPARE(colorAt(model().dataRange("output.weight").offset), colors.color(kQ8_0).rgb());
        QCOMPARE(colorAt(model().dataRange("output.weight").end()),
            colors.regionColor(gguf::RegionKind::TensorPadding).rgb());
        emit map.strip()->activated(model().dataRange("blk.1.ffn_up.weight").offset);
        QCOMPARE(s.pane.view()->caret(), model().dataRange("blk.1.ffn_up.weight").offset);
        QCOMPARE(s.selection.place()->tensor, std::optional<std::size_t>(1));
    }

    void theStripIsMadeInTheBackground()
    {
        Shown s;
        MapStrip map(s.pane, s.selection);
        AWAIT(s.isLoaded());
        AWAIT(map.isCurrent());
        const auto headerColor = [&] { return map.strip()->map()[0].color; };
        const QRgb before = headerColor();
        QPalette dark;
        dark.setColor(QPalette::Window, Qt::black);
        dark.setColor(QPalette::Base, Qt::black);
        dark.setColor(QPalette::WindowText, Qt::white);
        dark.setColor(QPalette::Text, Qt::white);
        map.setPalette(dark);
        QVERIFY(!map.isCurrent());
        QCOMPARE(headerColor(), before);
        AWAIT(map.isCurrent());
        QCOMPARE(headerColor(), TypePalette::forPalette(dark).regionColor(gguf::RegionKind::Header).rgb());
        QVERIFY(headerColor() != before);
    }

    void manyTensorsAreAllInTheStrip()
    {
        constexpr int kTensors = 100'000;
        GgufWriter writer;
        for (int i = 0; i < kTensors; ++i)
            writer.tensor("t" + std::to_string(i), i + 1 == kTensors ? kI8 : kF32, {8});
        Shown s(writer.source());
        MapStrip map(s.pane, s.selection);
        AWAIT(s.isLoaded());
        AWAIT(map.isCurrent());
        const gguf::Document& document = s.loader.document();
        const std::uint64_t data = *document.dataOffset();
        const std::uint64_t last = document.tensor(kTensors - 1).dataRange()->offset;
        const ByteStripMap& shown = map.strip()->map();
        QCOMPARE(shown.size(), document.fileSize());
        // header, table, perhaps padding, tensors, padding of the last
        QCOMPARE(shown.count(), std::size_t(2 + (data > document.tablesEnd() ? 1 : 0) + kTensors + 1));
        QCOMPARE(shown[shown.indexAt(last)].color, TypePalette::forPalette(map.palette()).color(kI8).rgb());
        // The only padding in this direction lies behind all of them.
        s.pane.goTo(data);
        s.trigger("hexNextPadding");
        QCOMPARE(s.pane.view()->caret(), data); // it is looked for in the background
        AWAIT_COMPARE(s.pane.view()->caret(), last + 8);
        // Whoever goes somewhere else meanwhile stays there.
        s.pane.goTo(data);
        s.trigger("hexNextPadding");
        s.pane.view()->setCaret(5);
        Workers::waitForAll(std::chrono::minutes(1));
        runQueued();
        QCOMPARE(s.pane.view()->caret(), quint64(5));
        s.pane.showGoTo();
        auto* line = s.pane.findChild<QLineEdit*>(QStringLiteral("goToText"));
        line->setText(QStringLiteral("t99998"));
        QTest::keyClick(line, Qt::Key_Return);
        AWAIT_COMPARE(s.pane.view()->caret(), last - 32);
    }

    void anotherFileForgetsTheOld()
    {
        const auto stuck = std::make_shared<FakeSource>(model().bytes());
        Shown s(stuck);
        AWAIT(s.isLoaded());
        const auto gate = std::make_shared<Gate>();
        stuck->blockAt(gate);
        s.pane.goTo(200'000);
        s.pane.grab();
        AWAIT(gate->waiting() == 1);
        s.loader.open(GgufWriter().kv("a", std::uint32_t{1}).source(), QStringLiteral("other.gguf"));
        AWAIT(s.isLoaded());
        QCOMPARE(s.pane.view()->caret(), quint64(0));
        gate->open();
        AWAIT(gate->waiting() == 0);
        runQueued();
        QVERIFY(s.pane.map().document().tensorCount() == 0);
    }
};

QTEST_MAIN(TestHexPane)
#include "tst_hexpane.moc"
