// SPDX-License-Identifier: GPL-3.0-or-later
// No key does nothing because two things claim it, and Ctrl+C copies in every table.
#include "support/qt/windowjourney.h"
#include "window/comparewindow.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QGroupBox>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>
#include <QStackedLayout>
#include <QTabBar>
#include <QTest>
#include <QTreeView>

using namespace Qt::StringLiterals;

namespace {

/// Something that acts on a key.
struct Claim
{
    QKeySequence key;
    const QWidget* owner; ///< the widget that has the key
    Qt::ShortcutContext context;
    QString name;
};

QString nameOf(const QObject* object, const QString& text)
{
    return u"%1 %2 \"%3\""_s.arg(QLatin1String(object->metaObject()->className()), object->objectName(), text);
}

QList<Claim> claims(const QWidget& window)
{
    QList<Claim> found;
    const auto mnemonic = [&found](const QWidget* widget, const QString& text) {
        if (const QKeySequence key = QKeySequence::mnemonic(text); !key.isEmpty())
            found.append({key, widget, Qt::WindowShortcut, nameOf(widget, text)});
    };
    QSet<const QAction*> seen;
    const auto addActions = [&](const QWidget* widget) {
        for (const QAction* action : widget->actions()) {
            if (seen.contains(action))
                continue;
            seen.insert(action);
            for (const QKeySequence& key : action->shortcuts()) {
                if (!key.isEmpty())
                    found.append({key, widget, action->shortcutContext(), nameOf(action, action->text())});
            }
        }
    };
    addActions(&window);
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (widget->window() != &window) {
            if (qobject_cast<const QMenu*>(widget))
                addActions(widget);
            continue;
        }
        addActions(widget);
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
            mnemonic(button, button->text());
        else if (const auto* group = qobject_cast<const QGroupBox*>(widget))
            mnemonic(group, group->title());
        else if (const auto* label = qobject_cast<const QLabel*>(widget); label && label->buddy())
            mnemonic(label, label->text());
        else if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
            for (int i = 0; i < tabs->count(); ++i)
                mnemonic(tabs, tabs->tabText(i));
        } else if (const auto* bar = qobject_cast<const QMenuBar*>(widget)) {
            for (const QAction* menu : bar->actions())
                mnemonic(bar, menu->text());
        }
    }
    for (const QShortcut* shortcut : window.findChildren<QShortcut*>()) {
        const auto* owner = qobject_cast<const QWidget*>(shortcut->parent());
        if (owner && owner->window() == &window)
            found.append({shortcut->key(), owner, shortcut->context(), nameOf(owner, u"shortcut"_s)});
    }
    return found;
}

/// Two pages of one stack are never seen together; the docks of a window may be.
bool canBeSeenTogether(const QWidget* a, const QWidget* b)
{
    QList<const QWidget*> ofA;
    for (const QWidget* at = a; at; at = at->parentWidget())
        ofA.append(at);
    const QWidget* childOfB = nullptr;
    for (const QWidget* at = b; at; childOfB = at, at = at->parentWidget()) {
        const qsizetype place = ofA.indexOf(at);
        if (place < 0)
            continue;
        return place == 0 || !childOfB || !qobject_cast<const QStackedLayout*>(at->layout())
            || childOfB == ofA[place - 1];
    }
    return true;
}

/// Whether the focus can be where both hear the key.
bool clash(const Claim& a, const Claim& b)
{
    if (a.key != b.key || !canBeSeenTogether(a.owner, b.owner))
        return false;
    const auto isWindowWide = [](const Claim& claim) {
        return claim.context == Qt::WindowShortcut || claim.context == Qt::ApplicationShortcut;
    };
    if (isWindowWide(a) || isWindowWide(b) || a.owner == b.owner)
        return true;
    const auto reaches = [](const Claim& outer, const Claim& inner) {
        return outer.context == Qt::WidgetWithChildrenShortcut && outer.owner->isAncestorOf(inner.owner);
    };
    return reaches(a, b) || reaches(b, a);
}

QStringList clashes(const QWidget& window)
{
    QStringList found;
    const QList<Claim> all = claims(window);
    for (qsizetype i = 0; i < all.size(); ++i) {
        for (qsizetype k = i + 1; k < all.size(); ++k) {
            if (clash(all[i], all[k]))
                found.append(u"%1: %2 and %3"_s.arg(all[i].key.toString(), all[i].name, all[k].name));
        }
    }
    return found;
}

} // namespace

class TestShortcuts : public QObject, private WindowJourney
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup() { end(); }
    void noKeyIsClaimedTwice();
    void altAndADigitReachEachPane();
    void controlCCopiesInEachTable_data();
    void controlCCopiesInEachTable();
    void controlCCopiesInTheCompareWindow();

private:
    /// A model whose recipe is known but for one tensor, so that no table is empty.
    QString model()
    {
        GgufWriter writer;
        writer.kv("general.architecture", "llama").kv("general.file_type", std::uint32_t{7});
        writer.kv("llama.block_count", std::uint32_t{1}).kv("general.architecture", "llama");
        writer.tensor("token_embd.weight", kQ8_0, {256, 8}).tensor("output.weight", kQ8_0, {256, 8});
        return write(writer.tensor("blk.0.attn_q.weight", kQ4K, {256, 16}), u"model.gguf"_s);
    }
    static void showAllPanes(MainWindow& window)
    {
        for (const QDockWidget* dock : window.findChildren<QDockWidget*>()) {
            window.findChild<QAction*>(QString(dock->objectName() + u"Action"_s))->trigger();
            runQueued();
        }
    }
};

void TestShortcuts::noKeyIsClaimedTwice()
{
    MainWindow& window = openLoaded(model());
    QVERIFY(QTest::qWaitForWindowActive(&window));
    showAllPanes(window);
    const QList<Claim> all = claims(window);
    for (int digit = 1; digit <= 8; ++digit) {
        const QKeySequence key(QKeyCombination(Qt::ALT, static_cast<Qt::Key>(Qt::Key_0 + digit)));
        QCOMPARE(std::ranges::count(all, key, &Claim::key), 1);
    }
    QVERIFY(all.size() > 40); // it does look at buttons, labels and menus
    const QStringList found = clashes(window);
    QVERIFY2(found.isEmpty(), qPrintable(u'\n' + found.join(u'\n')));

    CompareWindow other(model(), write(smallModel(), u"other.gguf"_s));
    const QStringList foundThere = clashes(other);
    QVERIFY2(foundThere.isEmpty(), qPrintable(u'\n' + foundThere.join(u'\n')));
}

void TestShortcuts::altAndADigitReachEachPane()
{
    MainWindow& window = openLoaded(model());
    QVERIFY(QTest::qWaitForWindowActive(&window));
    showAllPanes(window);
    QSet<const QDockWidget*> reached;
    for (int digit = 1; digit <= 8; ++digit) {
        // As a person presses it wherever the focus is: the pane with buttons that had a digit of their own is seen.
        window.findChild<QAction*>(u"dockDataAction"_s)->trigger();
        runQueued();
        QTest::keyClick(QApplication::focusWidget(), static_cast<Qt::Key>(Qt::Key_0 + digit), Qt::AltModifier);
        runQueued();
        for (const QDockWidget* dock : window.findChildren<QDockWidget*>()) {
            if (dock->isAncestorOf(QApplication::focusWidget()))
                reached.insert(dock);
        }
        QCOMPARE(reached.size(), qsizetype{digit});
    }
}

void TestShortcuts::controlCCopiesInEachTable_data()
{
    QTest::addColumn<QString>("pane");
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("text"); // in what is copied
    QTest::newRow("metadata") << u"dockMetadata"_s << u"metadataView"_s << u"general"_s;
    QTest::newRow("tensors") << u"dockTensors"_s << u"tensorView"_s << u"token_embd.weight"_s;
    QTest::newRow("problems") << u"dockProblems"_s << u"problemView"_s << u"general.architecture"_s;
    QTest::newRow("mix") << u"dockMix"_s << u"mixTypes"_s << u"Q8_0"_s;
    QTest::newRow("parts") << u"dockLabel"_s << u"bitsByPart"_s << u"\t"_s;
    QTest::newRow("deviations") << u"dockLabel"_s << u"deviations"_s << u"blk.0.attn_q.weight"_s;
    QTest::newRow("data") << u"dockData"_s << u"dataTable"_s << u"token_embd.weight"_s;
}

void TestShortcuts::controlCCopiesInEachTable()
{
    QFETCH(const QString, pane);
    QFETCH(const QString, table);
    QFETCH(const QString, text);
    MainWindow& window = openLoaded(model());
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.findChild<QAction*>(QString(pane + u"Action"_s))->trigger();
    runQueued();
    auto* view = window.findChild<QAbstractItemView*>(table);
    QVERIFY(view);
    if (pane == u"dockData"_s)
        window.findChild<QAbstractButton*>(u"checkData"_s)->click(); // which fills the table
    AWAIT(view->model() && view->model()->rowCount() > 0);
    QModelIndex last = view->model()->index(0, 0); // below the groups of a tree
    while (view->model()->hasChildren(last))
        last = view->model()->index(0, 0, last);
    view->setFocus();
    view->setCurrentIndex(last);
    QVERIFY(view->hasFocus());
    QApplication::clipboard()->setText(u"before"_s);
    QTest::keyClick(view, Qt::Key_C, Qt::ControlModifier);
    AWAIT(QApplication::clipboard()->text() != u"before"_s);
    QVERIFY2(QApplication::clipboard()->text().contains(text), qPrintable(QApplication::clipboard()->text()));
}

void TestShortcuts::controlCCopiesInTheCompareWindow()
{
    CompareWindow window(model(), write(smallModel(), u"other.gguf"_s));
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    auto* view = window.findChild<QTableView*>(u"compareTotals"_s);
    QVERIFY(view);
    AWAIT(view->model()->rowCount() > 0 && view->isVisible());
    view->setFocus();
    view->selectRow(1);
    QApplication::clipboard()->setText(u"before"_s);
    QTest::keyClick(view, Qt::Key_C, Qt::ControlModifier);
    QVERIFY2(QApplication::clipboard()->text().startsWith(u"B\t"_s), qPrintable(QApplication::clipboard()->text()));
}

QTEST_MAIN(TestShortcuts)
#include "tst_shortcuts.moc"
