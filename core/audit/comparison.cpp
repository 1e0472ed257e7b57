// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/comparison.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <tuple>

namespace gguf {

namespace {

/// Strings longer than this are shown as a line diff.
constexpr std::uint64_t kShortText = 120;

/// Pairs of equal names: the first of A with the first of B, and so on. Absent partners are nothing.
struct Match
{
    std::optional<std::size_t> a, b;
};

template <class NameA, class NameB>
std::vector<Match> matchNames(std::size_t countA, std::size_t countB, NameA nameA, NameB nameB)
{
    const auto sorted = [](std::size_t count, auto name) {
        std::vector<std::size_t> order(count);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, name);
        return order;
    };
    const auto left = sorted(countA, nameA), right = sorted(countB, nameB);
    std::vector<Match> matches;
    std::size_t i = 0, j = 0;
    while (i < left.size() || j < right.size()) {
        const auto order = i == left.size() ? 1
            : j == right.size()             ? -1
                                            : nameA(left[i]).compare(nameB(right[j]));
        Match match;
        if (order <= 0)
            match.a = left[i++];
        if (order >= 0)
            match.b = right[j++];
        matches.push_back(match);
    }
    std::ranges::sort(matches, {}, [](const Match& match) {
        constexpr std::size_t kLast = std::numeric_limits<std::size_t>::max();
        return std::tuple(match.a.value_or(kLast), match.b.value_or(kLast));
    });
    return matches;
}

bool sameValue(const ValueView& a, const ValueView& b);

/// The first element that differs or that one array lacks; nothing where they are equal.
std::optional<std::uint64_t> firstDifference(const ValueView& a, const ValueView& b)
{
    if (a.elementTypeId() != b.elementTypeId())
        return 0;
    const std::uint64_t common = std::min(a.available(), b.available());
    if (common > 0) {
        ValueView left = a.element(0), right = b.element(0);
        for (std::uint64_t i = 0;;) {
            if (!sameValue(left, right))
                return i;
            if (++i == common)
                break;
            left = a.elementAfter(left);
            right = b.elementAfter(right);
        }
    }
    if (a.count() != b.count() || a.available() != b.available())
        return common;
    return std::nullopt;
}

bool sameValue(const ValueView& a, const ValueView& b)
{
    if (a.type() != b.type())
        return false;
    switch (a.type()) {
    case ValueType::String:
        return a.stringLength() == b.stringLength() && a.asString() == b.asString();
    case ValueType::Array:
        return !firstDifference(a, b);
    case ValueType::Float32:
    case ValueType::Float64:
        // Bits, so that a NaN equals itself and -0 differs from 0.
        return std::bit_cast<std::uint64_t>(a.asDouble()) == std::bit_cast<std::uint64_t>(b.asDouble());
    case ValueType::UInt8:
    case ValueType::Int8:
    case ValueType::UInt16:
    case ValueType::Int16:
    case ValueType::UInt32:
    case ValueType::Int32:
    case ValueType::UInt64:
    case ValueType::Int64:
    case ValueType::Bool:
        break;
    }
    return a.asUnsigned() == b.asUnsigned();
}

/// Equal bytes are equal values where the byte order is the same; a look at them spares walking large arrays.
bool sameBytes(const Document& a, const ValueView& left, const Document& b, const ValueView& right)
{
    if (a.byteOrder() != b.byteOrder() || left.type() != right.type()
        || left.range().length != right.range().length)
        return false;
    const auto bytesA = a.bytes(left.range()), bytesB = b.bytes(right.range());
    return !bytesA.empty() && std::ranges::equal(bytesA, bytesB);
}

void compareHeaders(Comparison& result)
{
    if (!result.a.header() || !result.b.header()) {
        if (result.a.header().has_value() != result.b.header().has_value())
            result.header.push_back(
                {"format", result.a.header() ? "GGUF" : "not GGUF", result.b.header() ? "GGUF" : "not GGUF"});
        return;
    }
    const Header &a = *result.a.header(), &b = *result.b.header();
    if (a.version != b.version)
        result.header.push_back({"version", std::to_string(a.version), std::to_string(b.version)});
    if (a.byteOrder != b.byteOrder) {
        const auto name
            = [](ByteOrder order) { return order == ByteOrder::Little ? "little-endian" : "big-endian"; };
        result.header.push_back({"byte order", name(a.byteOrder), name(b.byteOrder)});
    }
}

void compareMetadata(Comparison& result)
{
    const Document &a = result.a, &b = result.b;
    const auto matches = matchNames(
        a.metadataCount(), b.metadataCount(), [&a](std::size_t i) { return a.key(i); },
        [&b](std::size_t i) { return b.key(i); });
    for (const Match& match : matches) {
        MetadataDifference difference;
        difference.a = match.a;
        difference.b = match.b;
        difference.key = match.a ? a.key(*match.a) : b.key(*match.b);
        difference.kind = !match.b ? ChangeKind::Removed : !match.a ? ChangeKind::Added : ChangeKind::Changed;
        if (difference.kind == ChangeKind::Changed) {
            const ValueView left = a.value(*match.a), right = b.value(*match.b);
            if (sameBytes(a, left, b, right) || sameValue(left, right)) {
                ++result.sameMetadata;
                continue;
            }
            if (left.type() == ValueType::Array && right.type() == ValueType::Array)
                difference.firstDifference = firstDifference(left, right);
            difference.isText = left.type() == ValueType::String && right.type() == ValueType::String
                && (std::max(left.stringLength(), right.stringLength()) > kShortText
                    || left.asString().find('\n') != std::string_view::npos
                    || right.asString().find('\n') != std::string_view::npos);
        }
        result.metadata.push_back(difference);
    }
}

void note(ComparisonPart& part, ChangeKind kind)
{
    ++(kind == ChangeKind::Removed ? part.removed : kind == ChangeKind::Added ? part.added : part.changed);
}

void compareTensors(Comparison& result)
{
    const auto tensorA = [&result](std::size_t i) -> const AuditTensor& { return result.tensors[i]; };
    const auto tensorB
        = [&result](std::size_t i) -> const AuditTensor& { return result.tensors[result.countA + i]; };
    const auto matches = matchNames(
        result.countA, result.tensors.size() - result.countA, [&](std::size_t i) { return tensorA(i).name; },
        [&](std::size_t i) { return tensorB(i).name; });
    for (const Match& match : matches) {
        TensorDifference difference;
        difference.a = match.a;
        difference.b = match.b;
        const AuditTensor& any = match.a ? tensorA(*match.a) : tensorB(*match.b);
        difference.name = any.name;
        std::optional<std::uint64_t> bytesA = 0, bytesB = 0;
        if (match.a)
            bytesA = tensorA(*match.a).bytes;
        if (match.b)
            bytesB = tensorB(*match.b).bytes;
        if (bytesA && bytesB)
            difference.byteChange = static_cast<std::int64_t>(*bytesB - *bytesA);
        if (match.a && match.b) {
            result.matched.emplace_back(*match.a, *match.b);
            const AuditTensor &left = tensorA(*match.a), &right = tensorB(*match.b);
            difference.type = left.typeId != right.typeId || left.type != right.type;
            const auto dimsA = result.a.tensor(*match.a), dimsB = result.b.tensor(*match.b);
            difference.dims = !std::ranges::equal(dimsA.dims(), dimsB.dims());
            difference.size = left.bytes != right.bytes;
            if (!difference.type && !difference.dims && !difference.size) {
                ++result.sameTensors;
                continue;
            }
        } else {
            difference.kind = match.a ? ChangeKind::Removed : ChangeKind::Added;
        }
        const Mix::Placement& place = result.placement(difference);
        note(result.layers[place.column], difference.kind);
        note(result.roles[place.role], difference.kind);
        result.differences.push_back(difference);
    }
}

} // namespace

std::string_view changeKindName(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::Removed:
        return "removed";
    case ChangeKind::Added:
        return "added";
    case ChangeKind::Changed:
        break;
    }
    return "changed";
}

Comparison compareDocuments(const Document& a, const Document& b)
{
    Comparison result;
    result.a = a;
    result.b = b;
    result.tensors = auditTensors(result.a);
    result.countA = result.tensors.size();
    const auto second = auditTensors(result.b);
    result.tensors.insert(result.tensors.end(), second.begin(), second.end());

    result.mix = computeMix(result.tensors);
    for (const Mix::Column& column : result.mix.columns)
        result.layers.push_back({column.label, {}, {}, 0, 0, 0});
    for (const Mix::Role& role : result.mix.roles)
        result.roles.push_back({role.label, {}, {}, 0, 0, 0});
    for (std::size_t i = 0; i < result.tensors.size(); ++i) {
        const bool isA = i < result.countA;
        const Mix::Placement& place = result.mix.placements[i];
        (isA ? result.totalA : result.totalB).add(result.tensors[i]);
        (isA ? result.layers[place.column].a : result.layers[place.column].b).add(result.tensors[i]);
        (isA ? result.roles[place.role].a : result.roles[place.role].b).add(result.tensors[i]);
    }

    result.errorsA = a.problemTotal(Severity::Error);
    result.errorsB = b.problemTotal(Severity::Error);
    compareHeaders(result);
    compareMetadata(result);
    compareTensors(result);
    return result;
}

} // namespace gguf
