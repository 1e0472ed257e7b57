// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/documentloader.h"
#include "load/workers.h"

#include "support/fakesource.h"
#include "support/ggufwriter.h"
#include "support/qt/await.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#ifndef _WIN32
#include <sys/stat.h>
#include <unistd.h>
#endif

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using State = DocumentLoader::State;

namespace {

GgufWriter model(const std::string& architecture, int tensors = 3)
{
    GgufWriter writer;
    writer.kv("general.architecture", architecture);
    for (int i = 0; i < tensors; ++i)
        writer.tensor("blk." + std::to_string(i) + ".w", kF32, {8});
    return writer;
}

std::shared_ptr<FakeSource> blockedSource(const std::string& architecture, const std::shared_ptr<Gate>& gate)
{
    auto source = std::make_shared<FakeSource>(model(architecture).bytes());
    source->blockAt(gate);
    return source;
}

} // namespace

class TestDocumentLoader : public QObject
{
    Q_OBJECT
private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void cleanup() { QVERIFY(Workers::waitForAll(60s)); }
    void opensAFile();
    void opensASource();
    void growsWhileLoading();
    void cannotOpen_data();
    void cannotOpen();
    void staleNewsAreDropped();
    void staleWakeUpsAreDropped();
    void fiftyOpensInOneEvent();
    void diesWhileBlocked();
    void cancelThenReopen();
    void cancelKeepsWhatWasRead();
    void failsAtByte();
    void openFromASignal();
    void deletedFromASignal();
};

void TestDocumentLoader::opensAFile()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"tiny model.gguf"_s);
    model("llama").write(path.toStdString());
    DocumentLoader loader;
    QSignalSpy started(&loader, &DocumentLoader::started);
    QSignalSpy changes(&loader, &DocumentLoader::stateChanged);
    QSignalSpy inspected(&loader, &DocumentLoader::inspected);
    QCOMPARE(loader.state(), State::Idle);
    loader.open(path);
    QCOMPARE(loader.state(), State::Loading);
    QCOMPARE(started.size(), 1);
    AWAIT_COMPARE(inspected.size(), 1);
    QCOMPARE(changes.size(), 1);
    QCOMPARE(loader.state(), State::Loaded);
    QVERIFY(!loader.isInspecting());
    QCOMPARE(loader.name(), u"tiny model.gguf"_s);
    QCOMPARE(loader.document().status(), gguf::Status::Ok);
    QCOMPARE(loader.document().tensorCount(), std::size_t{3});
    QCOMPARE(loader.source()->size(), static_cast<std::uint64_t>(QFile(path).size()));
    QCOMPARE(loader.stamp().size, loader.source()->size());
    QVERIFY(loader.bytesRead() > 0);

    loader.reload();
    QCOMPARE(loader.document().tensorCount(), std::size_t{0});
    AWAIT_COMPARE(loader.state(), State::Loaded);
    QCOMPARE(loader.document().tensorCount(), std::size_t{3});
}

void TestDocumentLoader::opensASource()
{
    DocumentLoader loader;
    loader.open(model("llama").source(), u"sample"_s);
    AWAIT_COMPARE(loader.state(), State::Loaded);
    QCOMPARE(loader.name(), u"sample"_s);
    QVERIFY(loader.path().isEmpty() && !loader.stamp().exists);
    loader.reload();
    AWAIT_COMPARE(loader.state(), State::Loaded);
    QCOMPARE(loader.generation(), quint64{2});
}

void TestDocumentLoader::growsWhileLoading()
{
    auto gate = std::make_shared<Gate>();
    auto source = std::make_shared<FakeSource>(model("llama", 60'000).bytes());
    source->blockAt(gate, 2'500'000); // the table is longer
    DocumentLoader loader;
    std::size_t tensors = 0;
    connect(&loader, &DocumentLoader::documentChanged, this, [&] {
        QVERIFY(loader.document().tensorCount() >= tensors);
        tensors = loader.document().tensorCount();
    });
    loader.open(source, u"large"_s);
    gate->awaitWaiting();
    AWAIT(tensors > 0);
    QCOMPARE(loader.state(), State::Loading);
    QVERIFY(tensors < 60'000);
    QVERIFY(!loader.document().isFinished());
    gate->open();
    AWAIT_COMPARE(loader.state(), State::Loaded);
    QCOMPARE(tensors, std::size_t{60'000});
}

void TestDocumentLoader::cannotOpen_data()
{
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"missing", "no permission", "folder", "pipe", "device", "dangling link"})
        QTest::newRow(kind) << QString::fromLatin1(kind);
}

void TestDocumentLoader::cannotOpen()
{
#ifdef _WIN32
    QSKIP("POSIX files");
#else
    QFETCH(QString, kind);
    QTemporaryDir folder;
    QString path = folder.filePath(u"model.gguf"_s);
    if (kind == u"no permission"_s) {
        if (::geteuid() == 0)
            QSKIP("root may read everything");
        model("x").write(path.toStdString());
        QVERIFY(QFile::setPermissions(path, {}));
    } else if (kind == u"folder"_s) {
        path = folder.path();
    } else if (kind == u"pipe"_s) {
        QCOMPARE(::mkfifo(QFile::encodeName(path).constData(), 0600), 0);
    } else if (kind == u"device"_s) {
        path = u"/dev/zero"_s;
    } else if (kind == u"dangling link"_s) {
        QVERIFY(QFile::link(folder.filePath(u"nothing"_s), path));
    }
    DocumentLoader loader;
    QSignalSpy changes(&loader, &DocumentLoader::stateChanged);
    loader.open(path);
    AWAIT_COMPARE(loader.state(), State::Failed);
    QCOMPARE(changes.size(), 1);
    QVERIFY2(loader.error().size() > 10 && loader.error().endsWith(u'.'), qPrintable(loader.error()));
    QVERIFY(!loader.isInspecting());
    QCOMPARE(loader.isFolder(), kind == u"folder"_s);
    QCOMPARE(loader.linkTarget(), kind == u"dangling link"_s ? folder.filePath(u"nothing"_s) : QString());

    // The window stays usable.
    loader.open(model("llama").source(), u"good"_s);
    AWAIT_COMPARE(loader.state(), State::Loaded);
    QVERIFY(loader.error().isEmpty());
#endif
}

void TestDocumentLoader::staleNewsAreDropped()
{
    auto gate = std::make_shared<Gate>();
    DocumentLoader loader;
    QStringList seen;
    connect(&loader, &DocumentLoader::documentChanged, this, [&] {
        const std::string_view architecture = loader.document().architecture();
        seen.append(QString::fromUtf8(architecture.data(), static_cast<qsizetype>(architecture.size())));
    });
    loader.open(blockedSource("aaa", gate), u"A"_s);
    gate->awaitWaiting();
    loader.open(model("bbb").source(), u"B"_s);
    const quint64 before = loader.droppedMessages();
    gate->open(); // A's worker goes on and posts its rows
    QVERIFY(Workers::waitForAll(60s));
    AWAIT_COMPARE(loader.state(), State::Loaded);
    runQueued();
    QVERIFY(loader.droppedMessages() > before);
    QVERIFY(!seen.isEmpty() && !seen.contains(u"aaa"_s));
    QCOMPARE(loader.name(), u"B"_s);
    QCOMPARE(loader.document().architecture(), std::string_view("bbb"));
}

void TestDocumentLoader::staleWakeUpsAreDropped()
{
    DocumentLoader loader;
    loader.open(model("aaa").source(), u"A"_s);
    QVERIFY(Workers::waitForAll(60s)); // A's wake-up lies in the event queue, its worker is gone
    auto gate = std::make_shared<Gate>();
    loader.open(blockedSource("bbb", gate), u"B"_s);
    QCOMPARE(loader.droppedMessages(), quint64{0});
    runQueued();
    QCOMPARE(loader.droppedMessages(), quint64{1});
    QCOMPARE(loader.document().metadataCount(), std::size_t{0});
    QCOMPARE(loader.state(), State::Loading);
    gate->open();
    AWAIT_COMPARE(loader.state(), State::Loaded);
    QCOMPARE(loader.document().architecture(), std::string_view("bbb"));
}

void TestDocumentLoader::fiftyOpensInOneEvent()
{
    DocumentLoader loader;
    QSignalSpy changes(&loader, &DocumentLoader::stateChanged);
    for (int i = 0; i < 50; ++i)
        loader.open(model("arch" + std::to_string(i)).source(), u"model"_s);
    AWAIT_COMPARE(loader.state(), State::Loaded);
    QVERIFY(Workers::waitForAll(60s));
    runQueued();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(loader.document().architecture(), std::string_view("arch49"));
    QCOMPARE(loader.generation(), quint64{50});
}

void TestDocumentLoader::diesWhileBlocked()
{
    auto gate = std::make_shared<Gate>();
    auto loader = std::make_unique<DocumentLoader>();
    loader->open(blockedSource("x", gate), u"x"_s);
    gate->awaitWaiting();
    loader.reset(); // does not wait
    QVERIFY(!Workers::waitForAll(0ms));
    gate->open();
    QVERIFY(Workers::waitForAll(60s));
    runQueued();
}

void TestDocumentLoader::cancelThenReopen()
{
    auto gate = std::make_shared<Gate>();
    const auto source = blockedSource("x", gate);
    DocumentLoader loader;
    QSignalSpy changes(&loader, &DocumentLoader::stateChanged);
    loader.open(source, u"x"_s);
    gate->awaitWaiting();
    loader.cancel();
    QCOMPARE(loader.state(), State::Cancelled);
    QCOMPARE(changes.size(), 1);
    loader.cancel(); // nothing is left to cancel
    QCOMPARE(changes.size(), 1);
    loader.reload();
    QCOMPARE(loader.state(), State::Loading);
    gate->awaitWaiting(2);
    gate->open();
    AWAIT_COMPARE(loader.state(), State::Loaded);
    QVERIFY(Workers::waitForAll(60s));
    runQueued();
    QCOMPARE(changes.size(), 2);
    QCOMPARE(loader.document().tensorCount(), std::size_t{3});
}

void TestDocumentLoader::cancelKeepsWhatWasRead()
{
    auto gate = std::make_shared<Gate>();
    auto source = std::make_shared<FakeSource>(model("llama", 60'000).bytes());
    source->blockAt(gate, 2'500'000);
    DocumentLoader loader;
    loader.open(source, u"large"_s);
    gate->awaitWaiting();
    AWAIT(loader.document().tensorCount() > 0);
    const std::size_t tensors = loader.document().tensorCount();
    loader.cancel();
    gate->open();
    QVERIFY(Workers::waitForAll(60s));
    runQueued();
    QCOMPARE(loader.state(), State::Cancelled);
    QCOMPARE(loader.document().tensorCount(), tensors);
}

void TestDocumentLoader::failsAtByte()
{
    auto source = std::make_shared<FakeSource>(model("llama", 1000).bytes());
    source->failAt(20'000);
    DocumentLoader loader;
    loader.open(source, u"bad disk"_s);
    AWAIT_COMPARE(loader.state(), State::Loaded);
    QVERIFY(loader.document().status() != gguf::Status::Ok);
    QVERIFY(loader.document().problemCount() > 0);

    auto dead = std::make_shared<FakeSource>(model("llama").bytes());
    dead->failAt(0);
    loader.open(dead, u"dead disk"_s);
    AWAIT_COMPARE(loader.state(), State::Failed);
    QVERIFY(!loader.error().isEmpty());
}

void TestDocumentLoader::openFromASignal()
{
    DocumentLoader loader;
    bool reopened = false;
    QSignalSpy changes(&loader, &DocumentLoader::stateChanged);
    connect(&loader, &DocumentLoader::documentChanged, this, [&] {
        if (!std::exchange(reopened, true))
            loader.open(model("bbb").source(), u"B"_s);
    });
    loader.open(model("aaa").source(), u"A"_s);
    AWAIT_COMPARE(loader.state(), State::Loaded);
    runQueued();
    QCOMPARE(loader.document().architecture(), std::string_view("bbb"));
    QCOMPARE(changes.size(), 1);
}

void TestDocumentLoader::deletedFromASignal()
{
    auto* loader = new DocumentLoader;
    bool gone = false;
    connect(loader, &QObject::destroyed, this, [&] { gone = true; });
    connect(loader, &DocumentLoader::documentChanged, this, [&] { delete std::exchange(loader, nullptr); });
    loader->open(model("aaa").source(), u"A"_s);
    AWAIT(gone);
    runQueued();
}

QTEST_GUILESS_MAIN(TestDocumentLoader)
#include "tst_documentloader.moc"
