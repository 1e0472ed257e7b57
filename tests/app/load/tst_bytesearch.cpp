// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/bytesearch.h"

#include "load/rangesaver.h"
#include "support/fakesource.h"
#include "support/qt/await.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <cstring>

namespace {

constexpr std::uint64_t kPiece = 1024 * 1024; ///< what findPattern() reads at a time

std::vector<std::byte> bytesWith(std::uint64_t size, std::initializer_list<std::uint64_t> places, const char* text)
{
    std::vector<std::byte> bytes(size);
    for (const std::uint64_t place : places)
        std::memcpy(bytes.data() + place, text, std::strlen(text));
    return bytes;
}

/// Some bytes in the middle cannot be read.
class BadSource final : public gguf::ByteSource
{
public:
    BadSource(std::vector<std::byte> bytes, std::uint64_t from, std::uint64_t length)
        : m_inner(std::move(bytes))
        , m_from(from)
        , m_end(from + length)
    {
    }
    std::uint64_t size() const override { return m_inner.size(); }
    gguf::ReadResult read(std::uint64_t offset, std::span<std::byte> into) const override
    {
        if (offset >= m_end || offset + into.size() <= m_from)
            return m_inner.read(offset, into);
        const std::uint64_t before = offset < m_from ? m_from - offset : 0;
        gguf::ReadResult result = m_inner.read(offset, into.first(static_cast<std::size_t>(before)));
        result.error = {5, "bad sector"};
        return result;
    }

private:
    FakeSource m_inner;
    std::uint64_t m_from, m_end;
};

std::optional<std::size_t> find(const char* pattern, const char* text, bool last = false)
{
    return BytePattern::fromHex(pattern)->find(std::as_bytes(std::span(text, std::strlen(text))), last);
}

} // namespace

class TestByteSearch : public QObject
{
    Q_OBJECT
private slots:
    void patterns()
    {
        QVERIFY(!BytePattern::fromHex(""));
        QVERIFY(!BytePattern::fromHex("4"));
        QVERIFY(!BytePattern::fromHex("4G"));
        QVERIFY(!BytePattern::fromHex("?? ??"));
        QVERIFY(!BytePattern::fromHex("4?"));
        QCOMPARE(BytePattern::fromHex("4747 5546")->length(), std::size_t(4));
        QVERIFY(!BytePattern::fromBytes(""));
        QCOMPARE(find("62", "abcb"), std::optional<std::size_t>(1));
        QCOMPARE(find("62", "abcb", true), std::optional<std::size_t>(3));
        QCOMPARE(find("?? 63", "cabc"), std::optional<std::size_t>(2)); // not at 0: nothing before it
        QCOMPARE(find("61 ?? 63", "aaac"), std::optional<std::size_t>(1));
        QCOMPARE(find("63 ??", "abc"), std::optional<std::size_t>());
        QCOMPARE(find("61 ?? 62 63", "a_b_a_bc"), std::optional<std::size_t>(4));
    }

    void acrossPieces()
    {
        for (std::uint64_t at = kPiece - 7; at <= kPiece + 1; ++at) {
            const FakeSource source(bytesWith(3 * kPiece, {at}, "needle"));
            const BytePattern pattern = *BytePattern::fromBytes("needle");
            const auto go = [](std::uint64_t) { return true; };
            QCOMPARE(findPattern(source, pattern, 0, source.size(), true, go).offset, std::optional(at));
            QCOMPARE(findPattern(source, pattern, 0, source.size(), false, go).offset, std::optional(at));
            QVERIFY(!findPattern(source, pattern, 0, at, true, go).offset);
            QVERIFY(!findPattern(source, pattern, at + 1, source.size(), false, go).offset);
        }
    }

    void wrapsBothWays()
    {
        const auto source = std::make_shared<FakeSource>(bytesWith(5000, {100, 4000}, "needle"));
        const BytePattern pattern = *BytePattern::fromBytes("needle");
        ByteSearch search;
        QSignalSpy found(&search, &ByteSearch::found);
        const auto result = [&](quint64 from, bool forwards) {
            found.clear();
            search.start(source, pattern, from, forwards);
            [&] { AWAIT(!found.isEmpty()); }();
            return std::pair(found[0][0].toULongLong(), found[0][2].toBool());
        };
        QCOMPARE(result(0, true), std::pair(quint64(100), false));
        QCOMPARE(result(101, true), std::pair(quint64(4000), false));
        QCOMPARE(result(4001, true), std::pair(quint64(100), true));
        QCOMPARE(result(4000, false), std::pair(quint64(100), false));
        QCOMPARE(result(100, false), std::pair(quint64(4000), true));
        QVERIFY(!search.isRunning());
    }

    void endsInOneWayOnly()
    {
        ByteSearch search;
        QSignalSpy found(&search, &ByteSearch::found), notFound(&search, &ByteSearch::notFound),
            skipped(&search, &ByteSearch::skipped);
        const auto source = std::make_shared<FakeSource>(bytesWith(2 * kPiece, {}, ""));
        search.start(source, *BytePattern::fromBytes("x"), 0, true);
        AWAIT(notFound.count() == 1);
        QVERIFY(skipped.isEmpty());
        source->failAt(kPiece + 5);
        search.start(source, *BytePattern::fromBytes("x"), 0, true);
        AWAIT(notFound.count() == 2);
        QCOMPARE(skipped.count(), 1);
        QCOMPARE(skipped[0][0].toULongLong(), quint64(kPiece - 5));
        QCOMPARE(skipped[0][1].toULongLong(), quint64(kPiece + 5));
        QVERIFY(!skipped[0][2].toString().isEmpty());
        QVERIFY(found.isEmpty());
    }

    void goesOnBehindUnreadableBytes()
    {
        const std::uint64_t bad = kPiece + 3 * kSkip + 100; // up to the next multiple of kSkip
        const auto go = [](std::uint64_t) { return true; };
        const BytePattern pattern = *BytePattern::fromBytes("needle");
        const BadSource source(bytesWith(3 * kPiece, {bad - 6, bad + 10, kPiece + 4 * kSkip}, "needle"), bad, 50);
        // Up to the bad bytes, and behind them; the one among them is not seen.
        const FindResult first = findPattern(source, pattern, 0, source.size(), true, go);
        QCOMPARE(first.offset, std::optional(bad - 6));
        const FindResult second = findPattern(source, pattern, bad - 5, source.size(), true, go);
        QCOMPARE(second.offset, std::optional(kPiece + 4 * kSkip));
        QCOMPARE(second.firstSkipped, bad);
        QCOMPARE(second.skipped, kSkip - 100);
        QVERIFY(second.error);
        const FindResult back = findPattern(source, pattern, 0, kPiece + 4 * kSkip, false, go);
        QCOMPARE(back.offset, std::optional(bad - 6));
        QCOMPARE(back.skipped, kSkip - 100);
        // Each unreadable byte is counted once, though pieces overlap by the pattern's length.
        const BadSource atBorder(bytesWith(3 * kPiece, {}, ""), kPiece - 2, 4);
        for (const bool forwards : {true, false}) {
            const FindResult none = findPattern(atBorder, pattern, 0, source.size(), forwards, go);
            QVERIFY(!none.offset);
            QCOMPARE(none.skipped, 2 + kSkip);
        }
    }

    void cancelledAndReplacedSearchesAreSilent()
    {
        const auto stuck = std::make_shared<FakeSource>(bytesWith(5000, {100}, "needle"));
        const auto gate = std::make_shared<Gate>();
        stuck->blockAt(gate);
        ByteSearch search;
        QSignalSpy found(&search, &ByteSearch::found), notFound(&search, &ByteSearch::notFound);
        search.start(stuck, *BytePattern::fromBytes("needle"), 0, true);
        AWAIT(gate->waiting() == 1);
        const auto other = std::make_shared<FakeSource>(bytesWith(5000, {}, ""));
        search.start(other, *BytePattern::fromBytes("needle"), 0, true);
        gate->open();
        AWAIT(notFound.count() == 1);
        AWAIT(gate->waiting() == 0);
        runQueued();
        QVERIFY(found.isEmpty());
        gate->shut();
        search.start(stuck, *BytePattern::fromBytes("needle"), 0, true);
        AWAIT(gate->waiting() == 1);
        search.cancel();
        QVERIFY(!search.isRunning());
        gate->open();
        AWAIT(gate->waiting() == 0);
        runQueued();
        QVERIFY(found.isEmpty());
    }

    void savesARange()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("out.bin"));
        const auto source = std::make_shared<FakeSource>(bytesWith(3 * kPiece, {kPiece - 2}, "needle"));
        RangeSaver saver;
        QSignalSpy saved(&saver, &RangeSaver::saved), failed(&saver, &RangeSaver::failed);
        saver.save(source, {kPiece - 2, kPiece + 100}, path, {});
        AWAIT(saved.count() + failed.count() == 1);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.size(), qint64(kPiece + 100));
        QCOMPARE(file.read(6), QByteArray("needle"));
    }

    void neverWritesToTheShownFile()
    {
        QTemporaryDir folder;
        const QString shown = folder.filePath(QStringLiteral("model.gguf"));
        const QString link = folder.filePath(QStringLiteral("link.bin"));
        QFile file(shown);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("precious");
        file.close();
        QVERIFY(QFile::link(shown, link));
        RangeSaver saver;
        QSignalSpy failed(&saver, &RangeSaver::failed);
        const auto source = std::make_shared<FakeSource>(bytesWith(100, {}, ""));
        saver.save(source, {0, 10}, shown, shown);
        AWAIT(failed.count() == 1);
        saver.save(source, {0, 10}, link, shown);
        AWAIT(failed.count() == 2);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("precious"));
    }

    void failedSaveLeavesNothing()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("out.bin"));
        const auto source = std::make_shared<FakeSource>(bytesWith(3 * kPiece, {}, ""));
        source->failAt(2 * kPiece);
        RangeSaver saver;
        QSignalSpy failed(&saver, &RangeSaver::failed);
        saver.save(source, {0, 3 * kPiece}, path, {});
        AWAIT(failed.count() == 1);
        QVERIFY(QDir(folder.path()).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestByteSearch)
#include "tst_bytesearch.moc"
