// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/datablock.h"

#include "format/arithmetic.h"

namespace gguf {

std::optional<DataBlock> dataBlockAt(const Tensor& tensor, std::uint64_t offset)
{
    const std::optional<ByteRange> data = tensor.dataRange();
    if (!tensor.type || tensor.type->blockBytes == 0 || !tensor.rowBytes || *tensor.rowBytes == 0 || !data
        || !data->contains(offset) || data->end() - offset <= tensor.type->tensorExtraBytes)
        return {};
    const std::uint64_t rows = tensor.type->rowsInterleaved;
    const std::optional<std::uint64_t> groupBytes = checkedMultiply(*tensor.rowBytes, rows);
    if (!groupBytes)
        return {}; // a hostile row
    const std::uint64_t group = (offset - data->offset) / *groupBytes;
    const std::uint64_t start = data->offset + group * *groupBytes;
    DataBlock place;
    place.row = group * rows;
    place.rows = rows;
    place.meta = {start, rows * tensor.type->rowMetaBytes};
    if (place.meta.contains(offset)) {
        place.range = place.meta;
        return place;
    }
    const std::uint64_t blockBytes = rows * tensor.type->blockBytes;
    place.block = (offset - place.meta.end()) / blockBytes;
    place.range = {place.meta.end() + *place.block * blockBytes, blockBytes};
    return place;
}

} // namespace gguf
