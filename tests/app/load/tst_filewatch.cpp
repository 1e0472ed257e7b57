// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/documentloader.h"
#include "load/filewatch.h"
#include "load/workers.h"

#include "support/ggufwriter.h"
#include "support/nothreads.h"
#include "support/qt/await.h"

#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <memory>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using State = DocumentLoader::State;

namespace {

GgufWriter model(int tensors)
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama");
    for (int i = 0; i < tensors; ++i)
        writer.tensor("blk." + std::to_string(i) + ".w", kF32, {8});
    return writer;
}

} // namespace

/// The file is changed while it is open.
class TestFileWatch : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void stamps();
    void shrinks();
    void growsAndIsFollowed();
    void isReplaced();
    void isDeletedAndComesBack();
    void isRewritten();
    void reloadStartsAfresh();
    void anotherFileEndsFollowing();
    void nobodyLooksEndsFollowing();
    void sourcesAreNotWatched();

private:
    /// Looks until the change is seen.
    bool sees(FileChange change)
    {
        return QTest::qWaitFor(
            [&] {
                m_watch->check();
                return m_watch->change() == change;
            },
            60000);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    std::unique_ptr<DocumentLoader> m_loader;
    std::unique_ptr<FileWatch> m_watch;
};

void TestFileWatch::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(u"model.gguf"_s);
    model(3).write(m_path.toStdString());
    m_loader = std::make_unique<DocumentLoader>();
    m_watch = std::make_unique<FileWatch>(*m_loader, nullptr, 1h); // looks only when asked
    m_loader->open(m_path);
    AWAIT_COMPARE(m_loader->state(), State::Loaded);
    QCOMPARE(m_watch->change(), FileChange::None);
    QVERIFY(m_watch->message().isEmpty());
}

void TestFileWatch::cleanup()
{
    m_watch.reset();
    m_loader.reset();
    QVERIFY(Workers::waitForAll(60s)); // the watcher's thread ends with it
}

void TestFileWatch::stamps()
{
    const FileStamp file{true, 1, 2, 100, 5};
    FileStamp now = file;
    QCOMPARE(fileChange(file, now), FileChange::None);
    now.modified = 6;
    QCOMPARE(fileChange(file, now), FileChange::Rewritten);
    now.size = 101;
    QCOMPARE(fileChange(file, now), FileChange::Grown);
    now.size = 99;
    QCOMPARE(fileChange(file, now), FileChange::Shrunk);
    now.inode = 3;
    QCOMPARE(fileChange(file, now), FileChange::Replaced);
    QCOMPARE(fileChange(file, {}), FileChange::Deleted);
    QCOMPARE(fileChange({}, {}), FileChange::None);
}

void TestFileWatch::shrinks()
{
    QVERIFY(QFile::resize(m_path, 100));
    QVERIFY(sees(FileChange::Shrunk));
    QVERIFY(m_watch->message().contains(u"shorter"_s));
    QCOMPARE(m_loader->state(), State::Loaded); // what was read stays
    QCOMPARE(m_loader->document().tensorCount(), std::size_t{3});
    std::byte byte{};
    QCOMPARE(m_loader->source()->read(120, {&byte, 1}).bytes, std::size_t{0});
}

void TestFileWatch::growsAndIsFollowed()
{
    const quint64 generation = m_loader->generation();
    const auto grow = [this] {
        QFile file(m_path);
        return file.open(QIODevice::Append) && file.write(QByteArray(1000, 'x')) == 1000;
    };
    QVERIFY(grow());
    QVERIFY(sees(FileChange::Grown));
    QVERIFY(m_watch->message().contains(u"1000 bytes"_s));
    QCOMPARE(m_loader->generation(), generation); // not without being asked
    m_watch->setFollowing(true);
    QCOMPARE(m_loader->generation(), generation + 1);
    AWAIT_COMPARE(m_loader->state(), State::Loaded);
    QVERIFY(m_watch->isFollowing());
    QCOMPARE(m_watch->change(), FileChange::None);
    QVERIFY(grow());
    AWAIT((m_watch->check(), m_loader->generation() == generation + 2));
    AWAIT_COMPARE(m_loader->state(), State::Loaded);
    QCOMPARE(m_loader->source()->size(), static_cast<std::uint64_t>(QFile(m_path).size()));
}

void TestFileWatch::isReplaced()
{
    const QString other = m_folder->filePath(u"other.gguf"_s);
    model(5).write(other.toStdString());
    std::filesystem::rename(other.toStdString(), m_path.toStdString());
    QVERIFY(sees(FileChange::Replaced));
    QVERIFY(!m_watch->message().isEmpty());
    QCOMPARE(m_loader->document().tensorCount(), std::size_t{3});
    m_loader->reload();
    AWAIT_COMPARE(m_loader->state(), State::Loaded);
    QCOMPARE(m_loader->document().tensorCount(), std::size_t{5});
    QCOMPARE(m_watch->change(), FileChange::None);
}

void TestFileWatch::isDeletedAndComesBack()
{
    const QString away = m_folder->filePath(u"away.gguf"_s);
    QVERIFY(QFile::rename(m_path, away));
    QVERIFY(sees(FileChange::Deleted));
    QVERIFY(QFile::rename(away, m_path));
    QVERIFY(sees(FileChange::None)); // the very same file again
    QVERIFY(QFile::remove(m_path));
    QVERIFY(sees(FileChange::Deleted));
    m_loader->reload();
    AWAIT_COMPARE(m_loader->state(), State::Failed);
    QCOMPARE(m_watch->change(), FileChange::None);
}

void TestFileWatch::isRewritten()
{
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.setFileTime(QDateTime::currentDateTime().addDays(-3), QFileDevice::FileModificationTime));
    file.close();
    QVERIFY(sees(FileChange::Rewritten));
}

void TestFileWatch::reloadStartsAfresh()
{
    QVERIFY(QFile::resize(m_path, 100));
    QVERIFY(sees(FileChange::Shrunk));
    m_loader->reload();
    QCOMPARE(m_watch->change(), FileChange::None);
    AWAIT_COMPARE(m_loader->state(), State::Loaded);
    m_watch->check();
    runQueued();
    QCOMPARE(m_watch->change(), FileChange::None);
    QVERIFY(m_loader->document().status() != gguf::Status::Ok);
}

void TestFileWatch::anotherFileEndsFollowing()
{
    m_watch->setFollowing(true);
    m_loader->reload();
    QVERIFY(m_watch->isFollowing());
    AWAIT_COMPARE(m_loader->state(), State::Loaded);
    m_loader->open(m_folder->filePath(u"another.gguf"_s));
    QVERIFY(!m_watch->isFollowing());
    AWAIT_COMPARE(m_loader->state(), State::Failed);
}

void TestFileWatch::nobodyLooksEndsFollowing()
{
#ifdef GGUF_HAS_NO_THREADS
    m_watch->setFollowing(true);
    m_loader->reload();
    QSignalSpy changed(m_watch.get(), &FileWatch::changed);
    {
        const NoThreads none; // for the watch; the load has its thread
        AWAIT_COMPARE(m_loader->state(), State::Loaded);
        AWAIT(!m_watch->isFollowing());
    }
    QVERIFY(changed.count() > 0);
    QCOMPARE(m_watch->change(), FileChange::None);
#else
    QSKIP("Threads cannot be forbidden here.");
#endif
}

void TestFileWatch::sourcesAreNotWatched()
{
    m_loader->open(model(1).source(), u"memory"_s);
    AWAIT_COMPARE(m_loader->state(), State::Loaded);
    m_watch->check();
    QVERIFY(Workers::waitForAll(60s)); // no thread is left
}

QTEST_GUILESS_MAIN(TestFileWatch)
#include "tst_filewatch.moc"
