// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/filewriter.h"

#include "load/workers.h"
#include "support/fakesource.h"
#include "support/qt/await.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QThread>

#include <memory>

using namespace Qt::StringLiterals;

class FileWriterTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString path(const QString& name) const { return m_folder.filePath(name); }
    static QByteArray contents(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private slots:
    void cleanup()
    {
        QVERIFY(Workers::waitForAll(std::chrono::minutes(1)));
        for (const QString& name : QDir(m_folder.path()).entryList(QDir::Files | QDir::System))
            QVERIFY(QFile::remove(path(name)));
    }

    void writesOnAnotherThread()
    {
        QObject owner;
        QStringList heard;
        const auto thread = std::make_shared<std::atomic<QThread*>>(nullptr);
        FileWriter::start(
            owner, path(u"out.txt"_s), {},
            [thread](QIODevice& file, const auto&) {
                *thread = QThread::currentThread();
                file.write("all of it");
            },
            [&](const QString& error) { heard += error; });
        QVERIFY(heard.isEmpty());
        AWAIT(heard.size() == 1);
        QCOMPARE(heard, QStringList{QString()});
        QCOMPARE(contents(path(u"out.txt"_s)), QByteArray("all of it"));
        QVERIFY(*thread != nullptr && *thread != QThread::currentThread());
        QVERIFY(owner.children().isEmpty() || (runQueued(), owner.children().isEmpty())); // nothing is left of it
    }

    void neverTheShownFile()
    {
        QFile file(path(u"model.gguf"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("precious") == 8);
        file.close();
        QVERIFY(QFile::link(file.fileName(), path(u"link"_s)));
        QObject owner;
        for (const QString& name : {u"model.gguf"_s, u"link"_s, u"./model.gguf"_s}) {
            QStringList heard;
            FileWriter::start(
                owner, path(name), file.fileName(), [](QIODevice& target, const auto&) { target.write("x"); },
                [&](const QString& error) { heard += error; });
            AWAIT(heard.size() == 1);
            QVERIFY2(heard[0].contains(u"never written to"_s), qPrintable(name + heard[0]));
            QCOMPARE(contents(file.fileName()), QByteArray("precious"));
        }
    }

    void failuresAreSaid()
    {
        QObject owner;
        QStringList heard;
        const auto hear = [&](const QString& error) { heard += error; };
        FileWriter::start(owner, path(u"no/such/out.txt"_s), {}, [](QIODevice&, const auto&) {}, hear);
        AWAIT(heard.size() == 1);
        QVERIFY(heard[0].startsWith(u"out.txt could not be written: "_s));
        FileWriter::start(owner, path(u"out.txt"_s), {}, [](QIODevice&, const auto&) { throw std::bad_alloc(); }, hear);
        AWAIT(heard.size() == 2);
        QCOMPARE(heard[1], u"There is not enough memory for this."_s);
        QVERIFY(!QFile::exists(path(u"out.txt"_s)));
    }

    void whatNobodyWaitsForIsGivenUp()
    {
        const auto gate = std::make_shared<Gate>();
        const auto wasTold = std::make_shared<std::atomic<bool>>(false);
        bool heard = false;
        {
            QObject owner;
            FileWriter::start(
                owner, path(u"out.txt"_s), {},
                [=](QIODevice& file, const FileWriter::IsCancelled& isCancelled) {
                    gate->pass();
                    *wasTold = isCancelled();
                    file.write("late");
                },
                [&](const QString&) { heard = true; });
            AWAIT(gate->waiting() == 1);
        }
        gate->open();
        QVERIFY(Workers::waitForAll(std::chrono::minutes(1)));
        runQueued();
        QVERIFY(*wasTold && !heard);
        QVERIFY(QDir(m_folder.path()).isEmpty());
    }
};

QTEST_GUILESS_MAIN(FileWriterTest)
#include "tst_filewriter.moc"
