// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/metadatamodel.h"

#include "growing.h"
#include "support/qt/modeltext.h"

#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

GgufWriter smallModel()
{
    return GgufWriter()
        .kv("general.architecture", "llama")
        .kv("general.name", "A\nB")
        .kv("llama.block_count", std::uint32_t{32})
        .kv("llama.attention.head_count", std::uint32_t{8})
        .kv("general.file_type", std::uint32_t{15})
        .kv("tokenizer.ggml.tokens", std::vector<std::string>{"<s>", "a", "b"})
        .kv("tokenizer.ggml.bos_token_id", std::uint32_t{0})
        .kv("tokenizer.ggml.eos_token_id", std::uint32_t{7})
        .kv("tokenizer.ggml.padding_token_id", std::uint32_t{0xFFFFFFFF});
}

QStringList keys(const MetadataModel& model, int depth = 8)
{
    return modelText(model, {MetadataModel::KeyColumn}, depth);
}

QModelIndex find(const MetadataModel& model, std::string_view key, int column = 0)
{
    return model.indexOf(*model.document().findKey(key), column);
}

} // namespace

class TestMetadataModel : public QObject
{
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void treeAndFlat();
    void values();
    void arrays();
    void arraysInArrays();
    void rangesOfLongArrays();
    void nestedArrays();
    void filters();
    void filterKeepsSelection();
    void growsBySnapshots_data();
    void growsBySnapshots();
    void oddKeys();
    void marksProblems();
    void emptyDocument();
};

void TestMetadataModel::treeAndFlat()
{
    MetadataModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(documentOf(smallModel()));
    QCOMPARE(modelText(model, {}, 1),
        QStringList({u"general |  | 3 keys"_s, u"  architecture | str | llama"_s, u"  name | str | A\\nB"_s,
            u"  file_type | u32 | 15 (Q4_K_M)"_s, u"llama |  | 2 keys"_s, u"  block_count | u32 | 32"_s,
            u"  attention |  | 1 key"_s, u"tokenizer |  | 4 keys"_s, u"  ggml |  | 4 keys"_s}));
    model.setFlat(true);
    QCOMPARE(model.rowCount(), 9);
    QCOMPARE(keys(model, 0).at(3), u"llama.attention.head_count"_s);
    for (std::size_t pair = 0; pair < 9; ++pair) {
        QCOMPARE(model.indexOf(pair).row(), static_cast<int>(pair));
        QCOMPARE(model.pairAt(model.indexOf(pair)), pair);
    }
    model.setFlat(false);
    for (std::size_t pair = 0; pair < 9; ++pair) {
        const QModelIndex index = model.indexOf(pair);
        QVERIFY(index.isValid());
        QCOMPARE(model.pairAt(index), pair);
        QCOMPARE(index.data(RangeOffsetRole).toULongLong(), quint64{model.document().metadata(pair).offset});
        QVERIFY(index.parent().isValid());
    }
    QCOMPARE(find(model, "llama.attention.head_count").parent().parent().data().toString(), u"llama"_s);
}

void TestMetadataModel::values()
{
    MetadataModel model;
    model.setDocument(documentOf(smallModel()));
    const auto value = [&](std::string_view key) { return find(model, key, MetadataModel::ValueColumn).data().toString(); };
    QCOMPARE(value("tokenizer.ggml.bos_token_id"), u"0 (“<s>”)"_s);
    QCOMPARE(value("tokenizer.ggml.eos_token_id"), u"7 (no such token)"_s);
    QCOMPARE(value("tokenizer.ggml.padding_token_id"), u"4294967295 (not set)"_s);
    const QModelIndex name = find(model, "general.name", MetadataModel::ValueColumn);
    QCOMPARE(name.data(CopyRole).toString(), u"A\nB"_s);
    QCOMPARE(find(model, "general.name").data(CopyRole).toString(), u"general.name"_s);
    QCOMPARE(find(model, "llama.block_count", MetadataModel::ValueColumn).data(SortRole).toLongLong(), 32);
}

void TestMetadataModel::arrays()
{
    MetadataModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(documentOf(smallModel()));
    const QModelIndex tokens = find(model, "tokenizer.ggml.tokens");
    QCOMPARE(tokens.siblingAtColumn(MetadataModel::TypeColumn).data().toString(), u"str[3]"_s);
    QVERIFY(model.hasChildren(tokens));
    QCOMPARE(modelText(model, {}, 0, Qt::DisplayRole, tokens),
        QStringList({u"[0] | str | <s>"_s, u"[1] | str | a"_s, u"[2] | str | b"_s}));
    const QModelIndex second = model.index(1, 0, tokens);
    QCOMPARE(second.parent(), tokens);
    QCOMPARE(model.pairAt(second), model.pairAt(tokens));
    QCOMPARE(second.data(RangeLengthRole).toULongLong(), quint64{9});
    QVERIFY(!model.hasChildren(second));
    QVERIFY(!model.hasChildren(find(model, "general.name")));
}

void TestMetadataModel::arraysInArrays()
{
    MetadataModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(documentOf(GgufWriter().kv("nested", std::vector<std::vector<std::uint32_t>>{{7, 8}, {}})));
    const QModelIndex nested = find(model, "nested");
    QCOMPARE(model.rowCount(nested), 2);
    QCOMPARE(modelText(model, {}, 0, Qt::DisplayRole, model.index(0, 0, nested)),
        QStringList({u"[0] | u32 | 7"_s, u"[1] | u32 | 8"_s}));
    QCOMPARE(model.rowCount(model.index(1, 0, nested)), 0);
    QVERIFY(!model.index(0, 0, model.index(1, 0, nested)).isValid());
}

void TestMetadataModel::rangesOfLongArrays()
{
    MetadataModel model; // the tester would visit all elements many times
    std::vector<std::uint32_t> numbers(250'001);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<std::uint32_t>(i * 3);
    model.setDocument(documentOf(GgufWriter()
                                     .kv("long", numbers)
                                     .kv("just", std::vector<std::uint8_t>(100'000))
                                     .kv("over", std::vector<std::uint8_t>(100'001))));
    QCOMPARE(model.rowCount(find(model, "just")), 100'000);
    QCOMPARE(model.rowCount(find(model, "over")), 2);
    const QModelIndex array = find(model, "long");
    QCOMPARE(modelText(model, {0}, 0, Qt::DisplayRole, array),
        QStringList({u"[0 … 99,999]"_s, u"[100,000 … 199,999]"_s, u"[200,000 … 250,000]"_s}));
    const QModelIndex range = model.index(2, 0, array);
    QCOMPARE(model.rowCount(range), 50'001);
    const QModelIndex last = model.index(50'000, MetadataModel::ValueColumn, range);
    QCOMPARE(last.data().toString(), u"750000"_s);
    QCOMPARE(last.siblingAtColumn(0).data().toString(), u"[250000]"_s);
    QCOMPARE(last.parent(), range);
    QCOMPARE(range.parent(), array);
    QCOMPARE(range.data(RangeLengthRole).toULongLong(), quint64{4 * 50'001});
    QCOMPARE(model.pairAt(last), model.document().findKey("long"));
}

void TestMetadataModel::nestedArrays()
{
    MetadataModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(documentOf(
        GgufWriter().kv("nested", std::vector<std::vector<std::string>>{{"a", "b"}, {}, {"c"}})));
    const QModelIndex outer = find(model, "nested");
    QCOMPARE(modelText(model, {0, 2}, 3, Qt::DisplayRole, outer),
        QStringList({u"[0] | [2 x str] a, b"_s, u"  [0] | a"_s, u"  [1] | b"_s, u"[1] | [0 x str]"_s,
            u"[2] | [1 x str] c"_s, u"  [0] | c"_s}));
}

void TestMetadataModel::filters()
{
    MetadataModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(documentOf(smallModel()));
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    const QStringList all = keys(model);
    model.setFilter(u"COUNT"_s);
    QCOMPARE(keys(model),
        QStringList({u"llama"_s, u"  block_count"_s, u"  attention"_s, u"    head_count"_s}));
    QCOMPARE(model.visiblePairs(), std::size_t{2});
    QCOMPARE(model.index(0, MetadataModel::ValueColumn).data().toString(), u"2 keys"_s);
    QVERIFY(!model.indexOf(0).isValid());
    model.setFilter(u"general.n"_s);
    QCOMPARE(keys(model), QStringList({u"general"_s, u"  name"_s}));
    model.setFilter(u"nothing has this"_s);
    QCOMPARE(model.rowCount(), 0);
    model.setFilter({});
    QCOMPARE(keys(model), all);
    QCOMPARE(resets.size(), 0);
}

void TestMetadataModel::filterKeepsSelection()
{
    MetadataModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(documentOf(smallModel()));
    const QPersistentModelIndex element
        = model.index(2, 0, find(model, "tokenizer.ggml.tokens"));
    const QPersistentModelIndex bos = find(model, "tokenizer.ggml.bos_token_id");
    model.setFilter(u"ggml"_s);
    model.setFilter(u"tokens"_s);
    QVERIFY(!bos.isValid());
    QVERIFY(element.isValid());
    QCOMPARE(element.data().toString(), u"[2]"_s);
    QCOMPARE(element.parent(), find(model, "tokenizer.ggml.tokens"));
    model.setFilter({});
    QCOMPARE(element.parent(), find(model, "tokenizer.ggml.tokens"));
}

void TestMetadataModel::growsBySnapshots_data()
{
    QTest::addColumn<bool>("flat");
    QTest::addColumn<QString>("filter");
    QTest::newRow("tree") << false << QString();
    QTest::newRow("tree, filtered") << false << u"7"_s;
    QTest::newRow("flat") << true << QString();
    QTest::newRow("flat, filtered") << true << u"7"_s;
}

void TestMetadataModel::growsBySnapshots()
{
    QFETCH(bool, flat);
    QFETCH(QString, filter);
    GgufWriter writer;
    writer.kv("general.architecture", "x");
    const std::string value(40'000, 'v'); // a snapshot comes after each MiB
    for (int i = 0; i < 120; ++i)
        writer.kv("g" + std::to_string(i % 5) + ".sub" + std::to_string(i % 15) + ".k" + std::to_string(i), value);
    const std::vector<gguf::Document> snapshots = snapshotsOf(writer);
    QVERIFY(snapshots.size() >= 4);
    MetadataModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setFlat(flat);
    model.setFilter(filter);
    model.setDocument({});
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    for (const gguf::Document& document : snapshots)
        model.updateDocument(document);
    QCOMPARE(resets.size(), 0);
    MetadataModel atOnce;
    atOnce.setFlat(flat);
    atOnce.setFilter(filter);
    atOnce.setDocument(snapshots.back());
    QCOMPARE(model.visiblePairs(), atOnce.visiblePairs());
    QCOMPARE(modelText(model, {}, 8), modelText(atOnce, {}, 8));
    QVERIFY(model.visiblePairs() > 0);
}

void TestMetadataModel::oddKeys()
{
    MetadataModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    std::string deep = "x";
    for (int i = 0; i < 3000; ++i)
        deep += ".y";
    model.setDocument(documentOf(GgufWriter()
                                     .kv("a.b", 1)
                                     .kv("a", 2)
                                     .kv("", 3)
                                     .kv("..", 4)
                                     .kv("a.b.c", 5)
                                     .kv("a.b", 6)
                                     .kv(deep, 7)
                                     .kv("e\x1b[1m\xff", 8)));
    QCOMPARE(keys(model, 1).mid(0, 9),
        QStringList({u"a"_s, u"  b"_s, u"  b"_s, u"  b"_s, u"a"_s, u"(empty)"_s, u"(empty)"_s, u"  (empty)"_s,
            u"x"_s}));
    QCOMPARE(keys(model, 1).last(), u"e\\x1B[1m\\xFF"_s);
    for (std::size_t pair = 0; pair < model.document().metadataCount(); ++pair)
        QCOMPARE(model.pairAt(model.indexOf(pair)), pair);
    int depth = 0;
    for (QModelIndex row = model.indexOf(6); row.isValid(); row = row.parent())
        ++depth;
    QVERIFY(depth <= 10);
}

void TestMetadataModel::marksProblems()
{
    MetadataModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument({});
    for (const gguf::Document& document : snapshotsOf(GgufWriter()
                                                          .kv("general.architecture", "x")
                                                          .kv("a.twice", 1)
                                                          .kv("a.once", 1)
                                                          .kv("a.twice", 2)))
        model.updateDocument(document);
    QVERIFY(model.indexOf(3).data(SeverityRole).isValid());
    QVERIFY(!model.indexOf(2).data(SeverityRole).isValid());
    QCOMPARE(model.indexOf(3).parent().data(SeverityRole), model.indexOf(3).data(SeverityRole));
    QVERIFY(!model.index(0, 0).data(SeverityRole).isValid());
}

void TestMetadataModel::emptyDocument()
{
    MetadataModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    QCOMPARE(model.rowCount(), 0);
    model.setFilter(u"x"_s);
    model.setDocument({});
    model.updateDocument({});
    QVERIFY(!model.indexOf(0).isValid());
    QVERIFY(!model.pairAt({}).has_value());
}

QTEST_GUILESS_MAIN(TestMetadataModel)
#include "tst_metadatamodel.moc"
