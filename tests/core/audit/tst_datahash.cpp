// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/datahash.h"
#include "parse/parser.h"
#include "support/fakesource.h"
#include "support/ggufwriter.h"

#include <QtTest>

#include <algorithm>
#include <atomic>
#include <new>
#include <thread>

using namespace gguf;

namespace {

/// No SHA-256, but it depends on all bytes and their order.
class FakeDigest final : public Digest
{
public:
    void add(std::span<const std::byte> bytes) override
    {
        for (const std::byte byte : bytes)
            m_state = m_state * 31 + std::to_integer<std::uint64_t>(byte);
    }
    Sha256 result() override
    {
        Sha256 hash{};
        std::memcpy(hash.data(), &m_state, sizeof m_state);
        return hash;
    }

private:
    std::uint64_t m_state = 1;
};

HashOptions fakeOptions()
{
    HashOptions options;
    options.wholeFile = true;
    options.makeDigest = [] { return std::make_unique<FakeDigest>(); };
    return options;
}

Sha256 hashOf(std::span<const std::byte> bytes)
{
    FakeDigest digest;
    digest.add(bytes);
    return digest.result();
}

const char* const kHash = "3b1e0d86ad5a3a1d2d6c0d7b3c6d4e5f00112233445566778899aabbccddeeff";

} // namespace

class DataHashTest : public QObject
{
    Q_OBJECT
private slots:
    void tensorsAndFile();
    void missingBytesHaveNoHash();
    void stop();
    void oneThreadFails();
    void textOfAHash();
    void findsTheOneHash();
};

void DataHashTest::tensorsAndFile()
{
    GgufWriter writer;
    writer.tensor("a", 0, {100}).tensor("b", 8, {32, 50'000}).tensor("c", 0, {0});
    const auto bytes = writer.bytes();
    const auto source = writer.source();
    const Document document = parse(*source);
    const std::size_t tensors[] = {1, 0, 2};
    std::uint64_t done = 0, total = 0;
    int finished = 0;
    HashOptions options = fakeOptions();
    options.progress = [&](std::uint64_t d, std::uint64_t t) { done = d, total = t; };
    options.finished = [&](const DataHash&) { ++finished; };
    const auto hashes = hashData(document, *source, tensors, options);
    QCOMPARE(hashes.size(), std::size_t{4});
    QVERIFY(!hashes[0].tensor);
    QCOMPARE(hashes[0].bytes, std::uint64_t{bytes.size()});
    QVERIFY(hashes[0].sha256 == hashOf(bytes));
    const auto data = writer.dataRange("b");
    QCOMPARE(hashes[1].tensor, std::optional<std::size_t>(1));
    QVERIFY(hashes[1].sha256 == hashOf(std::span(bytes).subspan(data.offset, data.length)));
    QVERIFY(hashes[3].sha256 == hashOf({})); // no elements: the hash of nothing
    QCOMPARE(finished, 4);
    QCOMPARE(done, total);
    QCOMPARE(done, bytes.size() + 400 + 34 * 50'000);
}

void DataHashTest::missingBytesHaveNoHash()
{
    GgufWriter writer;
    writer.tensor("a", 0, {1'000'000}).tensor("b", 0, {100}).tensor("x", 5000, {1});
    const auto source = std::make_shared<FakeSource>(writer.source());
    const Document document = parse(*source);
    source->failAt(writer.dataRange("a").offset + 3'000'000);
    const std::size_t tensors[] = {0, 1, 2};
    const auto hashes = hashData(document, *source, tensors, fakeOptions());
    QVERIFY(!hashes[0].sha256 && hashes[0].error);
    QVERIFY(!hashes[1].sha256 && hashes[1].error);
    QVERIFY(!hashes[2].sha256 && hashes[2].error);
    QVERIFY(!hashes[3].sha256 && !hashes[3].error); // of unknown size
    source->heal().shrinkTo(writer.dataRange("a").end());
    const auto cut = hashData(document, *source, tensors, fakeOptions());
    QVERIFY(!cut[0].sha256 && !cut[0].error);
    QVERIFY(cut[1].sha256);
    QVERIFY(!cut[2].sha256);
}

void DataHashTest::stop()
{
    const auto source = GgufWriter().tensor("a", 0, {5'000'000}).source();
    std::stop_source stop;
    HashOptions options = fakeOptions();
    options.stop = stop.get_token();
    options.progress = [&](std::uint64_t, std::uint64_t) { stop.request_stop(); };
    options.finished = [](const DataHash&) { QFAIL("Nothing can have been finished."); };
    const std::size_t tensors[] = {0};
    for (const DataHash& hash : hashData(parse(*source), *source, tensors, options))
        QVERIFY(!hash.sha256);
}

void DataHashTest::oneThreadFails()
{
    /// The whole file is read without end, practically, and a tensor not at all.
    class Source final : public ByteSource
    {
    public:
        std::uint64_t size() const override { return std::uint64_t{1} << 62; }
        ReadResult read(std::uint64_t, std::span<std::byte> into) const override
        {
            if (into.size() < 1000) {
                m_thrown = true;
                throw std::bad_alloc();
            }
            std::this_thread::yield();
            if (m_thrown && ++m_more > 5'000'000)
                return {0, IoError{-1, "the other thread went on"}};
            return {into.size(), {}};
        }
        bool wentOn() const { return m_more > 5'000'000; }

    private:
        mutable std::atomic<bool> m_thrown = false;
        mutable std::atomic<int> m_more = 0;
    };
    /// Does nothing, quickly.
    class NoDigest final : public Digest
    {
    public:
        void add(std::span<const std::byte>) override {}
        Sha256 result() override { return {}; }
    };
    const Document document = parse(*GgufWriter().tensor("a", 0, {100}).source());
    const Source source;
    HashOptions options = fakeOptions();
    options.makeDigest = [] { return std::make_unique<NoDigest>(); };
    const std::size_t tensors[] = {0};
    QVERIFY_EXCEPTION_THROWN(hashData(document, source, tensors, options), std::bad_alloc);
    QVERIFY(!source.wentOn());
}

void DataHashTest::textOfAHash()
{
    const auto hash = findSha256(kHash);
    QVERIFY(hash);
    QCOMPARE(sha256Text(*hash), std::string(kHash));
}

void DataHashTest::findsTheOneHash()
{
    const std::string hash = kHash;
    std::string upper = hash;
    std::transform(
        upper.begin(), upper.end(), upper.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
    std::string other = hash;
    other[0] = 'f';
    const auto expected = findSha256(hash);
    const std::string pointer
        = "version https://git-lfs.github.com/spec/v1\noid sha256:" + hash + "\nsize 123\n";
    for (const std::string& text : {hash, upper, "  " + hash + "\n", hash + "  model.gguf\n", pointer,
             "/cache/blobs/" + hash, hash + ".gguf", "SHA256 (m.gguf) = " + hash, hash + " " + upper})
        QVERIFY2(findSha256(text) == expected, text.c_str());
    for (const std::string& text : {std::string(), hash.substr(1), hash + "0", "x" + hash, hash + " " + other,
             std::string("sha256:"), std::string(64, 'g')})
        QVERIFY2(!findSha256(text), text.c_str());
}

QTEST_APPLESS_MAIN(DataHashTest)
#include "tst_datahash.moc"
