// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tensorrows.h"

#include <algorithm>
#include <map>
#include <string>

namespace {

template <class Key, class Value>
std::vector<std::optional<Key>> keysBy(const gguf::Document& document, Value value)
{
    std::vector<std::optional<Key>> keys(document.tensorCount());
    for (std::size_t i = 0; i < keys.size(); ++i)
        keys[i] = value(i);
    return keys;
}

SortKeys numbersBy(const gguf::Document& document, std::optional<std::uint64_t> gguf::Tensor::*field)
{
    return keysBy<std::uint64_t>(document, [&](std::size_t i) { return document.tensor(i).*field; });
}

/// The rank of each tensor's type in the order of the type names.
SortKeys typeRanks(const gguf::Document& document)
{
    std::map<quint32, QString> names;
    std::vector<quint32> ids(document.tensorCount());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        ids[i] = document.tensorTypeId(i);
        if (!names.contains(ids[i]))
            names[ids[i]] = QString::fromStdString(document.tensor(i).typeName());
    }
    std::vector<std::pair<QString, quint32>> sorted;
    for (const auto& [id, name] : names)
        sorted.emplace_back(name.toCaseFolded(), id);
    std::ranges::sort(sorted);
    std::map<quint32, quint32> ranks;
    for (const auto& [name, id] : sorted)
        ranks[id] = static_cast<quint32>(ranks.size());
    return keysBy<quint32>(document, [&](std::size_t i) { return ranks.at(ids[i]); });
}

SortKeys sortKeys(const TensorRowsWish& wish)
{
    const gguf::Document& document = wish.document;
    switch (wish.key) {
    case TensorKey::Name:
        return nameRanks(document);
    case TensorKey::Type:
        return typeRanks(document);
    case TensorKey::Elements:
        return numbersBy(document, &gguf::Tensor::elements);
    case TensorKey::DataBytes:
        return numbersBy(document, &gguf::Tensor::dataBytes);
    case TensorKey::FileOffset:
        return numbersBy(document, &gguf::Tensor::fileOffset);
    case TensorKey::Padding:
        return numbersBy(document, &gguf::Tensor::padding);
    case TensorKey::Offset:
        return keysBy<std::uint64_t>(document, [&](std::size_t i) { return document.tensor(i).offset; });
    case TensorKey::Reserved:
        return keysBy<std::uint64_t>(document, [&](std::size_t i) { return document.tensorSpace(i).reserved; });
    case TensorKey::BitsPerWeight:
        return keysBy<double>(document, [&](std::size_t i) { return document.tensor(i).bitsPerWeight(); });
    case TensorKey::Present:
        return keysBy<double>(document, [&](std::size_t i) { return presentShare(document.tensorSpace(i)); });
    case TensorKey::DerivedNumber:
    case TensorKey::DerivedText:
        return keysOf(document, wish.derived, wish.key == TensorKey::DerivedNumber);
    case TensorKey::FileOrder:
    case TensorKey::Given:
        break;
    }
    return wish.given;
}

} // namespace

std::optional<double> presentShare(const gguf::TensorSpace& space)
{
    if (!space.required)
        return {};
    return *space.required == 0 ? 1.0 : static_cast<double>(space.present) / static_cast<double>(*space.required);
}

SortKeys keysOf(const gguf::Document& document, const TensorValue& value, bool numeric)
{
    const std::size_t count = document.tensorCount();
    std::vector<std::optional<double>> numbers(numeric ? count : 0);
    std::vector<std::optional<QString>> texts(numeric ? 0 : count);
    for (std::size_t i = 0; i < count; ++i) {
        const QVariant one = value(document, i);
        if (one.isValid() && numeric)
            numbers[i] = one.toDouble();
        else if (one.isValid())
            texts[i] = one.toString();
    }
    if (numeric)
        return numbers;
    return texts;
}

TensorRows tensorRows(const TensorRowsWish& wish, const std::stop_token& stop)
{
    RowFilter::Result filtered = wish.filter.filtered(wish.document, stop);
    TensorRows result{std::move(filtered.rows), {}, filtered.undecided};
    if (stop.stop_requested())
        return result;
    // File order is what the filter gives; the spaces that two of the keys need are there when the table is.
    if (wish.document.isFinished() && wish.key != TensorKey::FileOrder)
        sortRows(result.rows, sortKeys(wish), wish.order);
    for (const quint32 row : result.rows) {
        const gguf::Tensor tensor = wish.document.tensor(row);
        result.sum.add(tensor.elements, tensor.dataBytes);
    }
    return result;
}
