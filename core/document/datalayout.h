// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/document.h"
#include "io/byterange.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gguf {

/// Who claims which bytes of the data section, the part beyond the file's end included.
///
/// Tensors that follow each other without overlap, as nearly all do, need nothing but the document's own
/// order. For others the claims are kept as sorted starts and ends, with a tree of the furthest end above
/// them: all owners of a byte are found in logarithmic time each.
class DataLayout
{
public:
    enum class Kind
    {
        Data,
        Padding,
        Gap,
        AfterLast
    };

    struct Stretch
    {
        Kind kind;
        ByteRange range; ///< of AfterLast: up to the end of the address space
        std::optional<std::size_t> tensor; ///< the owner; of padding: whose it is
        std::vector<std::size_t> owners; ///< of Data: all owners in offset order, at most kMostOwners
        bool moreOwners = false;
    };

    static constexpr std::size_t kMostOwners = 1000;

    /// Looks at each tensor once, unless the document is packed. The document must be finished.
    explicit DataLayout(const Document& document);

    /// What lies at a file offset from the data section's start on. Where the tensor of this rank lies shortly
    /// before, it is found at once.
    Stretch at(const Document& document, std::uint64_t offset, std::size_t nearRank = SIZE_MAX) const;

private:
    struct Claims;

    Stretch atPlain(const Document& document, std::uint64_t offset, std::size_t nearRank) const;

    std::shared_ptr<const Claims> m_claims; ///< null where the plain order will do
};

} // namespace gguf
