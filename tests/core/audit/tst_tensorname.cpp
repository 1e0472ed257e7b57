// SPDX-License-Identifier: GPL-3.0-or-later
#include "audit/mix.h"
#include "audit/recipe.h"
#include "audit/tensorname.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

using gguf::RoleKind;
using gguf::TensorGroup;

Q_DECLARE_METATYPE(gguf::RoleKind)
Q_DECLARE_METATYPE(gguf::TensorGroup)

namespace {

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

gguf::AuditTensor tensor(std::string_view name, std::uint32_t type, std::vector<std::int64_t> dims)
{
    gguf::AuditTensor row;
    row.name = name;
    row.typeId = type;
    row.type = gguf::findTensorType(type);
    row.dimCount = static_cast<std::uint32_t>(dims.size());
    std::copy(dims.begin(), dims.end(), row.dims.begin());
    if (const auto size = row.type ? gguf::tensorSize(*row.type, dims) : std::nullopt) {
        row.elements = size->elements;
        row.bytes = size->dataBytes;
    }
    return row;
}

struct ScopeGroup
{
    const char* scope; ///< of the list of known names
    TensorGroup group;
};

constexpr ScopeGroup kScopes[]{{"text", TensorGroup::Text}, {"encoder", TensorGroup::Text},
    {"decoder", TensorGroup::Text}, {"draft", TensorGroup::Text}, {"vision", TensorGroup::Vision},
    {"audio", TensorGroup::Audio}, {"codec", TensorGroup::Audio}, {"vision_proj", TensorGroup::Projector},
    {"audio_proj", TensorGroup::Projector}};

struct GroupKind
{
    const char* group; ///< of the list of known names
    RoleKind kind;
};

constexpr GroupKind kKinds[]{{"norm", RoleKind::Norm}, {"attn", RoleKind::Attention},
    {"attn_indexer/compressor", RoleKind::Attention}, {"ffn_dense", RoleKind::FfnDense},
    {"ffn_moe_routed", RoleKind::FfnRouted}, {"ffn_moe_shared", RoleKind::FfnShared}, {"router", RoleKind::Router},
    {"rwkv", RoleKind::Recurrent}, {"ssm", RoleKind::Recurrent}, {"shortconv", RoleKind::Recurrent},
    {"embedding", RoleKind::Embedding}, {"output", RoleKind::Output}, {"rope", RoleKind::Rope},
    {"nextn/mtp", RoleKind::Draft}};

/// What the list of known names sorts by another view than the one taken here.
struct OwnView
{
    const char* pattern;
    std::optional<TensorGroup> group; ///< nothing: as in the list
    std::optional<RoleKind> kind;
};

constexpr OwnView kOwnViews[]{
    {"resampler.*", TensorGroup::Projector, {}}, // it projects what the vision tower found
    {"*nextn.*norm.weight", {}, RoleKind::Norm}, // a norm, in a draft head too
    {"*time_mix_ln.weight", {}, RoleKind::Norm},
    {"a.embd_to_logits.weight", {}, RoleKind::Output},
    {"altup_unembd_proj.weight", {}, RoleKind::Output},
};

/// gguf::MixCategory as the list of known names writes it.
constexpr const char* kCategoryNames[]{"OUTPUT", "TOKEN_EMBD", "ATTN_V_LIKE", "ATTN_K", "ATTN_Q", "ATTN_OUTPUT",
    "FFN_UP", "FFN_GATE", "FFN_DOWN", "OTHER"};

} // namespace

class TensorNameTest : public QObject
{
    Q_OBJECT
private slots:
    void places_data()
    {
        QTest::addColumn<QString>("list");
        QTest::addColumn<int>("layer"); // -1: none
        QTest::addColumn<QString>("role");
        QTest::addColumn<TensorGroup>("group");
        QTest::addColumn<RoleKind>("kind");
        const auto row = [](const char* name, const char* list, int layer, const char* role,
                             TensorGroup group, RoleKind kind) {
            QTest::newRow(name) << QString::fromLatin1(list) << layer << QString::fromLatin1(role) << group
                                << kind;
        };
        using enum RoleKind;
        using G = TensorGroup;
        row("token_embd.weight", "", -1, "token_embd", G::Text, Embedding);
        row("output.weight", "", -1, "output", G::Text, Output);
        row("output_norm.weight", "", -1, "output_norm", G::Text, Norm);
        row("rope_freqs.weight", "", -1, "rope_freqs", G::Text, Rope);
        row("blk.0.attn_q.weight", "blk", 0, "attn_q", G::Text, Attention);
        row("blk.31.attn_q.bias", "blk", 31, "attn_q.bias", G::Text, Bias);
        row("blk.125.attn_norm.weight", "blk", 125, "attn_norm", G::Text, Norm);
        row("blk.3.attn_kv_a_mqa.weight", "blk", 3, "attn_kv_a_mqa", G::Text, Attention);
        row("blk.3.attn_rot_embd", "blk", 3, "attn_rot_embd", G::Text, Attention);
        row("blk.3.indexer.attn_k.weight", "blk", 3, "indexer.attn_k", G::Text, Attention);
        row("blk.3.ffn_down.weight", "blk", 3, "ffn_down", G::Text, FfnDense);
        row("blk.3.ffn_gate_exps.weight", "blk", 3, "ffn_gate_exps", G::Text, FfnRouted);
        row("blk.3.ffn_up_chexps.weight", "blk", 3, "ffn_up_chexps", G::Text, FfnRouted);
        row("blk.3.ffn_up_shexp.weight", "blk", 3, "ffn_up_shexp", G::Text, FfnShared);
        row("blk.3.ffn_gate_inp.weight", "blk", 3, "ffn_gate_inp", G::Text, Router);
        row("blk.3.ffn_gate_inp_shexp.weight", "blk", 3, "ffn_gate_inp_shexp", G::Text, Router);
        row("blk.3.exp_probs_b.bias", "blk", 3, "exp_probs_b.bias", G::Text, Router);
        row("blk.3.ssm_a", "blk", 3, "ssm_a", G::Text, Recurrent);
        row("blk.3.ssm_norm.weight", "blk", 3, "ssm_norm", G::Text, Norm);
        row("blk.3.time_mix_w1.weight", "blk", 3, "time_mix_w1", G::Text, Recurrent);
        row("blk.3.nextn.eh_proj.weight", "blk", 3, "nextn.eh_proj", G::Text, Draft);
        row("blk.7.ffn_gate.5.weight", "blk", 7, "ffn_gate_exps", G::Text, FfnRouted);
        row("dec.blk.2.cross_attn_q.weight", "dec.blk", 2, "cross_attn_q", G::Text, Attention);
        row("v.blk.4.attn_out.weight", "v.blk", 4, "attn_out", G::Vision, Attention);
        row("v.blk.4.ln1.weight", "v.blk", 4, "ln1", G::Vision, Norm);
        row("v.patch_embd.weight", "", -1, "v.patch_embd", G::Vision, Embedding);
        row("v.post_ln.weight", "", -1, "v.post_ln", G::Vision, Norm);
        row("a.blk.1.ffn_up.weight", "a.blk", 1, "ffn_up", G::Audio, FfnDense);
        row("mm.2.weight", "", -1, "mm.2", G::Projector, Other);
        row("mm.model.mlp.0.weight", "", -1, "mm.model.mlp.0", G::Projector, FfnDense);
        row("double_blocks.11.img_attn.qkv.weight", "double_blocks", 11, "img_attn.qkv", G::Diffusion,
            Attention);
        row("single_blocks.3.linear1.weight", "single_blocks", 3, "linear1", G::Diffusion, Other);
        row("model.diffusion_model.input_blocks.4.1.norm.weight", "input_blocks", 4, "1.norm", G::Diffusion,
            Norm);
        row("model.diffusion_model.out.2.weight", "", -1, "out.2", G::Diffusion, Other);
        row("blk.0.attn_q.weight.lora_a", "blk", 0, "attn_q.weight.lora_a", G::Adapter, Attention);
        row("enc.blk.5.attn_o.weight", "enc.blk", 5, "attn_o", G::Text, Attention);
        row("v.sam.blk.4.attn.qkv.weight", "v.sam.blk", 4, "attn.qkv", G::Vision, Attention);
        row("v.proj_blk.1.query", "v.proj_blk", 1, "query", G::Vision, Other);
        row("v.deepstack.8.fc1.weight", "v.deepstack", 8, "fc1", G::Vision, Other);
        row("v.vit_merger.ln1.weight", "", -1, "v.vit_merger.ln1", G::Vision, Norm);
        row("a.proj_blk.2.ffn_up.weight", "a.proj_blk", 2, "ffn_up", G::Audio, FfnDense);
        row("a.conv1d.1.bias", "", -1, "a.conv1d.1.bias", G::Audio, Bias);
        row("posnet.3.attn_q.weight", "posnet", 3, "attn_q", G::Audio, Attention);
        row("mm.a.local_blk.3.attn_q.weight", "mm.a.local_blk", 3, "attn_q", G::Projector, Attention);
        row("resampler.ln_q.weight", "", -1, "resampler.ln_q", G::Projector, Norm);
        row("d2t", "", -1, "d2t", G::Text, Draft);
        row("per_layer_token_embd.weight", "", -1, "per_layer_token_embd", G::Text, Embedding);
        row("blk.9.shortconv.conv.weight", "blk", 9, "shortconv.conv", G::Text, Recurrent);
        row("blk.9.ffn_down.127.weight", "blk", 9, "ffn_down_exps", G::Text, FfnRouted);
        row("joint_blocks.5.x_block.mlp.fc1.weight", "joint_blocks", 5, "x_block.mlp.fc1", G::Diffusion, FfnDense);
        row("transformer_blocks.5.attn1.to_q.weight", "transformer_blocks", 5, "attn1.to_q", G::Diffusion, Attention);
        row("txt_in.individual_token_refiner.blocks.1.mlp.fc1.weight", "txt_in.individual_token_refiner.blocks", 1,
            "mlp.fc1", G::Diffusion, FfnDense);
        row("mystery", "", -1, "mystery", G::Other, Other);
        row("some.stack.12.thing.weight", "some.stack", 12, "thing", G::Other, Other);
        row("some.stack.99999999999.thing", "", -1, "some.stack.99999999999.thing", G::Other, Other);
        row("blk..weight", "", -1, "blk.", G::Other, Other);
        row("blk.1.weight", "blk", 1, "weight", G::Text, Other);
        row("", "", -1, "", G::Other, Other);
        row(".weight", "", -1, ".weight", G::Other, Other);
    }

    void places()
    {
        QFETCH(QString, list);
        QFETCH(int, layer);
        QFETCH(QString, role);
        QFETCH(TensorGroup, group);
        QFETCH(RoleKind, kind);
        const std::string name = QTest::currentDataTag();
        const gguf::TensorPlace place = gguf::placeTensor(name);
        QCOMPARE(text(place.list), list);
        QCOMPARE(place.layer ? static_cast<int>(*place.layer) : -1, layer);
        QCOMPARE(text(place.role), role);
        QCOMPARE(text(gguf::tensorGroupName(place.group)), text(gguf::tensorGroupName(group)));
        QCOMPARE(text(gguf::roleKindName(place.kind)), text(gguf::roleKindName(kind)));
    }

    /// Every name that llama.cpp's converters write, where the list of them is at hand.
    void allKnownNames_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("layer");
        QTest::addColumn<QString>("role");
        QTest::addColumn<QString>("scope");
        QTest::addColumn<QString>("group");
        QTest::addColumn<QString>("category");
        QFile file(QStringLiteral(GGUF_MODELS_DIR "/../facts/tensor_roles.csv"));
        if (!file.open(QIODevice::ReadOnly))
            QSKIP("The list of known names is not given.");
        const QStringList lines = QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
        QVERIFY(lines.size() > 400);
        for (const QString& line : lines.mid(1)) {
            const QStringList cells = line.split(u',');
            const QString bid = QStringLiteral("{bid}");
            QString name = cells[0];
            // A number at the end is part of a role such as mm.2; before more components it is the block's.
            const bool inBlock = name.contains(bid + u'.') && !name.startsWith(QLatin1String("a.conv1d"))
                && cells[3] == name.section(bid + u'.', 1);
            QString role = inBlock ? cells[3] : name;
            name.replace(bid, QStringLiteral("7"));
            role.replace(bid, QStringLiteral("7"));
            QTest::newRow(qPrintable(cells[0])) << QString(name + QStringLiteral(".weight")) << (inBlock ? 7 : -1) << role
                                                << cells[1] << cells[4] << cells[5].trimmed();
        }
    }

    void allKnownNames()
    {
        QFETCH(QString, name);
        QFETCH(int, layer);
        QFETCH(QString, role);
        QFETCH(QString, scope);
        QFETCH(QString, group);
        QFETCH(QString, category);
        const std::string bytes = name.toStdString();
        const gguf::TensorPlace place = gguf::placeTensor(bytes);
        QCOMPARE(place.layer ? static_cast<int>(*place.layer) : -1, layer);
        QCOMPARE(text(place.role), role);
        QCOMPARE(QLatin1String(kCategoryNames[static_cast<std::size_t>(gguf::mixCategory(bytes))]), category);
        const auto own = std::ranges::find_if(
            kOwnViews, [&bytes](const OwnView& row) { return gguf::matchesGlob(bytes, row.pattern); });
        const bool isOwn = own != std::end(kOwnViews);

        const auto scopeRow = std::ranges::find_if(
            kScopes, [&scope](const ScopeGroup& row) { return scope == QLatin1String(row.scope); });
        QVERIFY(scopeRow != std::end(kScopes));
        const TensorGroup wanted = isOwn && own->group ? *own->group : scopeRow->group;
        QCOMPARE(text(gguf::tensorGroupName(place.group)), text(gguf::tensorGroupName(wanted)));

        const auto kindRow = std::ranges::find_if(
            kKinds, [&group](const GroupKind& row) { return group == QLatin1String(row.group); });
        if (kindRow == std::end(kKinds))
            return; // "other" and families of one architecture: no kind is expected
        const RoleKind kind = isOwn && own->kind ? *own->kind : kindRow->kind;
        QCOMPARE(text(gguf::roleKindName(place.kind)), text(gguf::roleKindName(kind)));
    }

    void oldExpertNamesMergeIntoOneRole()
    {
        const gguf::TensorPlace place = gguf::placeTensor("blk.7.ffn_down.12.weight");
        QCOMPARE(text(place.role), QStringLiteral("ffn_down_exps"));
        QCOMPARE(place.expert.value_or(0), 12U);
    }

    void globs()
    {
        QVERIFY(gguf::matchesGlob("attn_norm", "*norm*"));
        QVERIFY(gguf::matchesGlob("norm", "*norm*"));
        QVERIFY(gguf::matchesGlob("", "*"));
        QVERIFY(gguf::matchesGlob("aXbXc", "a*b*c"));
        QVERIFY(!gguf::matchesGlob("attn", "attn_*"));
        QVERIFY(!gguf::matchesGlob("abc", "ab"));
        QVERIFY(!gguf::matchesGlob("ab", "abc"));
    }

    void mixSumsByTypeLayerAndRole()
    {
        const std::vector<gguf::AuditTensor> tensors{tensor("output.weight", 14, {256, 4}),
            tensor("token_embd.weight", 12, {256, 4}), tensor("blk.10.attn_q.weight", 12, {256, 2}),
            tensor("blk.2.attn_q.weight", 14, {256, 2}),
            tensor("blk.2.ffn_gate_exps.weight", 12, {256, 2, 8}), tensor("blk.2.attn_norm.weight", 0, {256}),
            tensor("blk.2.odd", 9999, {3})};
        const gguf::Mix mix = gguf::computeMix(tensors);
        QCOMPARE(mix.total.tensors, 7U);
        QCOMPARE(mix.total.unsized, 1U);
        QCOMPARE(mix.total.bytes, 4 * 210U + 4 * 144 + 2 * 144 + 2 * 210 + 16 * 144 + 1024);
        QCOMPARE(mix.expertCount, 8U);

        QStringList columns;
        for (const auto& column : mix.columns)
            columns << QString::fromStdString(column.label);
        QCOMPARE(columns,
            (QStringList{QStringLiteral("before"), QStringLiteral("2"), QStringLiteral("10"),
                QStringLiteral("after")}));
        QStringList roles;
        for (const auto& role : mix.roles)
            roles << QString::fromStdString(role.label);
        QCOMPARE(roles.first(), QStringLiteral("token_embd"));
        QVERIFY(roles.indexOf(QStringLiteral("attn_q")) < roles.indexOf(QStringLiteral("ffn_gate_exps")));

        QCOMPARE(mix.dominantType()->name, std::string("Q4_K"));
        QCOMPARE(mix.types.front().sum.tensors, 3U);
        // Q4_K: 144 bytes for 256 weights.
        QCOMPARE(mix.types.front().sum.bitsPerWeight().value_or(0), 4.5);

        std::uint64_t bytes = 0, cells = 0;
        for (const auto& column : mix.columns) {
            for (const auto& [type, sum] : column.byType)
                bytes += sum.bytes;
        }
        for (const auto& cell : mix.cells)
            cells += cell.count;
        QCOMPARE(bytes, mix.total.bytes);
        QCOMPARE(cells, mix.total.tensors);
    }

    void cellsWithSeveralTypesSaySo()
    {
        std::vector<gguf::AuditTensor> tensors;
        std::vector<std::string> names;
        for (int expert = 0; expert < 4; ++expert)
            names.push_back("blk.0.ffn_up." + std::to_string(expert) + ".weight");
        for (int expert = 0; expert < 4; ++expert)
            tensors.push_back(
                tensor(names[static_cast<std::size_t>(expert)], expert == 3 ? 14 : 12, {256, 2}));
        const gguf::Mix mix = gguf::computeMix(tensors);
        QCOMPARE(mix.cells.size(), 1U);
        QCOMPARE(mix.cells.front().count, 4U);
        QVERIFY(mix.cells.front().mixed);
        QCOMPARE(mix.types[mix.cells.front().type].name, std::string("Q4_K"));
        QCOMPARE(mix.expertCount, 4U);
    }

    void sumsSaturate()
    {
        std::vector<gguf::AuditTensor> tensors(2, tensor("x", 0, {4}));
        tensors[0].bytes = tensors[1].bytes = UINT64_MAX - 3;
        QCOMPARE(gguf::computeMix(tensors).total.bytes, UINT64_MAX);
    }
};

QTEST_GUILESS_MAIN(TensorNameTest)
#include "tst_tensorname.moc"
