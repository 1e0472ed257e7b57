// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/memorysource.h"
#include "parse/parser.h"
#include "support/fakesource.h"
#include "support/ggufwriter.h"
#include "support/invariants.h"
#include "support/walk.h"

#include <QTest>

#include <cstdlib>
#include <new>

using namespace gguf;

/// Bytes asked of the allocator so far: memory must be bounded by the file, whatever it claims.
static std::size_t allocated = 0;

void* operator new(std::size_t size)
{
    allocated += size;
    if (void* const bytes = std::malloc(size))
        return bytes;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept
{
    allocated += size;
    return std::malloc(size);
}
void operator delete(void* bytes) noexcept { std::free(bytes); }
void operator delete(void* bytes, std::size_t) noexcept { std::free(bytes); }

/// Every truncation and every changed byte of a valid file: no crash, and every answer agrees with itself.
/// The sanitizer builds make these tests sharp.
class DamageTest : public QObject
{
    Q_OBJECT
private slots:
    void everyTruncation_data() { orders(); }
    void everyTruncation();
    void everyChangedByte_data() { orders(); }
    void everyChangedByte();
    void everyReadError();
    void everyShrinking();

private:
    static void orders();
    static GgufWriter sample(ByteOrder order);
    static Document examine(const ByteSource& source);
    /// For reading a sample of 2 KB, all pieces that were given back included.
    static constexpr std::size_t kMostMemory = 200'000;
};

void DamageTest::orders()
{
    QTest::addColumn<quint32>("version");
    QTest::addColumn<bool>("big");
    QTest::newRow("version 3, little") << 3U << false;
    QTest::newRow("version 3, big") << 3U << true;
    QTest::newRow("version 1") << 1U << false;
}

GgufWriter DamageTest::sample(ByteOrder order)
{
    GgufWriter writer(3, order);
    writer.kv("general.architecture", "llama").kv("llama.block_count", std::uint32_t{2}).alignment(64);
    writer.kv("tokenizer.ggml.tokens", std::vector<std::string>{"<s>", "</s>", "a", "\xC3\xA4"});
    writer.kv("tokenizer.ggml.scores", std::vector<float>{0, 0, -1, -2}).kv("nested", std::vector<std::vector<bool>>{{true}, {}});
    writer.tensor("token_embd.weight", kF16, {8, 4}).tensor("blk.0.attn_q.weight", kQ8_0, {32, 2});
    writer.tensor("blk.1.attn_q.weight", kQ4K, {256, 1}).tensor("output_norm.weight", kF32, {8});
    return writer;
}

Document DamageTest::examine(const ByteSource& source)
{
    allocated = 0;
    Document document = inspectData(parse(source), source);
    if (allocated > kMostMemory)
        QTest::qFail(qPrintable(QString::number(allocated)), __FILE__, __LINE__);
    const std::string broken = brokenInvariant(document);
    if (!broken.empty())
        QTest::qFail(broken.c_str(), __FILE__, __LINE__);
    walkEverything(document);
    return document;
}

void DamageTest::everyTruncation()
{
    QFETCH(quint32, version);
    QFETCH(bool, big);
    const std::vector<std::byte> bytes = sample(big ? ByteOrder::Big : ByteOrder::Little).version(version).bytes();
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const Document document = examine(MemorySource(std::vector(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length))));
        // The last tensor has 32 bytes of data and 32 of padding: ggml minds even the padding.
        QVERIFY2(!document.verdicts().ggmlReads, qPrintable(QString::number(length)));
        QVERIFY(document.problemCount() > 0);
        if (QTest::currentTestFailed()) {
            qWarning("at length %zu", length);
            return;
        }
    }
    QCOMPARE(examine(MemorySource(bytes)).verdicts().specValid, version != 1);
}

void DamageTest::everyChangedByte()
{
    QFETCH(quint32, version);
    QFETCH(bool, big);
    GgufWriter writer = sample(big ? ByteOrder::Big : ByteOrder::Little).version(version);
    const std::vector<std::byte> bytes = writer.bytes();
    // The other layouts share all code but for the widths and the byte order of the first fields.
    const std::uint64_t end = version == 3 && !big ? writer.dataOffset() : 100;
    for (std::size_t i = 0; i < end; ++i) {
        std::vector<std::byte> changes{std::byte{0x00}, std::byte{0xFF}};
        for (unsigned bit = 0; bit < 8; ++bit)
            changes.push_back(bytes[i] ^ std::byte{static_cast<unsigned char>(1U << bit)});
        for (const std::byte change : changes) {
            std::vector<std::byte> damaged = bytes;
            damaged[i] = change;
            examine(MemorySource(std::move(damaged)));
            if (QTest::currentTestFailed()) {
                qWarning("with byte %zu changed to %02X", i, std::to_integer<unsigned>(change));
                return;
            }
        }
    }
}

void DamageTest::everyReadError()
{
    const std::vector<std::byte> bytes = sample(ByteOrder::Little).bytes();
    const std::size_t tablesEnd = sample(ByteOrder::Little).recordRange("output_norm.weight").end();
    for (std::size_t i = 0; i < tablesEnd; i += 3) {
        FakeSource source(bytes);
        source.failAt(i);
        const Document document = examine(source);
        QVERIFY2(document.problemTotal(Rule::ReadFailed) > 0, qPrintable(QString::number(i)));
        QVERIFY(document.status() == Status::Partial || document.status() == Status::Unreadable);
    }
}

void DamageTest::everyShrinking()
{
    const std::vector<std::byte> bytes = sample(ByteOrder::Little).bytes();
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        FakeSource source(bytes);
        source.shrinkTo(i);
        examine(source);
        source.heal().shortReads(1 + i);
        examine(source);
    }
}

QTEST_GUILESS_MAIN(DamageTest)
#include "tst_damage.moc"
