// SPDX-License-Identifier: GPL-3.0-or-later
#include "panes/hexcopy.h"

#include "document/text.h"

#include <string_view>

namespace {

QString separated(std::span<const std::byte> bytes, const char* format, int perLine, const QString& between,
    const QString& lineStart)
{
    QString text;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i % static_cast<std::size_t>(perLine) == 0)
            text += i == 0 ? lineStart : u'\n' + lineStart;
        else
            text += u' ';
        text += QString::asprintf(format, static_cast<unsigned>(bytes[i]));
        if (i + 1 < bytes.size())
            text += between;
    }
    return text;
}

} // namespace

std::unique_ptr<QMimeData> hexCopy(std::span<const std::byte> bytes, HexCopyFormat format)
{
    auto data = std::make_unique<QMimeData>();
    const QByteArray raw(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
    switch (format) {
    case HexCopyFormat::Hex:
        data->setText(separated(bytes, "%02X", 16, {}, {}));
        break;
    case HexCopyFormat::CArray:
        data->setText(QStringLiteral("static const unsigned char bytes[%1] = {\n").arg(bytes.size())
            + separated(bytes, "0x%02X", 12, QStringLiteral(","), QStringLiteral("    ")) + QStringLiteral("\n};\n"));
        break;
    case HexCopyFormat::Base64:
        data->setText(QString::fromLatin1(raw.toBase64()));
        break;
    case HexCopyFormat::Raw: {
        data->setData(QStringLiteral("application/octet-stream"), raw);
        const std::string_view text(raw.constData(), bytes.size());
        if (gguf::firstInvalidUtf8(text) == text.size() && text.find('\0') == std::string_view::npos)
            data->setText(QString::fromUtf8(raw));
        break;
    }
    }
    return data;
}
