// SPDX-License-Identifier: GPL-3.0-or-later
#include "format/knownkeys.h"

#include <QtTest>

using namespace gguf;

class KnownKeysTest : public QObject
{
    Q_OBJECT
private slots:
    void fixedKeys();
    void architectureKeys();
    void numberedKeys();
    void unknownKeys();
    void wrongTypes();
    void everyKeyIsFoundByItsPattern();
};

void KnownKeysTest::fixedKeys()
{
    const KnownKey* key = findKnownKey("general.alignment");
    QVERIFY(key);
    QVERIFY(key->fits(ValueType::UInt32));
    QVERIFY(!key->fits(ValueType::UInt64));
    QCOMPARE(key->unit, std::string_view("bytes"));
}

void KnownKeysTest::architectureKeys()
{
    const KnownKey* key = findKnownKey("llama.attention.head_count");
    QVERIFY(key);
    QCOMPARE(key->pattern, std::string_view("*.attention.head_count"));
    QVERIFY(key->fits(ValueType::UInt32));
    QVERIFY(key->fits(ValueType::Array, ValueType::UInt32)); // one per layer
    QVERIFY(!key->fits(ValueType::Array, ValueType::String));
    QCOMPARE(findKnownKey("clip.vision.attention.head_count"), key); // the prefix may have two parts
    QVERIFY(findKnownKey("clip.vision.image_size"));
}

void KnownKeysTest::numberedKeys()
{
    QVERIFY(findKnownKey("general.base_model.0.name"));
    QCOMPARE(findKnownKey("general.base_model.0.name"), findKnownKey("general.base_model.12.name"));
    QVERIFY(!findKnownKey("general.base_model.x.name"));
}

void KnownKeysTest::unknownKeys()
{
    for (const char* key : {"", ".", "block_count", ".block_count", "general", "general.", "llama.", "zoo.u8",
             "general.block_countx", "llama.block_count."})
        QVERIFY2(!findKnownKey(key), key);
    QVERIFY(!findKnownKey(std::string(100'000, '.')));
}

void KnownKeysTest::wrongTypes()
{
    QVERIFY(!findKnownKey("llama.block_count")->fits(ValueType::String));
    QVERIFY(!findKnownKey("llama.rope.freq_base")->fits(ValueType::Float64));
    QVERIFY(!findKnownKey("tokenizer.ggml.tokens")->fits(ValueType::String));
    QVERIFY(findKnownKey("tokenizer.ggml.tokens")->fits(ValueType::Array)); // an empty array says no more
}

void KnownKeysTest::everyKeyIsFoundByItsPattern()
{
    for (const auto keys : {knownFixedKeys(), knownArchitectureKeys()}) {
        for (const KnownKey& key : keys) {
            std::string name(key.pattern);
            if (const auto star = name.find('*'); star != std::string::npos)
                name.replace(star, 1, star == 0 ? "arch" : "3");
            QCOMPARE(findKnownKey(name), &key);
            QVERIFY(!key.meaning.empty() && !key.meaning.ends_with('.'));
            QVERIFY(key.types != 0 || key.elementTypes != 0);
        }
    }
}

QTEST_APPLESS_MAIN(KnownKeysTest)
#include "tst_knownkeys.moc"
