// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tabletext.h"
#include "models/tensormodel.h"

#include "growing.h"
#include "support/qt/modeltext.h"

#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
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
        .tensor("token_embd.weight", kQ4K, {256, 8})
        .tensor("blk.10.attn_q.weight", kQ6K, {256, 2})
        .tensor("blk.2.attn_q.weight", kF16, {4, 4})
        .tensor("blk.2.attn_norm.weight", kF32, {5});
}

GgufWriter manyTensors(int count)
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama");
    for (int i = 0; i < count; ++i)
        writer.tensor("blk." + std::to_string(i * 7 % count) + ".w", i % 3 == 0 ? kF32 : kF16,
            {static_cast<std::uint64_t>(1 + i % 17)});
    return writer;
}

QStringList names(const TensorModel& model)
{
    return columnText(model, TensorModel::NameColumn);
}

} // namespace

class TestTensorModel : public QObject
{
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void showsFields();
    void sortsTyped_data();
    void sortsTyped();
    void missingValuesComeLast();
    void filters();
    void selectionSurvives();
    void growsBySnapshots();
    void growsSortedAndFiltered();
    void anArrangerAnswersLater();
    void growsWhileArranging();
    void resetKeepsFilterAndSorting();
    void extraColumns();
    void cutAndMissing();
    void marksProblems();
    void hostileNames();
    void copies();
    void sums();
};

void TestTensorModel::showsFields()
{
    TensorModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(documentOf(smallModel()));
    QCOMPARE(model.rowCount(), 4);
    const QStringList lines = modelText(model,
        {TensorModel::NameColumn, TensorModel::TypeColumn, TensorModel::DimensionsColumn, TensorModel::ElementsColumn,
            TensorModel::SizeColumn, TensorModel::BitsPerWeightColumn, TensorModel::OffsetColumn,
            TensorModel::PaddingColumn, TensorModel::RequiredColumn, TensorModel::ReservedColumn,
            TensorModel::PresentColumn});
    QCOMPARE(lines[0],
        u"token_embd.weight | Q4_K | 256 × 8 | 2,048 | 1.13 KiB | 4.50 | 0x0 | 0 | 1,152 | 1,152 | whole"_s);
    QCOMPARE(lines[3], u"blk.2.attn_norm.weight | F32 | 5 | 5 | 20 bytes | 32.00 | 0x660 | 12 | 20 | 32 | whole"_s);
    const gguf::Tensor last = model.document().tensor(3);
    QCOMPARE(model.index(3, 0).data(RangeOffsetRole).toULongLong(), quint64{*last.fileOffset});
    QCOMPARE(model.index(3, 0).data(RangeLengthRole).toULongLong(), quint64{20});
    QCOMPARE(model.index(0, TensorModel::TypeColumn).data(TypeIdRole).toUInt(), kQ4K);
}

void TestTensorModel::sortsTyped_data()
{
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("ascending"); // tensor numbers
    QTest::newRow("name, numbers as people count") << int(TensorModel::NameColumn) << u"3 2 1 0"_s;
    QTest::newRow("type") << int(TensorModel::TypeColumn) << u"2 3 0 1"_s;
    QTest::newRow("elements") << int(TensorModel::ElementsColumn) << u"3 2 1 0"_s;
    QTest::newRow("size") << int(TensorModel::SizeColumn) << u"3 2 1 0"_s;
    QTest::newRow("bits per weight") << int(TensorModel::BitsPerWeightColumn) << u"0 1 2 3"_s;
    QTest::newRow("offset") << int(TensorModel::OffsetColumn) << u"0 1 2 3"_s;
    QTest::newRow("file offset") << int(TensorModel::FileOffsetColumn) << u"0 1 2 3"_s;
    QTest::newRow("padding") << int(TensorModel::PaddingColumn) << u"0 2 3 1"_s;
    QTest::newRow("required") << int(TensorModel::RequiredColumn) << u"3 2 1 0"_s;
    QTest::newRow("reserved") << int(TensorModel::ReservedColumn) << u"2 3 1 0"_s;
}

void TestTensorModel::sortsTyped()
{
    QFETCH(int, column);
    QFETCH(QString, ascending);
    TensorModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(documentOf(smallModel()));
    const auto order = [&model] {
        QStringList numbers;
        for (int row = 0; row < model.rowCount(); ++row)
            numbers.append(QString::number(model.tensorAt(row)));
        return numbers.join(u' ');
    };
    model.sort(column, Qt::AscendingOrder);
    QCOMPARE(order(), ascending);
    model.sort(column, Qt::DescendingOrder);
    for (int row = 1; row < model.rowCount(); ++row) {
        const QVariant above = model.index(row - 1, column).data(SortRole);
        const QVariant below = model.index(row, column).data(SortRole);
        QVERIFY(column == TensorModel::NameColumn
            || QVariant::compare(above, below) != QPartialOrdering::Less);
    }
    model.sort(-1, Qt::AscendingOrder);
    QCOMPARE(order(), u"0 1 2 3"_s);
}

void TestTensorModel::missingValuesComeLast()
{
    TensorModel model;
    model.setDocument(documentOf(GgufWriter()
                                     .kv("general.architecture", "x")
                                     .tensor("a", kF32, {2})
                                     .tensor("unknown", 200, {32})
                                     .tensor("b", kF32, {1})));
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        model.sort(TensorModel::SizeColumn, order);
        QCOMPARE(names(model).last(), u"unknown"_s);
    }
    QCOMPARE(model.index(2, TensorModel::SizeColumn).data().toString(), u"unknown"_s);
    QCOMPARE(model.index(2, TensorModel::TypeColumn).data().toString(), u"type 200"_s);
}

void TestTensorModel::filters()
{
    TensorModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(documentOf(smallModel()));
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    using Mode = NameFilter::Mode;
    model.setNameFilter(u"ATTN_Q"_s, Mode::Substring);
    QCOMPARE(names(model), QStringList({u"blk.10.attn_q.weight"_s, u"blk.2.attn_q.weight"_s}));
    model.setNameFilter(u"blk.?.*"_s, Mode::Wildcard);
    QCOMPARE(names(model), QStringList({u"blk.2.attn_q.weight"_s, u"blk.2.attn_norm.weight"_s}));
    model.setNameFilter(u"^(token|blk\\.10)"_s, Mode::RegularExpression);
    QCOMPARE(names(model), QStringList({u"token_embd.weight"_s, u"blk.10.attn_q.weight"_s}));
    model.setNameFilter(u"("_s, Mode::RegularExpression);
    QVERIFY(!model.isNameFilterValid());
    QCOMPARE(model.rowCount(), 4);
    model.setNameFilter({}, Mode::Substring);
    model.setTypeFilter({kF16, kF32});
    QCOMPARE(names(model), QStringList({u"blk.2.attn_q.weight"_s, u"blk.2.attn_norm.weight"_s}));
    model.setTensorFilter(std::vector<std::size_t>{3, 0});
    QCOMPARE(names(model), QStringList({u"blk.2.attn_norm.weight"_s}));
    QVERIFY(model.isFiltered());
    QVERIFY(!model.indexOf(0).isValid());
    QCOMPARE(model.indexOf(3).row(), 0);
    model.clearFilters();
    QCOMPARE(model.rowCount(), 4);
    QVERIFY(!model.isFiltered());
    QCOMPARE(resets.size(), 0);
}

void TestTensorModel::selectionSurvives()
{
    TensorModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(documentOf(manyTensors(300)));
    QItemSelectionModel selection(&model);
    constexpr auto kRow = QItemSelectionModel::Select | QItemSelectionModel::Rows;
    selection.select(model.indexOf(5), kRow);
    selection.select(model.indexOf(6), kRow);
    selection.setCurrentIndex(model.indexOf(7), kRow);
    const auto selected = [&] {
        QSet<std::size_t> tensors;
        for (const QModelIndex& row : selection.selectedRows())
            tensors.insert(model.tensorAt(row.row()));
        return tensors;
    };
    const QSet<std::size_t> all = {5, 6, 7};
    QCOMPARE(selected(), all);
    model.sort(TensorModel::NameColumn, Qt::DescendingOrder);
    QCOMPARE(selected(), all);
    QCOMPARE(model.tensorAt(selection.currentIndex().row()), std::size_t{7});
    model.setTypeFilter({model.document().tensor(6).typeId}); // 6 alone is F32
    QCOMPARE(selected(), QSet<std::size_t>({6}));
    model.clearFilters();
    QCOMPARE(selected(), QSet<std::size_t>({6})); // what was hidden is no longer selected
    model.sort(TensorModel::SizeColumn, Qt::AscendingOrder);
    QCOMPARE(selected(), QSet<std::size_t>({6}));
}

void TestTensorModel::growsBySnapshots()
{
    const std::vector<gguf::Document> snapshots = snapshotsOf(manyTensors(9000));
    QVERIFY(snapshots.size() >= 4);
    TensorModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy inserts(&model, &QAbstractItemModel::rowsInserted);
    model.setDocument({});
    for (const gguf::Document& document : snapshots) {
        model.updateDocument(document);
        QCOMPARE(model.rowCount(), static_cast<int>(document.tensorCount()));
    }
    QCOMPARE(resets.size(), 1);
    QVERIFY(inserts.size() >= 2 && inserts.size() <= static_cast<qsizetype>(snapshots.size()));
    QCOMPARE(model.tensorAt(8999), std::size_t{8999});
}

void TestTensorModel::growsSortedAndFiltered()
{
    const GgufWriter writer = manyTensors(9000);
    TensorModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setTypeFilter({kF32});
    model.sort(TensorModel::NameColumn, Qt::AscendingOrder);
    model.setDocument({});
    for (const gguf::Document& document : snapshotsOf(writer))
        model.updateDocument(document);
    QCOMPARE(model.rowCount(), 3000);
    for (int row = 1; row < model.rowCount(); ++row)
        QVERIFY(naturalCompare(model.document().tensorName(model.tensorAt(row - 1)),
                    model.document().tensorName(model.tensorAt(row)))
            < 0);
}

void TestTensorModel::anArrangerAnswersLater()
{
    TensorModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(documentOf(manyTensors(300)));
    QItemSelectionModel selection(&model);
    selection.select(model.indexOf(6), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    TensorRowsWish wish;
    model.setArranger([&wish](const TensorRowsWish& newest) { wish = newest; });

    model.sort(TensorModel::NameColumn, Qt::DescendingOrder);
    QVERIFY(model.isArranging());
    QCOMPARE(model.tensorAt(0), std::size_t{0}); // as before until the answer
    model.show(tensorRows(wish));
    QVERIFY(!model.isArranging());
    QCOMPARE(model.index(0, TensorModel::NameColumn).data().toString(), u"blk.299.w"_s);
    QCOMPARE(model.tensorAt(selection.selectedRows().value(0).row()), std::size_t{6});

    model.setNameFilter(u"^blk\\.12?\\.w$"_s, NameFilter::Mode::RegularExpression);
    QCOMPARE(model.rowCount(), 300);
    model.show(tensorRows(wish));
    QCOMPARE(names(model), QStringList({u"blk.12.w"_s, u"blk.1.w"_s}));
    QCOMPARE(model.total().tensors, std::uint64_t{2});
    model.setDocument(documentOf(smallModel()));
    QCOMPARE(wish.document.tensorCount(), std::size_t{4}); // what was asked before is void
}

void TestTensorModel::growsWhileArranging()
{
    const std::vector<gguf::Document> snapshots = snapshotsOf(manyTensors(20000));
    TensorModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    const std::size_t half = snapshots.size() / 2;
    model.setDocument(snapshots.at(half));
    QVERIFY(model.rowCount() > 0 && model.rowCount() < 20000);
    model.setTypeFilter({kF32});
    TensorRowsWish first, newest;
    model.setArranger([&](const TensorRowsWish& wish) {
        if (!first.document.header())
            first = wish;
        newest = wish;
    });
    model.clearFilters();
    for (std::size_t i = half; i < snapshots.size(); ++i)
        model.updateDocument(snapshots[i]);
    model.show(tensorRows(first)); // of fewer tensors than there are by now
    model.show(tensorRows(newest));
    QCOMPARE(model.rowCount(), 20000);
    QCOMPARE(model.total().tensors, std::uint64_t{20000});
}

void TestTensorModel::resetKeepsFilterAndSorting()
{
    TensorModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(documentOf(smallModel()));
    model.setNameFilter(u"attn"_s, NameFilter::Mode::Substring);
    model.sort(TensorModel::NameColumn, Qt::AscendingOrder);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.setDocument(documentOf(smallModel()));
    QCOMPARE(resets.size(), 1);
    QCOMPARE(names(model),
        QStringList({u"blk.2.attn_norm.weight"_s, u"blk.2.attn_q.weight"_s, u"blk.10.attn_q.weight"_s}));
}

void TestTensorModel::extraColumns()
{
    TensorModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(documentOf(smallModel()));
    std::vector<int> values = {3, 1, 4, 2};
    const int column = model.addColumn({u"layer"_s, u"Layer"_s, true, false,
        [&](const gguf::Document&, std::size_t tensor) { return tensor == 2 ? QVariant() : QVariant(values[tensor]); }, {}});
    QCOMPARE(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), u"Layer"_s);
    model.sort(column, Qt::AscendingOrder);
    QCOMPARE(columnText(model, column), QStringList({u"1"_s, u"2"_s, u"3"_s, QString()}));
    values = {1, 2, 0, 3};
    model.refreshColumn(column);
    QCOMPARE(columnText(model, column), QStringList({u"1"_s, u"2"_s, u"3"_s, QString()}));
    QCOMPARE(model.tensorAt(0), std::size_t{0});
}

void TestTensorModel::cutAndMissing()
{
    GgufWriter writer = smallModel();
    writer.truncateTo(writer.dataRange("blk.10.attn_q.weight").offset + 100);
    TensorModel model;
    model.setDocument(documentOf(writer));
    QCOMPARE(columnText(model, TensorModel::PresentColumn),
        QStringList({u"whole"_s, u"cut: 100 of 420 bytes"_s, u"missing"_s, u"missing"_s}));
    QVERIFY(!model.index(0, 0).data(Qt::ForegroundRole).isValid());
    QVERIFY(model.index(1, 0).data(Qt::ForegroundRole).isValid());
    model.sort(TensorModel::PresentColumn, Qt::AscendingOrder);
    QCOMPARE(names(model).last(), u"token_embd.weight"_s);
}

void TestTensorModel::marksProblems()
{
    const std::string longName(70, 'n'); // ggml refuses it
    const GgufWriter writer
        = GgufWriter().kv("general.architecture", "x").tensor("a", kF32, {8}).tensor(longName, kF32, {8});
    TensorModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument({});
    for (const gguf::Document& document : snapshotsOf(writer))
        model.updateDocument(document);
    QVERIFY(!model.index(0, 0).data(SeverityRole).isValid());
    QCOMPARE(model.index(1, 0).data(SeverityRole).toInt(), static_cast<int>(gguf::Severity::Error));
}

void TestTensorModel::hostileNames()
{
    TensorModel model;
    const QAbstractItemModelTester tester(&model, kFatal);
    model.setDocument(documentOf(GgufWriter()
                                     .kv("general.architecture", "x")
                                     .tensor("<b>bold</b>\x1b[31m", kF32, {1})
                                     .tensor(std::string("\xff\xfe\0x", 4), kF32, {1})
                                     .tensor("", kF32, {})));
    QCOMPARE(names(model), QStringList({u"<b>bold</b>\\x1B[31m"_s, u"\\xFF\\xFE\\x00x"_s, QString()}));
    QCOMPARE(model.index(2, TensorModel::DimensionsColumn).data().toString(), u"scalar"_s);
    model.sort(TensorModel::NameColumn, Qt::AscendingOrder);
    model.setNameFilter(u"bold"_s, NameFilter::Mode::Substring);
    QCOMPARE(model.rowCount(), 1);

    // Views lay out all of a text; what is copied is whole.
    model.setNameFilter({}, NameFilter::Mode::Substring);
    model.setDocument(documentOf(GgufWriter().tensor(std::string(1'000'000, 'n'), kF32, {1})));
    const QModelIndex name = model.index(0, TensorModel::NameColumn);
    for (const int role : {int{Qt::DisplayRole}, int{Qt::ToolTipRole}, int{Qt::AccessibleTextRole}}) {
        QVERIFY(name.data(role).toString().contains(u"nnn"_s));
        QVERIFY(name.data(role).toString().size() < 2'000);
    }
    QCOMPARE(name.data(CopyRole).toString().size(), 1'000'000);
}

void TestTensorModel::copies()
{
    TensorModel model;
    model.setDocument(documentOf(GgufWriter()
                                     .kv("general.architecture", "x")
                                     .tensor("=cmd|' /C calc'!A0", kF32, {3, 2})
                                     .tensor("b\"|c", 200, {32})));
    using TableText::Format;
    const QList<int> columns = {TensorModel::NameColumn, TensorModel::TypeColumn, TensorModel::SizeColumn,
        TensorModel::BitsPerWeightColumn};
    const auto copy = [&](Format format) { return TableText::text(model.table({0, 1}, format, columns)); };
    QCOMPARE(copy(Format::Text),
        u"Name\tType\tSize\tBPW\n=cmd|' /C calc'!A0\tF32\t24 bytes\t32.00\nb\"|c\ttype 200\tunknown\t\n"_s);
    QCOMPARE(copy(Format::Csv),
        u"name,type,size,bits_per_weight\n'=cmd|' /C calc'!A0,F32,24,32\n\"b\"\"|c\",type 200,,\n"_s);
    QCOMPARE(copy(Format::Markdown),
        u"| name | type | size | bits\\_per\\_weight |\n| --- | --- | --- | --- |\n"
        "| =cmd\\|' /C calc'!A0 | F32 | 24 | 32 |\n| b\"\\|c | type 200 |  |  |\n"_s);
    const QJsonArray json = QJsonDocument::fromJson(copy(Format::Json).toUtf8()).array();
    QCOMPARE(json.size(), 2);
    QCOMPARE(json[0].toObject()[u"size"_s].toInt(), 24);
    QCOMPARE(json[1].toObject()[u"name"_s].toString(), u"b\"|c"_s);
    QVERIFY(json[1].toObject()[u"size"_s].isNull());
    QCOMPARE(TableText::text(model.table({}, Format::Json, columns)), u"[]\n"_s);
}

void TestTensorModel::sums()
{
    TensorModel model;
    model.setDocument(documentOf(GgufWriter()
                                     .kv("general.architecture", "x")
                                     .tensor("a", kF32, {3, 2})
                                     .tensor("b", 200, {32})
                                     .tensor("c", kF16, {5})));
    const gguf::TensorSum sum = model.sum(0, 2);
    QCOMPARE(sum.tensors, std::uint64_t{3});
    QCOMPARE(sum.elements, std::uint64_t{43});
    QCOMPARE(sum.bytes, std::uint64_t{34});
    QCOMPARE(sum.unsized, std::uint64_t{1});
    QCOMPARE(model.sum(1, 2).elements, std::uint64_t{37});
    QCOMPARE(model.sum(2, 2).bytes, std::uint64_t{10});
    gguf::TensorSum huge;
    huge.add(UINT64_MAX, UINT64_MAX);
    huge.add(sum);
    QCOMPARE(huge.bytes, UINT64_MAX);
}

QTEST_MAIN(TestTensorModel)
#include "tst_tensormodel.moc"
