// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/documentloader.h"
#include "models/selection.h"
#include "models/tensormodel.h"
#include "models/typepalette.h"
#include "panes/gotobar.h"
#include "panes/heatmappane.h"
#include "panes/hexpane.h"
#include "panes/labelpane.h"
#include "panes/mapstrip.h"
#include "panes/mixpane.h"
#include "panes/problempane.h"
#include "panes/tensorpane.h"
#include "support/ggufwriter.h"
#include "support/qt/await.h"
#include "widgets/bytestrip.h"
#include "widgets/filterline.h"
#include "widgets/plaintext.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QToolButton>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

using namespace Qt::StringLiterals;

namespace {

std::atomic<bool> g_exhausted = false;
const std::thread::id g_mainThread = std::this_thread::get_id();
const QString kSentence = u"There is not enough memory for this."_s;

} // namespace

/// The next allocation of a worker fails, once it is asked for.
void* operator new(std::size_t size)
{
    if (g_exhausted && std::this_thread::get_id() != g_mainThread && g_exhausted.exchange(false))
        throw std::bad_alloc();
    void* memory = std::malloc(size == 0 ? 1 : size);
    if (!memory)
        throw std::bad_alloc();
    return memory;
}

void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept
{
    return std::malloc(size == 0 ? 1 : size);
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

namespace {

/// The texts of the page that a pane shows.
QStringList shownTexts(const QWidget& pane)
{
    QStringList texts;
    for (const PlainLabel* label : pane.findChildren<PlainLabel*>()) {
        if (label->isVisibleTo(&pane))
            texts.append(label->text());
    }
    return texts;
}

GgufWriter model(int tensors)
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama");
    for (int i = 0; i < tensors; ++i)
        writer.tensor("blk." + std::to_string(i) + ".attn_q.weight", kF32, {4});
    return writer;
}

} // namespace

/// A pane whose job finds no memory says so, and the program goes on.
class PanesOutOfMemoryTest : public QObject
{
    Q_OBJECT

    DocumentLoader m_loader;
    Selection m_selection;

    void load(const GgufWriter& writer)
    {
        m_loader.open(writer.source(), u"m.gguf"_s);
        QSignalSpy inspected(&m_loader, &DocumentLoader::inspected);
        AWAIT(inspected.count() == 1);
    }

    template <class Pane>
    void auditFails()
    {
        load(model(4));
        Pane pane(m_loader, m_selection);
        g_exhausted = true;
        pane.resize(900, 600);
        pane.show();
        AWAIT(shownTexts(pane).contains(kSentence));
        load(model(4)); // the next file is audited as if nothing had been
        AWAIT(AuditService::of(m_loader).result());
        QVERIFY(!shownTexts(pane).contains(kSentence));
        delete &AuditService::of(m_loader);
    }

private slots:
    void cleanup()
    {
        g_exhausted = false;
        QVERIFY(Workers::waitForAll(std::chrono::minutes(1)));
    }

    void mix() { auditFails<MixPane>(); }
    void heatMap() { auditFails<HeatMapPane>(); }
    void label() { auditFails<LabelPane>(); }

    void sortingATable()
    {
        load(model(6000));
        TensorPane pane(m_loader, m_selection);
        pane.show();
        AWAIT(!pane.model().isArranging());
        g_exhausted = true;
        pane.findChild<FilterLine*>(u"tensorFilter"_s)->setText(u"blk.5999"_s);
        AWAIT(pane.findChild<PlainLabel*>(u"tensorSum"_s)->text() == kSentence);
        pane.findChild<FilterLine*>(u"tensorFilter"_s)->setText(u"blk.599"_s);
        AWAIT(!pane.model().isArranging());
        QCOMPARE(pane.model().rowCount(), 11);
    }

    void goingToAName()
    {
        load(model(4));
        GoToBar bar([this] { return GoToBar::Context{m_loader.document(), 0, m_loader.source()->size()}; });
        bar.resize(1400, 40); // room for the whole sentence
        bar.open();
        bar.findChild<QLineEdit*>(u"goToText"_s)->setText(u"blk.2.attn_q.weight"_s);
        g_exhausted = true;
        bar.findChild<QToolButton*>(u"goToButton"_s)->click();
        AWAIT(bar.findChild<PlainLabel*>(u"goToError"_s)->text() == kSentence);
    }

    void mapStrip()
    {
        load(model(4));
        HexPane hex(m_loader, m_selection);
        MapStrip map(hex, m_selection);
        runQueued(); // what the hex pane reads
        QVERIFY(Workers::waitForAll(std::chrono::minutes(1)));
        AWAIT(map.isCurrent());
        const auto showsColorsOf = [&map](const QPalette& palette) {
            return map.strip()->map()[0].color
                == TypePalette::forPalette(palette).regionColor(gguf::RegionKind::Header).rgb();
        };
        const auto saysSo = [&map] { // in as many words as there is room for
            return shownTexts(map).join(u'\n').contains(kSentence.left(10));
        };
        const QPalette light = map.palette();
        QPalette dark;
        for (const auto role : {QPalette::Window, QPalette::Base})
            dark.setColor(role, Qt::black);
        for (const auto role : {QPalette::WindowText, QPalette::Text})
            dark.setColor(role, Qt::white);
        QVERIFY(showsColorsOf(light) && !showsColorsOf(dark));
        QPalette almostLight = light;
        almostLight.setColor(QPalette::Link, Qt::red);

        g_exhausted = true;
        map.setPalette(almostLight);
        QVERIFY(Workers::waitForAll(std::chrono::minutes(1)));
        QVERIFY(!g_exhausted && !map.isCurrent());
        map.setPalette(dark); // before anybody heard that it failed
        AWAIT(showsColorsOf(dark));
        QVERIFY(!saysSo());

        g_exhausted = true;
        map.setPalette(light);
        AWAIT(saysSo());
    }

    void report()
    {
        load(model(4));
        ProblemPane pane(m_loader, m_selection);
        QSignalSpy failed(&pane, &ProblemPane::reportFailed), copied(&pane, &ProblemPane::reportCopied);
        g_exhausted = true;
        pane.copyReport();
        AWAIT(failed.count() + copied.count() == 1);
        QCOMPARE(failed.value(0).value(0).toString(), kSentence);
    }
};

QTEST_MAIN(PanesOutOfMemoryTest)
#include "tst_outofmemory.moc"
