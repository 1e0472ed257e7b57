// SPDX-License-Identifier: GPL-3.0-or-later
#include "quant/dequantize.h"

#include "quant/blockdecoders.h"

namespace gguf {

namespace {

/// Writes what a block decoder emits.
struct FloatWriter
{
    float* out;

    void operator()(unsigned element, int, float level, float scale) const { out[element] = scale * level; }
    void operator()(unsigned element, int, float level, float scale, float offset) const
    {
        out[element] = scale * level + offset;
    }
};

template <class T, class Convert>
void decodeScalars(ByteOrder order, std::span<const std::byte> bytes, std::span<float> into, Convert convert)
{
    for (std::size_t i = 0; i < into.size(); ++i)
        into[i] = convert(loadAs<T>(bytes.data() + i * sizeof(T), order));
}

template <class T>
void decodeNumbers(ByteOrder order, std::span<const std::byte> bytes, std::span<float> into)
{
    decodeScalars<T>(order, bytes, into, [](T value) { return static_cast<float>(value); });
}

using ScalarDecoder = void (*)(ByteOrder, std::span<const std::byte>, std::span<float>);

ScalarDecoder scalarDecoder(std::uint32_t typeId)
{
    switch (typeId) {
    case 0:
        return decodeNumbers<float>;
    case 1:
        return [](ByteOrder order, std::span<const std::byte> bytes, std::span<float> into) {
            decodeScalars<std::uint16_t>(order, bytes, into, blocks::fromHalf);
        };
    case 24:
        return decodeNumbers<std::int8_t>;
    case 25:
        return decodeNumbers<std::int16_t>;
    case 26:
        return decodeNumbers<std::int32_t>;
    case 27:
        return decodeNumbers<std::int64_t>;
    case 28:
        return decodeNumbers<double>;
    case 30:
        return [](ByteOrder order, std::span<const std::byte> bytes, std::span<float> into) {
            decodeScalars<std::uint16_t>(order, bytes, into, bfloat16ToFloat);
        };
    default:
        return nullptr;
    }
}

/// Blocks that lie in rows one after the other; what each row or group has beyond them is not understood
/// here.
bool isPlain(const TensorTypeInfo& type)
{
    return type.rowMetaBytes == 0 && type.rowsInterleaved == 1;
}

} // namespace

float halfToFloat(std::uint16_t bits)
{
    return blocks::fromHalf(bits);
}

float bfloat16ToFloat(std::uint16_t bits)
{
    return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

bool canDequantize(const TensorTypeInfo& type)
{
    return isPlain(type) && (scalarDecoder(type.id) != nullptr || blocks::withDecoder(type, [](auto) {}));
}

bool dequantize(
    const TensorTypeInfo& type, ByteOrder order, std::span<const std::byte> bytes, std::span<float> into)
{
    if (!canDequantize(type))
        return false;
    const std::size_t count = into.size() / type.blockLength;
    if (into.size() % type.blockLength != 0 || bytes.size() / type.blockBytes != count
        || bytes.size() % type.blockBytes != 0)
        return false;
    if (const ScalarDecoder decode = scalarDecoder(type.id)) {
        decode(order, bytes, into);
        return true;
    }
    return blocks::withDecoder(type, [&](auto decoder) {
        for (std::size_t i = 0; i < count; ++i)
            decoder.decode(
                bytes.data() + i * type.blockBytes, order, FloatWriter{into.data() + i * type.blockLength});
    });
}

} // namespace gguf
