// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

/// What the program was asked to do, as a value: no process, no file and no display is needed to have one.
struct CommandLine
{
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
public:
    enum class Mode
    {
        Window, ///< no headless option: files open in windows
        Help,
        Version,
        Json,
        Check,
        Markdown,
        ListChecks,
        Map,
        Locate,
        Audit,
        AuditHtml,
        Compare,
        CheckData,
        Hash,
        Invalid, ///< the arguments make no sense: see error
    };

    Mode mode = Mode::Window;
    QStringList files; ///< as given
    bool json = false; ///< JSON instead of text, where a mode knows both
    bool full = false; ///< all elements of arrays; for Mode::CheckData statistics too
    QList<quint64> offsets; ///< for Mode::Locate
    QString error; ///< one sentence, for Mode::Invalid

    /// `arguments` begin with the program's name. Options that Qt itself takes (-platform, -style, ...) are
    /// passed over.
    static CommandLine parse(const QStringList& arguments);

    /// The text of --help. Needs no application object.
    static QString helpText();

    /// "123", "0x7b": a file offset, or nothing.
    static std::optional<quint64> parseOffset(const QString& text);
};
