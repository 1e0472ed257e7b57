// SPDX-License-Identifier: GPL-3.0-or-later
// Text from a file is data wherever it is shown.
#include "support/qt/windowjourney.h"

#include <QLabel>
#include <QTest>

using namespace Qt::StringLiterals;

class TestHostileText : public QObject, private WindowJourney
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup() { end(); }
    void hostileTextIsShownAsText();
};

void TestHostileText::hostileTextIsShownAsText()
{
    GgufWriter writer;
    writer.kv("general.architecture", std::string("llama"));
    writer.kv("general.name", std::string("<b>bold</b>\x1b[31m\u202Eevil"));
    writer.tensor("<img src=x>", kF32, {8});
    MainWindow& window = openLoaded(write(writer, u"hostile.gguf"_s));
    auto* title = window.findChild<QLabel*>(u"summaryTitle"_s);
    QCOMPARE(title->textFormat(), Qt::PlainText);
    QVERIFY(title->text().contains(u"<b>"_s));
    QVERIFY(!title->text().contains(u'\x1b'));
    QVERIFY(!title->text().contains(QChar(0x202E)));
    QCOMPARE(tensorNames(window), QStringList{u"<img src=x>"_s});
    clickRow(window, 0);
    window.findChild<QAction*>(u"actionCopy"_s)->trigger();
    for (const QLabel* label : window.findChildren<QLabel*>())
        QVERIFY2(!label->text().contains(u"<img"_s) || label->textFormat() == Qt::PlainText, qPrintable(label->objectName()));
}

QTEST_MAIN(TestHostileText)
#include "tst_hostiletext.moc"
