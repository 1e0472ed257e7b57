// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hexview.h"

#include "support/qt/pixels.h"

#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

namespace {

/// Bytes that tell their offset; some of them absent or failed; two spans.
class FakeData final : public HexData
{
public:
    explicit FakeData(quint64 size)
        : m_size(size)
    {
    }
    quint64 size() const override { return m_size; }
    HexBytes bytesAt(quint64 offset, quint64 length) override
    {
        if (absent.contains(offset))
            return {HexBytes::State::Absent, std::min(length, absent.end() - offset), {}};
        if (failed.contains(offset))
            return {HexBytes::State::Failed, std::min(length, failed.end() - offset), {}};
        m_buffer.clear();
        for (quint64 i = 0; i < length && !absent.contains(offset + i) && !failed.contains(offset + i); ++i)
            m_buffer.push_back(static_cast<unsigned char>((offset + i) % 251));
        return {HexBytes::State::Present, m_buffer.size(), m_buffer};
    }
    std::vector<HexSpan> spans(quint64 offset, quint64 length) const override
    {
        std::vector<HexSpan> result;
        for (const HexSpan& span : given) {
            if (span.offset < offset + length && span.offset + span.length > offset)
                result.push_back(span);
        }
        return result;
    }

    HexRange absent, failed;
    std::vector<HexSpan> given;

private:
    quint64 m_size;
    std::vector<unsigned char> m_buffer;
};

constexpr quint64 kHuge = 400'000'000'000;

struct Shown
{
    explicit Shown(quint64 size)
        : data(size)
    {
        view.resize(900, 400);
        view.setBytesPerRow(16);
        view.setData(&data);
        view.show();
        view.setFocus();
        QCoreApplication::processEvents();
    }
    FakeData data;
    HexView view;
};

QImage painted(QWidget& widget, double scale)
{
    QImage image(widget.size() * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    widget.render(&image);
    return image;
}

} // namespace

class TestHexView : public QObject
{
    Q_OBJECT
private slots:
    void stepsAreRowsInHugeFiles()
    {
        Shown s(kHuge);
        QScrollBar* bar = s.view.verticalScrollBar();
        for (int i = 0; i < 5001; ++i)
            bar->triggerAction(QAbstractSlider::SliderSingleStepAdd);
        QCOMPARE(s.view.topRow(), 5001);
        bar->triggerAction(QAbstractSlider::SliderPageStepAdd);
        QCOMPARE(s.view.topRow(), 5001 + s.view.pageRows());
        bar->triggerAction(QAbstractSlider::SliderToMaximum);
        QCOMPARE(s.view.topRow(), s.view.rowCount() - s.view.pageRows());
        QCOMPARE(s.view.visibleRange().end(), kHuge);
        bar->triggerAction(QAbstractSlider::SliderSingleStepSub);
        QCOMPARE(s.view.topRow(), s.view.rowCount() - s.view.pageRows() - 1);
        bar->triggerAction(QAbstractSlider::SliderToMinimum);
        QCOMPARE(s.view.topRow(), 0);
    }

    void dragReachesBothEnds()
    {
        Shown s(kHuge);
        QScrollBar* bar = s.view.verticalScrollBar();
        bar->setSliderDown(true);
        bar->setSliderPosition(bar->maximum());
        QCOMPARE(s.view.topRow(), s.view.maximumTopRow());
        bar->setSliderPosition(bar->maximum() / 2);
        QVERIFY(qAbs(s.view.topRow() - s.view.maximumTopRow() / 2) < s.view.maximumTopRow() / 1000);
        bar->setSliderPosition(0);
        QCOMPARE(s.view.topRow(), 0);
    }

    void resizeKeepsTheRow()
    {
        Shown s(kHuge);
        s.view.setTopRow(12'345'678'901);
        s.view.resize(900, 500);
        QCoreApplication::processEvents();
        QCOMPARE(s.view.topRow(), 12'345'678'901);
        s.view.setBytesPerRow(32);
        QCOMPARE(s.view.topRow(), 12'345'678'901 / 2);
    }

    void wheelGathersFractions()
    {
        Shown s(kHuge);
        const auto turn = [&](int delta) {
            QWheelEvent event(QPointF(50, 50), s.view.mapToGlobal(QPointF(50, 50)), {}, QPoint(0, delta), Qt::NoButton,
                Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(s.view.viewport(), &event);
        };
        for (int i = 0; i < 120; ++i)
            turn(-1);
        QCOMPARE(s.view.topRow(), QApplication::wheelScrollLines());
        turn(120);
        QCOMPARE(s.view.topRow(), 0);
    }

    void keysMoveAsInEditors()
    {
        Shown s(1000);
        QSignalSpy moved(&s.view, &HexView::caretMoved);
        QTest::keyClick(&s.view, Qt::Key_Right);
        QTest::keyClick(&s.view, Qt::Key_Down);
        QCOMPARE(s.view.caret(), quint64(17));
        QCOMPARE(moved.count(), 2);
        QTest::keyClick(&s.view, Qt::Key_End);
        QCOMPARE(s.view.caret(), quint64(31));
        QTest::keyClick(&s.view, Qt::Key_Home);
        QCOMPARE(s.view.caret(), quint64(16));
        QTest::keyClick(&s.view, Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(s.view.caret(), quint64(999));
        QCOMPARE(s.view.visibleRange().end(), quint64(1000));
        QTest::keyClick(&s.view, Qt::Key_Right);
        QCOMPARE(s.view.caret(), quint64(999));
        QTest::keyClick(&s.view, Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(s.view.caret(), quint64(0));
        QTest::keyClick(&s.view, Qt::Key_PageDown);
        QCOMPARE(s.view.caret(), quint64(16 * s.view.pageRows()));
        QTest::keyClick(&s.view, Qt::Key_PageUp);
        QCOMPARE(s.view.caret(), quint64(0));
    }

    void shiftSelects()
    {
        Shown s(1000);
        QSignalSpy changed(&s.view, &HexView::selectionChanged);
        s.view.setCaret(20);
        QTest::keyClick(&s.view, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(&s.view, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(s.view.selection(), (HexRange{20, 2}));
        QCOMPARE(changed.count(), 2);
        QTest::keyClick(&s.view, Qt::Key_Right); // collapses to the end
        QCOMPARE(s.view.caret(), quint64(22));
        QCOMPARE(s.view.selection().length, quint64(0));
        QTest::keyClick(&s.view, Qt::Key_End, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(s.view.selection(), (HexRange{22, 978}));
        QTest::keyClick(&s.view, Qt::Key_Left);
        QCOMPARE(s.view.caret(), quint64(22));
        QTest::keyClick(&s.view, Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(s.view.selection(), (HexRange{0, 1000}));
    }

    void mouseDragIncludesBothEnds()
    {
        Shown s(1000);
        QWidget* viewport = s.view.viewport();
        const auto drag = [&](quint64 from, quint64 to) {
            const QPoint a = s.view.byteRect(from).center();
            const QPoint b = s.view.byteRect(to).center();
            QTest::mousePress(viewport, Qt::LeftButton, {}, a);
            QMouseEvent move(QEvent::MouseMove, b, viewport->mapToGlobal(b), Qt::NoButton, Qt::LeftButton, {});
            QCoreApplication::sendEvent(viewport, &move);
            QTest::mouseRelease(viewport, Qt::LeftButton, {}, b);
        };
        drag(18, 35);
        QCOMPARE(s.view.selection(), (HexRange{18, 18}));
        drag(35, 18);
        QCOMPARE(s.view.selection(), (HexRange{18, 18}));
        QTest::mouseClick(viewport, Qt::LeftButton, {}, s.view.byteRect(40).center());
        QCOMPARE(s.view.caret(), quint64(40));
        QCOMPARE(s.view.selection().length, quint64(0));
        QTest::mouseClick(viewport, Qt::LeftButton, Qt::ShiftModifier, s.view.byteRect(43).center());
        QCOMPARE(s.view.selection(), (HexRange{40, 4}));
    }

    void doubleClickSelectsTheInnermostSpan()
    {
        Shown s(1000);
        s.data.given = {{0, 100, {}, {}, QStringLiteral("outer")}, {20, 8, {}, {}, QStringLiteral("inner")}};
        QTest::mouseDClick(s.view.viewport(), Qt::LeftButton, {}, s.view.byteRect(22).center());
        QCOMPARE(s.view.selection(), (HexRange{20, 8}));
    }

    void followersAreNotEchoed()
    {
        Shown s(kHuge);
        QSignalSpy moved(&s.view, &HexView::caretMoved);
        QSignalSpy changed(&s.view, &HexView::selectionChanged);
        s.view.showRange({kHuge - 100, 50});
        QCOMPARE(s.view.selection(), (HexRange{kHuge - 100, 50}));
        QVERIFY(!s.view.byteRect(kHuge - 100).isEmpty());
        QVERIFY(moved.isEmpty() && changed.isEmpty());
    }

    void zoomByKeys()
    {
        Shown s(1000);
        QTest::keyClick(&s.view, Qt::Key_Plus, Qt::ControlModifier);
        QTest::keyClick(&s.view, Qt::Key_Equal, Qt::ControlModifier);
        QCOMPARE(s.view.zoom(), 2);
        QTest::keyClick(&s.view, Qt::Key_Minus, Qt::ControlModifier);
        QCOMPARE(s.view.zoom(), 1);
        QTest::keyClick(&s.view, Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(s.view.zoom(), 0);
    }

    void describesTheCaret()
    {
        Shown s(1000);
        s.view.setCaret(71);
        s.view.setPlaceDescription(QStringLiteral("Header > magic"));
        QVERIFY2(s.view.accessibleDescription().contains(u"0x47"), qPrintable(s.view.accessibleDescription()));
        QVERIFY(s.view.accessibleDescription().contains(u"Header > magic"));
    }

    void paintsWhatMustBeSeen_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<double>("scale");
        QTest::newRow("light 1x") << false << 1.0;
        QTest::newRow("light 2x") << false << 2.0;
        QTest::newRow("dark 1x") << true << 1.0;
        QTest::newRow("dark 2x") << true << 2.0;
    }
    void paintsWhatMustBeSeen()
    {
        QFETCH(const bool, dark);
        QFETCH(const double, scale);
        Shown s(1000);
        s.view.setPalette(paletteOf(dark));
        const QColor tint(0x33, 0x77, 0x44), lane(0xcc, 0x10, 0x90);
        const QImage before = painted(s.view, scale);
        QCOMPARE(pixelsOf(before, tint), 0);
        s.data.given = {{16, 32, tint, lane, {}, HexSpan::Boundary::Line}};
        s.view.refresh();
        const QImage tinted = painted(s.view, scale);
        const double area = scale * scale;
        QVERIFY(pixelsOf(tinted, tint) > 2 * 16 * 20 * area); // two rows of background, text left out
        QVERIFY(pixelsOf(tinted, lane) > 2 * 4 * 10 * area);
        QVERIFY(pixelsOf(tinted, s.view.palette().color(QPalette::Text)) > 50); // bytes are there
        s.view.select({64, 16});
        QVERIFY(pixelsOf(painted(s.view, scale), QColor(10, 20, 200)) > 16 * 20 * area);
        // Absent and failed bytes look neither like bytes nor like each other.
        s.view.select({0, 0});
        s.data.absent = {0, 400};
        const QImage absent = painted(s.view, scale);
        s.data.absent = {};
        s.data.failed = {0, 400};
        const QImage failed = painted(s.view, scale);
        QVERIFY(absent != tinted && failed != tinted && absent != failed);
    }
};

QTEST_MAIN(TestHexView)
#include "tst_hexview.moc"
