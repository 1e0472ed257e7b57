// SPDX-License-Identifier: GPL-3.0-or-later
#include "load/loadworker.h"
#include "load/workers.h"

#include "plain/check.h"
#include "support/fakesource.h"
#include "support/ggufwriter.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

namespace {

using namespace std::chrono_literals;

GgufWriter model(int tensors)
{
    GgufWriter writer;
    writer.kv("general.architecture", "llama");
    for (int i = 0; i < tensors; ++i)
        writer.tensor("blk." + std::to_string(i) + ".attn_q.weight", kF32, {8});
    return writer;
}

struct Load
{
    std::stop_source stop;
    std::shared_ptr<LoadMailbox> mailbox;
    std::shared_ptr<std::atomic<std::uint64_t>> refused = std::make_shared<std::atomic<std::uint64_t>>(0);
    Gate woken; ///< opened by the first wake-up

    Load()
        : mailbox(std::make_shared<LoadMailbox>([this] { woken.open(); }))
    {
    }
    LoadOrder order(std::shared_ptr<const gguf::ByteSource> source, std::filesystem::path path = {})
    {
        LoadOrder order;
        order.source = std::move(source);
        order.path = std::move(path);
        order.fileName = "model.gguf";
        order.stop = stop.get_token();
        order.mailbox = mailbox;
        order.refused = refused;
        return order;
    }
};

void allNewsOfAnUnreadLoadAreThere()
{
    Load load;
    const auto source = model(100).source();
    runLoad(load.order(source));
    const std::optional<LoadNews> news = load.mailbox->take();
    CHECK(news && news->parsed && news->inspected && !news->failure);
    CHECK(news->source == source);
    CHECK(news->document->status() == gguf::Status::Ok);
    CHECK(news->document->tensorCount() == 100);
    CHECK(news->bytesRead > 0);
    CHECK(*load.refused == 0);
}

void whatCannotBeOpenedIsSaid()
{
    Load missing;
    runLoad(missing.order(nullptr, "/nowhere/at/all.gguf"));
    std::optional<LoadNews> news = missing.mailbox->take();
    CHECK(news && news->failure && !news->failure->message.empty() && !news->document);

    Load folder;
    runLoad(folder.order(nullptr, std::filesystem::temp_directory_path()));
    news = folder.mailbox->take();
    CHECK(news && news->failure && !news->document);
}

/// A reader takes snapshots while the worker appends to the same parts: nothing may race.
void snapshotsAreReadWhileTheWorkerGoesOn()
{
    Load load;
    std::atomic<bool> done = false;
    std::thread worker([&] {
        runLoad(load.order(model(20'000).source()));
        done = true;
    });
    std::size_t tensors = 0;
    std::size_t takes = 0;
    bool inspected = false;
    while (!inspected) {
        const std::optional<LoadNews> news = load.mailbox->take();
        if (!news || !news->document)
            continue;
        ++takes;
        CHECK(news->document->tensorCount() >= tensors);
        for (; tensors < news->document->tensorCount(); ++tensors)
            CHECK(news->document->tensorName(tensors).starts_with("blk."));
        inspected = news->inspected;
    }
    worker.join();
    CHECK(done && tensors == 20'000 && takes >= 1);
}

/// Let go while a read hangs: the worker's late news are refused, and nothing of the window is touched.
void lateNewsAreRefused()
{
    auto load = std::make_unique<Load>();
    auto gate = std::make_shared<Gate>();
    auto source = std::make_shared<FakeSource>(model(10).bytes());
    source->blockAt(gate);
    const auto refused = load->refused;
    Workers::run([order = load->order(source)] { runLoad(order); }, [](const std::string&) {});
    gate->awaitWaiting();
    CHECK(load->mailbox->take()->source == source);
    CHECK(!Workers::waitForAll(0ms));
    load->stop.request_stop();
    load->mailbox->close();
    load.reset();
    gate->open();
    CHECK(Workers::waitForAll(60s));
    CHECK(*refused > 0);
}

void aFailingReadEndsTheLoad()
{
    Load load;
    auto source = std::make_shared<FakeSource>(model(500).bytes());
    source->failAt(3000);
    runLoad(load.order(source));
    const std::optional<LoadNews> news = load.mailbox->take();
    CHECK(news && news->parsed && news->inspected);
    CHECK(news->document->status() != gguf::Status::Ok);
}

} // namespace

int main()
{
    allNewsOfAnUnreadLoadAreThere();
    whatCannotBeOpenedIsSaid();
    snapshotsAreReadWhileTheWorkerGoesOn();
    lateNewsAreRefused();
    aFailingReadEndsTheLoad();
}
