// SPDX-License-Identifier: GPL-3.0-or-later
// What cannot be written to its end is an error, and leaves the file that was there.
#include "load/filewriter.h"
#include "load/rangesaver.h"
#include "support/ggufwriter.h"
#include "support/qt/await.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#ifdef Q_OS_UNIX
#include <csignal>
#include <sys/resource.h>
#endif

using namespace Qt::StringLiterals;

#ifdef Q_OS_UNIX
namespace {

/// While it lives no file takes another byte.
class FullDisk
{
public:
    FullDisk()
    {
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit none{0, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &none);
    }
    ~FullDisk() { setrlimit(RLIMIT_FSIZE, &m_before); }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit m_before{};
    void (*m_ignored)(int) = std::signal(SIGXFSZ, SIG_IGN); ///< what a write beyond the limit sends
};

} // namespace
#endif

class FullDiskTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void initTestCase()
    {
#ifndef Q_OS_UNIX
        QSKIP("No limit for the size of files.");
#endif
    }

#ifdef Q_OS_UNIX
    void goodFilesStay_data()
    {
        QTest::addColumn<qsizetype>("size");
        QTest::newRow("in the buffer until the end") << qsizetype{100};
        QTest::newRow("larger than any buffer") << qsizetype{3'000'000};
    }
    void goodFilesStay()
    {
        QFETCH(qsizetype, size);
        const QString path = m_folder.filePath(u"good.txt"_s);
        QFile good(path);
        QVERIFY(good.open(QIODevice::WriteOnly) && good.write("precious") == 8);
        good.close();

        QStringList errors;
        {
            const FullDisk full;
            QObject owner;
            FileWriter::start(
                owner, path, {}, [size](QIODevice& file, const auto&) { file.write(QByteArray(size, 'x')); },
                [&errors](const QString& error) { errors += error; });
            AWAIT(errors.size() == 1);

            RangeSaver saver;
            connect(&saver, &RangeSaver::failed, this, [&errors](const QString&, const QString& error) { errors += error; });
            connect(&saver, &RangeSaver::saved, this, [&errors] { errors += QString(); });
            const auto bytes = static_cast<std::uint64_t>(size);
            const GgufWriter model = GgufWriter().tensor("a", kF32, {bytes});
            saver.save(model.source(), {0, bytes}, path, {});
            AWAIT(errors.size() == 2);
        }
        for (const QString& error : errors)
            QVERIFY(!error.isEmpty());
        QVERIFY(good.open(QIODevice::ReadOnly));
        QCOMPARE(good.readAll(), QByteArray("precious"));
        QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files), QStringList{u"good.txt"_s});
    }
#endif
};

QTEST_GUILESS_MAIN(FullDiskTest)
#include "tst_fulldisk.moc"
