// SPDX-License-Identifier: GPL-3.0-or-later
// Files on a network mount or a sleeping disk, through the real window.
#include "panes/hexpane.h"
#include "support/fakesource.h"
#include "support/qt/windowjourney.h"
#include "widgets/hexview.h"

#include <QAbstractButton>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

/// Counts the reads that the GUI thread does: there should be none.
class WatchedSource final : public gguf::ByteSource
{
public:
    explicit WatchedSource(std::shared_ptr<const gguf::ByteSource> inner)
        : m_inner(std::move(inner))
    {
    }
    std::uint64_t size() const override { return m_inner->size(); }
    gguf::ReadResult read(std::uint64_t offset, std::span<std::byte> into) const override
    {
        if (QThread::currentThread() == QCoreApplication::instance()->thread())
            ++m_guiReads;
        return m_inner->read(offset, into);
    }
    int guiReads() const { return m_guiReads; }

private:
    std::shared_ptr<const gguf::ByteSource> m_inner;
    mutable std::atomic<int> m_guiReads = 0;
};

/// 13 MB of metadata, and 40 tensors of 64 KiB.
GgufWriter largeModel()
{
    GgufWriter writer;
    writer.kv("general.architecture", std::string("llama"));
    writer.kv("test.first", std::vector<std::uint32_t>(2'000'000, 7));
    writer.kv("test.second", std::vector<std::string>(250'000, "a text of 20 letters"));
    for (int i = 0; i < 40; ++i)
        writer.tensor("blk." + std::to_string(i) + ".attn_q.weight", kF32, {128, 128});
    return writer;
}

} // namespace

class TestSlowStorage : public QObject, private WindowJourney
{
    Q_OBJECT
private slots:
    void initTestCase() { m_bytes = largeModel().bytes(); }
    void init()
    {
        begin();
        m_slow = std::make_shared<FakeSource>(m_bytes);
        m_watched = std::make_shared<WatchedSource>(m_slow);
    }
    void cleanup()
    {
        m_gate->open();
        end();
        QCOMPARE(m_watched->guiReads(), 0);
    }
    void fewReadsOpenAFile();
    void whatIsReadShowsAndCancelWorksAtOnce();
    void bytesComeWhenTheyCome();
    void aWindowClosesOverADeadDisk();

private:
    std::vector<std::byte> m_bytes;
    std::shared_ptr<FakeSource> m_slow;
    std::shared_ptr<WatchedSource> m_watched;
    std::shared_ptr<Gate> m_gate = std::make_shared<Gate>();
};

void TestSlowStorage::fewReadsOpenAFile()
{
    m_slow->delay(30ms);
    MainWindow& window = openWindow();
    std::uint64_t reads = 0;
    connect(&window.loader(), &DocumentLoader::stateChanged, this, [&] { reads = m_slow->reads(); });
    window.loader().open(m_watched, u"slow.gguf"_s);
    AWAIT(window.loader().state() == DocumentLoader::State::Loaded);
    const std::uint64_t metadata = window.loader().document().tablesEnd();
    QVERIFY(metadata > 13'000'000);
    QVERIFY2(reads <= 8 + metadata / (4 << 20), qPrintable(QString::number(reads)));
    QCOMPARE(tensorView(window).model()->rowCount(), 40);
    finishLoading(window);
}

void TestSlowStorage::whatIsReadShowsAndCancelWorksAtOnce()
{
    m_gate->shut();
    m_slow->blockAt(m_gate, 10'000'000);
    MainWindow& window = openWindow();
    window.loader().open(m_watched, u"slow.gguf"_s);
    AWAIT(m_gate->waiting() == 1);

    // What has come so far is there, and the window lives.
    auto* tree = window.findChild<QTreeView*>(u"metadataView"_s);
    AWAIT(tree->model()->rowCount() > 0);
    auto* progress = window.findChild<QWidget*>(u"loadProgress"_s);
    AWAIT(progress->isVisible());
    AWAIT_COMPARE(page(window), u"documentView"_s);
    QTest::keyClicks(window.findChild<QLineEdit*>(u"tensorFilter"_s), u"blk"_s);
    QCOMPARE(window.findChild<QLineEdit*>(u"tensorFilter"_s)->text(), u"blk"_s);
    QCOMPARE(window.loader().state(), DocumentLoader::State::Loading);

    // The read still hangs: nobody waits for it.
    QTest::mouseClick(window.findChild<QAbstractButton*>(u"cancelLoad"_s), Qt::LeftButton);
    QCOMPARE(window.loader().state(), DocumentLoader::State::Cancelled);
    QVERIFY(!progress->isVisible());
    QCOMPARE(page(window), u"documentView"_s);
    QVERIFY(tree->model()->rowCount() > 0);
    QCOMPARE(m_gate->waiting(), 1);
}

void TestSlowStorage::bytesComeWhenTheyCome()
{
    MainWindow& window = openWindow();
    window.loader().open(m_watched, u"slow.gguf"_s);
    finishLoading(window);
    HexPane& hex = window.view().hex();
    const quint64 offset = *window.loader().document().tensor(39).fileOffset;
    m_gate->shut();
    m_slow->blockAt(m_gate);

    QTest::mouseClick(tensorView(window).viewport(), Qt::LeftButton, {},
        [&] {
            const QModelIndex last = tensorView(window).model()->index(39, TensorModel::NameColumn);
            tensorView(window).scrollTo(last);
            return tensorView(window).visualRect(last).center();
        }());
    QCOMPARE(hex.view()->focusOffset(), offset);
    const QImage placeholders = hex.view()->viewport()->grab().toImage();
    AWAIT(m_gate->waiting() == 1);
    QCOMPARE(hex.cache().state(offset), BlockCache::State::Wanted);

    m_gate->open();
    AWAIT(hex.cache().state(offset) == BlockCache::State::Present);
    AWAIT(hex.view()->viewport()->grab().toImage() != placeholders);
}

void TestSlowStorage::aWindowClosesOverADeadDisk()
{
    m_gate->shut();
    m_slow->blockAt(m_gate);
    QPointer<MainWindow> window = &openWindow();
    window->loader().open(m_watched, u"dead.gguf"_s);
    AWAIT(m_gate->waiting() == 1);
    window->close();
    runQueued();
    QVERIFY(!window);
    QCOMPARE(m_gate->waiting(), 1);
}

QTEST_MAIN(TestSlowStorage)
#include "tst_slowstorage.moc"
