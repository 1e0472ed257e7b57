// SPDX-License-Identifier: GPL-3.0-or-later
#include <QObject>
#include <QStandardPaths>
#include <QTest>

/// The ground that all other tests stand on.
class SetupTest : public QObject
{
    Q_OBJECT
private slots:
    void settingsLieInATemporaryFolder()
    {
        const QString config = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
        QVERIFY2(config.contains(QLatin1String("/tests/home/")), qPrintable(config));
    }
    void runsOffscreen() { QCOMPARE(qEnvironmentVariable("QT_QPA_PLATFORM"), QStringLiteral("offscreen")); }
};

QTEST_GUILESS_MAIN(SetupTest)
#include "tst_setup.moc"
