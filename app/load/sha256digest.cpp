// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/sha256digest.h"

#include <QCryptographicHash>

#include <cstring>

namespace {

class Sha256Digest final : public gguf::Digest
{
public:
    void add(std::span<const std::byte> bytes) override
    {
        m_hash.addData(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
    }
    gguf::Sha256 result() override
    {
        const QByteArray raw = m_hash.result();
        gguf::Sha256 hash{};
        std::memcpy(hash.data(), raw.constData(), hash.size());
        return hash;
    }

private:
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
};

} // namespace

std::unique_ptr<gguf::Digest> makeSha256Digest()
{
    return std::make_unique<Sha256Digest>();
}
