// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/documentloader.h"
#include "models/columntablemodel.h"
#include "models/selection.h"
#include "models/typepalette.h"
#include "panes/diffview.h"
#include "panes/heatmappane.h"
#include "panes/imageexport.h"
#include "panes/labelpane.h"
#include "panes/mixchart.h"
#include "panes/mixpane.h"
#include "support/ggufwriter.h"
#include "support/qt/await.h"
#include "support/qt/modeltext.h"
#include "widgets/plaintext.h"

#include <QAbstractBarSeries>
#include <QHelpEvent>
#include <QToolTip>
#include <QAbstractItemModelTester>
#include <QAbstractSeries>
#include <QApplication>
#include <QChart>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>

namespace {

/// Four layers; blk.1.attn_q is not what Q8_0 gives.
GgufWriter model(int layers = 4)
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama")
        .kv("general.file_type", 7U)
        .kv("general.quantization_version", 2U);
    writer.kv("llama.block_count", static_cast<std::uint32_t>(layers));
    writer.tensor("token_embd.weight", kQ8_0, {256, 8}).tensor("output.weight", kQ8_0, {256, 8});
    for (int i = 0; i < layers; ++i) {
        const std::string block = "blk." + std::to_string(i) + ".";
        writer.tensor(block + "attn_norm.weight", kF32, {256});
        writer.tensor(block + "attn_q.weight", i == 1 ? kQ4K : kQ8_0, {256, 16});
        writer.tensor(block + "ffn_down.weight", kQ8_0, {256, 16});
    }
    return writer;
}

QPalette darkPalette()
{
    QPalette palette(QColor(45, 46, 50));
    palette.setColor(QPalette::Base, QColor(30, 31, 34));
    palette.setColor(QPalette::Text, QColor(225, 225, 225));
    return palette;
}

bool hasColor(const QImage& image, const QColor& color)
{
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (image.pixelColor(x, y).rgb() == color.rgb())
                return true;
        }
    }
    return false;
}

template <class Pane> struct Shown
{
    DocumentLoader loader;
    Selection selection;
    Pane pane{loader, selection};

    explicit Shown(const GgufWriter& writer, const QPalette& palette = QPalette())
    {
        pane.setPalette(palette);
        pane.resize(1000, 600);
        pane.show();
        loader.open(writer.source(), QStringLiteral("model-Q8_0.gguf"));
        AWAIT(AuditService::of(loader).result());
    }
};

/// What lies behind a line of text, beside it.
QColor tintOf(DiffView& view, int line)
{
    const QRect place = view.cursorRect(QTextCursor(view.document()->findBlockByNumber(line)));
    return view.viewport()->grab().toImage().pixelColor(view.viewport()->width() - 3, place.center().y());
}

} // namespace

class AuditPanesTest : public QObject
{
    Q_OBJECT
private slots:
    void tableSortsAndKeepsWhatIsChosen()
    {
        ColumnTableModel table;
        QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const QList<int> numbers{3, 1, -1, 2};
        ColumnTableModel::Content content;
        content.rows = 4;
        content.columns.push_back({QStringLiteral("n"), QStringLiteral("N"), true,
            [numbers](int row) { return numbers[row] < 0 ? QVariant() : QVariant(numbers[row]); }, {}});
        content.index = [](int row) { return std::optional<quint64>(static_cast<quint64>(row)); };
        table.setContent(content);
        const QPersistentModelIndex three(table.index(0, 0));
        table.sort(0, Qt::DescendingOrder);
        QCOMPARE(columnText(table, 0),
            (QStringList{QStringLiteral("3"), QStringLiteral("2"), QStringLiteral("1"), QString()}));
        table.sort(0, Qt::AscendingOrder);
        QCOMPARE(columnText(table, 0),
            (QStringList{QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("3"), QString()}));
        QCOMPARE(three.row(), 2);
        QCOMPARE(three.data(IndexRole).toULongLong(), 0ULL);
        QCOMPARE(table.rowOf(0), 2);
        table.setContent({});
        QCOMPARE(table.rowCount(), 0);
    }

    void mixChartHasOneBarForEachTypeLayerAndRole()
    {
        Shown<MixPane> shown(model());
        auto* grouping = shown.pane.findChild<QComboBox*>(QStringLiteral("mixGrouping"));
        QVERIFY(grouping);
        const MixChart& chart = shown.pane.chart();
        grouping->setCurrentIndex(0);
        QCOMPARE(chart.bars().size(), 3U); // F32, Q4_K, Q8_0
        QCOMPARE(chart.bars().back().label, QStringLiteral("Q8_0")); // most bytes: drawn at the top
        grouping->setCurrentIndex(1);
        QStringList layers;
        for (const auto& bar : chart.bars())
            layers << bar.label;
        QCOMPARE(layers.join(u' '), QStringLiteral("before 0 1 2 3 after"));
        grouping->setCurrentIndex(2);
        QCOMPARE(chart.bars().size(), 5U);
        QCOMPARE(shown.pane.chart().chart()->series().size(), 1);
    }

    void partsSayWhatTheyAreAndWhichTensors()
    {
        Shown<MixPane> shown(model());
        MixChart& chart = shown.pane.chart();
        const gguf::Mix& mix = AuditService::of(shown.loader).result()->mix;
        std::uint32_t q4 = 0;
        while (mix.types[q4].name != "Q4_K")
            ++q4;
        QCOMPARE(chart.partText(2, q4).section(u'\n', 0, 0), QStringLiteral("Layer 1: Q4_K"));
        QVERIFY(chart.partText(2, q4).contains(QStringLiteral("4.50 bits per weight")));
        QVERIFY(chart.partText(1, q4).isEmpty());
        QVERIFY(chart.partText(99, q4).isEmpty());

        QSignalSpy tensors(&shown.pane, &MixPane::tensorsRequested);
        emit chart.partClicked(2, q4);
        QCOMPARE(tensors.size(), 1);
        const auto chosen = tensors[0][0].value<QList<quint64>>();
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(shown.loader.document().tensorName(chosen[0]), std::string_view("blk.1.attn_q.weight"));

        QSignalSpy types(&shown.pane, &MixPane::typeFilterRequested);
        chart.setGrouping(MixChart::Grouping::Type);
        emit chart.partClicked(0, q4);
        QCOMPARE(types[0][0].value<QList<quint32>>(), QList<quint32>{kQ4K});
    }

    void whatAPartIsStaysShownWhileTheMouseRests()
    {
        Shown<MixPane> shown(model());
        MixChart& chart = shown.pane.chart();
        auto* bars = qobject_cast<QAbstractBarSeries*>(chart.chart()->series().front());
        QVERIFY(bars);
        for (QBarSet* set : bars->barSets()) { // the set whose type layer 1 has shows something
            emit bars->hovered(true, 2, set);
            if (QToolTip::isVisible())
                break;
        }
        QVERIFY(QToolTip::text().contains(QStringLiteral("Layer 1")));
        const QPoint middle = chart.viewport()->rect().center();
        QHelpEvent rest(QEvent::ToolTip, middle, chart.viewport()->mapToGlobal(middle));
        QCoreApplication::sendEvent(chart.viewport(), &rest);
        QTest::qWait(500); // Qt hides tooltips a little later
        QVERIFY(QToolTip::isVisible());
        QToolTip::hideText();
    }

    void manyLayersShareBars()
    {
        Shown<MixPane> shown(model(700));
        const auto& bars = shown.pane.chart().bars();
        QVERIFY(bars.size() <= MixChart::kMostBars);
        std::size_t members = 0;
        for (const auto& bar : bars)
            members += bar.members.size();
        QCOMPARE(members, 702U);
    }

    void chartsAndMapShowTheTypesColors_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void chartsAndMapShowTheTypesColors()
    {
        QFETCH(bool, dark);
        const QPalette palette = dark ? darkPalette() : QPalette(Qt::white);
        const TypePalette colors = TypePalette::forPalette(palette);
        QCOMPARE(colors.isDark(), dark);
        Shown<MixPane> mix(model(), palette);
        Shown<HeatMapPane> map(model(), palette);
        for (QWidget* pane : {static_cast<QWidget*>(&mix.pane), static_cast<QWidget*>(&map.pane)}) {
            for (const int scale : {1, 2}) {
                QImage image(pane->size() * scale, QImage::Format_RGB32);
                image.setDevicePixelRatio(scale);
                pane->render(&image);
                QVERIFY(hasColor(image, colors.color(kQ8_0)));
                QVERIFY(hasColor(image, colors.color(kQ4K)));
            }
        }
    }

    void imagesAreWrittenAsPngAndSvg()
    {
        Shown<MixPane> shown(model());
        const QTemporaryDir folder;
        const auto paint
            = [&shown](QPainter& painter, const QSizeF& size) { shown.pane.chart().paintTo(painter, size); };
        for (const char* name : {"mix.png", "mix.svg"}) {
            const QString path = folder.filePath(QString::fromLatin1(name));
            QStringList heard;
            ImageExport::save(shown.pane, path, {}, QSizeF(800, 400), Qt::white, QStringLiteral("Mix"), paint,
                [&heard](const QString& error) { heard += error; });
            AWAIT(heard.size() == 1);
            QCOMPARE(heard[0], QString());
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly) && file.size() > 1000);
            if (path.endsWith(QStringLiteral(".png")))
                QCOMPARE(QImage(path).size(), QSize(1600, 800));
            else
                QVERIFY(file.readAll().contains("Mix"));
        }
        QStringList heard;
        // What is larger than a picture can be is drawn smaller, to its end.
        const QString path = folder.filePath(QStringLiteral("huge.png"));
        ImageExport::save(
            shown.pane, path, {}, QSizeF(400'000, 4'000), Qt::white, {},
            [](QPainter& painter, const QSizeF& size) {
                painter.fillRect(QRectF(size.width() - 2'000, 0, 2'000, size.height()), Qt::red);
            },
            [&heard](const QString& error) { heard += error; });
        AWAIT(heard.size() == 1);
        QCOMPARE(heard[0], QString());
        const QImage image(path);
        QVERIFY(image.width() > 10'000 && image.width() < 32'767);
        QCOMPARE(image.width() / image.height(), 100);
        QCOMPARE(image.pixelColor(image.width() - 3, image.height() / 2), QColor(Qt::red));
        QCOMPARE(image.pixelColor(image.width() / 2, image.height() / 2), QColor(Qt::white));
    }

    void heatMapMarksWhatItsRowDoesNotHave()
    {
        Shown<HeatMapPane> shown(model());
        const HeatMapData& data = shown.pane.map().data();
        QCOMPARE(data.columns.join(u' '), QStringLiteral("before 0 1 2 3 after"));
        const auto row = static_cast<int>(data.rows.indexOf(QStringLiteral("attn_q")));
        QVERIFY(row >= 0);
        QCOMPARE(data.cell(row, 2).label, QStringLiteral("Q4_K"));
        QVERIFY(data.cell(row, 2).deviates);
        QVERIFY(!data.cell(row, 1).deviates);
        QVERIFY(!data.cell(row, 0).color.isValid());
        QCOMPARE(data.rowTotals.size(), 2U);
        QCOMPARE(data.columnTotals.front().values.size(), data.columns.size());
    }

    void heatMapSelectsAndFollows()
    {
        Shown<HeatMapPane> shown(model());
        HeatMap& map = shown.pane.map();
        const auto row = static_cast<int>(map.data().rows.indexOf(QStringLiteral("attn_q")));
        QTest::mouseClick(map.viewport(), Qt::LeftButton, {}, map.cellRect({row, 2}).center());
        QVERIFY(shown.selection.place() && shown.selection.place()->tensor);
        QCOMPARE(shown.loader.document().tensorName(*shown.selection.place()->tensor),
            std::string_view("blk.1.attn_q.weight"));

        QSignalSpy requested(&shown.pane, &HeatMapPane::tensorsRequested);
        QTest::keyClick(map.viewport(), Qt::Key_Return);
        QCOMPARE(requested.size(), 1);

        Place place;
        place.tensor = *shown.loader.document().findTensor("blk.3.ffn_down.weight");
        shown.selection.select(place, this);
        QCOMPARE(map.data().rows[map.current().row], QStringLiteral("ffn_down"));
        QCOMPARE(map.data().columns[map.current().column], QStringLiteral("3"));
    }

    void labelTellsTheDeviationAndSelectsIt()
    {
        Shown<LabelPane> shown(model());
        const auto text = [&shown](const char* name) {
            auto* label = shown.pane.findChild<PlainLabel*>(QString::fromLatin1(name));
            return label ? label->fullText() : QString();
        };
        QCOMPARE(text("recipeVerdict"), QStringLiteral("Q8_0, but for 1 tensor"));
        QVERIFY(text("labelFileType").startsWith(QStringLiteral("Q8_0 (7)")));
        QCOMPARE(text("labelFileName"), QStringLiteral("Q8_0"));
        auto* table = shown.pane.findChild<QTableView*>(QStringLiteral("deviations"));
        QVERIFY(table);
        QCOMPARE(table->model()->rowCount(), 1);
        const QString row = modelText(*table->model(), {0, 1, 2}).join(u'\n');
        QCOMPARE(row, QStringLiteral("blk.1.attn_q.weight | Q4_K | Q8_0"));
        table->selectRow(0);
        QVERIFY(shown.selection.place());
        QCOMPARE(shown.loader.document().tensorName(*shown.selection.place()->tensor),
            std::string_view("blk.1.attn_q.weight"));
    }

    void factsHaveTheRoomWhereNoTensorDiffers()
    {
        Shown<LabelPane> shown(model());
        shown.pane.resize(870, 320); // as the dock has it
        auto* table = shown.pane.findChild<QTableView*>(QStringLiteral("deviations"));
        QVERIFY(table->isVisible());
        shown.loader.open(model(1).source(), QStringLiteral("model-Q8_0.gguf"));
        auto* verdict = shown.pane.findChild<PlainLabel*>(QStringLiteral("recipeVerdict"));
        AWAIT(verdict->fullText() == QStringLiteral("The stock recipe of Q8_0"));
        QVERIFY(!table->isVisible());
        QCoreApplication::processEvents();
        auto* last = shown.pane.findChild<PlainLabel*>(QStringLiteral("labelVersion"));
        QCOMPARE(last->visibleRegion().boundingRect(), last->rect());
    }

    void anotherFileReplacesTheAudit()
    {
        Shown<LabelPane> shown(model());
        AuditService& service = AuditService::of(shown.loader);
        const AuditService::Result first = service.result();
        shown.loader.open(model(9).source(), QStringLiteral("other.gguf"));
        AWAIT(service.result() && service.result() != first);
        QCOMPARE(service.result()->mix.columns.size(), 11U);
    }

    void unknownSizesAreSaid()
    {
        const GgufWriter writer = model().tensor("blk.0.odd.weight", 48, {64, 16});
        const QString why = QStringLiteral("unknown: 1 tensor of unknown size");
        Shown<LabelPane> label(writer);
        AWAIT_COMPARE(label.pane.findChild<PlainLabel*>(QStringLiteral("labelBits"))->fullText(), why);
        Shown<MixPane> mix(writer);
        const auto* total = mix.pane.findChild<PlainLabel*>(QStringLiteral("mixTotal"));
        AWAIT(total->fullText().endsWith(QStringLiteral("bits per weight ") + why));
        const QAbstractItemModel* types = mix.pane.findChild<QTableView*>(QStringLiteral("mixTypes"))->model();
        const int odd = static_cast<int>(columnText(*types, 0).indexOf(QStringLiteral("type 48")));
        QVERIFY(odd >= 0);
        QCOMPARE(types->index(odd, 1).data().toString(), QStringLiteral("unknown"));
        QCOMPARE(types->index(odd, 4).data().toString(), QStringLiteral("unknown"));
        QVERIFY(types->index(odd, 4).data(Qt::ToolTipRole).toString().contains(QStringLiteral("1 tensor of unknown size")));
        QVERIFY(!types->index(odd == 0 ? 1 : 0, 4).data().toString().isEmpty());
    }

    void filesWithoutTensorsShowNoChart()
    {
        GgufWriter writer;
        writer.kv("general.architecture", "llama");
        Shown<MixPane> mix(writer);
        Shown<HeatMapPane> map(writer);
        QVERIFY(!mix.pane.chart().isVisible());
        QVERIFY(!map.pane.map().isVisible());
    }

    void diffShowsSigns()
    {
        DiffView view;
        view.setContent(DiffView::Content::of("one\ntwo\x1b", "one\nthree"));
        QCOMPARE(view.toPlainText(), QStringLiteral("  one\n− two\\x1B\n+ three"));
        const QColor same = tintOf(view, 0), removed = tintOf(view, 1), added = tintOf(view, 2);
        QCOMPARE(same, view.palette().color(QPalette::Base));
        QVERIFY(removed != same && added != same && added != removed);
        view.setPalette(darkPalette());
        QVERIFY(tintOf(view, 1) != removed && tintOf(view, 1) != tintOf(view, 0));
    }

    void diffOfHugeTextsSaysWhatItLeavesOut()
    {
        DiffView view;
        view.resize(600, 300);
        view.show();
        const std::string feeds(3'000'000, '\n');
        view.setContent(DiffView::Content::of(feeds + "old" + feeds, feeds + "new" + feeds));
        QVERIFY(view.document()->blockCount() < 30'000);
        QCOMPARE(view.document()->firstBlock().text(), QStringLiteral("(2999000 equal lines before)"));
        QCOMPARE(view.document()->lastBlock().text(), QStringLiteral("(the texts are longer; only this part was compared)"));
        const auto old = static_cast<int>(view.toPlainText().section(QStringLiteral("− old"), 0, 0).count(u'\n'));
        view.setTextCursor(QTextCursor(view.document()->findBlockByNumber(old)));
        view.centerCursor();
        QVERIFY(tintOf(view, old) != tintOf(view, old - 1));
        QCOMPARE(view.document()->findBlockByNumber(old + 1).text(), QStringLiteral("+ new"));
        QVERIFY(tintOf(view, old + 1) != tintOf(view, old));
        QCOMPARE(tintOf(view, old + 2), tintOf(view, old - 1));
    }
};

QTEST_MAIN(AuditPanesTest)
#include "tst_auditpanes.moc"
