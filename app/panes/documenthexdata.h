// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/bytemap.h"
#include "load/blockcache.h"
#include "models/typepalette.h"
#include "widgets/hexview.h"

#include <QHash>

/// The region in one line: "blk.0.attn_q.weight", "Padding after output.weight", "Overlap of a, b". Made visible.
QString regionName(const gguf::ByteMap& map, const gguf::Region& region);

/// A document's bytes and regions as a HexView wants them.
class DocumentHexData final : public HexData
{
public:
    explicit DocumentHexData(BlockCache& cache);

    void setMap(const gguf::ByteMap& map); ///< the regions from now on; a copy is kept
    void setColors(const TypePalette& colors);
    const gguf::ByteMap& map() const { return m_map; }

    quint64 size() const override { return m_cache.size(); }
    HexBytes bytesAt(quint64 offset, quint64 length) override;
    std::vector<HexSpan> spans(quint64 offset, quint64 length) const override;
    QString missing() const override { return m_missing; }

private:
    void addRegion(std::vector<HexSpan>& spans, const gguf::Region& region, gguf::ByteRange shown) const;
    void addFields(std::vector<HexSpan>& spans, const gguf::Region& region, gguf::ByteRange shown) const;
    void addBlocks(std::vector<HexSpan>& spans, const gguf::Region& region, gguf::ByteRange shown) const;
    void addRows(std::vector<HexSpan>& spans, const gguf::Tensor& tensor, gguf::ByteRange shown) const;

    BlockCache& m_cache;
    gguf::ByteMap m_map;
    QString m_missing;
    TypePalette m_colors;
    mutable QHash<quint32, QColor> m_tints, m_lanes; ///< by tensor type
    // The last answer: the same page is painted many times
    mutable HexRange m_cachedRange;
    mutable std::vector<HexSpan> m_cachedSpans;
};
