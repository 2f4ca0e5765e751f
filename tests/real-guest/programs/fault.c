// Accesses unmapped GPU addresses in several ways. Each time the driver must log the MMU fault with
// address, engine and channel, and kill that channel; an older channel and a new one must still
// work.

#include "engines.h"
#include "nouveau.h"
#include "pattern.h"
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 64 << 10, PAGE = 4096, KILL_LIMIT_MS = 20000, POLL_MS = 10 };

static struct nouveau gpu;

struct fault_case {
    const char *what;
    int engine;
    bool write, stale;
    // Names in the driver's log: nvkm/engine/fifo/gf100.c of nouveau.
    const char *engine_name, *client;
};

static const struct fault_case fault_cases[] = {
    {"M2MF reads", M2MF, false, false, "PGRAPH", "DISPATCH"},
    {"M2MF writes", M2MF, true, true, "PGRAPH", "DISPATCH"},
    {"copy engine 0 reads", COPY0, false, true, "PCE0", "PCOPY0"},
    {"copy engine 1 writes", COPY1, true, false, "PCE1", "PCOPY1"},
};

// Address far from all mappings: it has no page table.
static const uint64_t remote_va = 0xab12345000;

// Returns an address that was just unmapped, among mapped addresses.
static uint64_t stale_va(void) {
    struct buffer gone = buffer_new(&gpu, VRAM, BYTES);
    uint64_t gpu_va = gone.gpu_va;
    buffer_free(&gpu, &gone);
    return gpu_va;
}

// Linux before 6.2 has a slightly different message.
static void expect_log(const struct fault_case *c, uint64_t unmapped_va, int channel) {
    report_expected_log("(%s) at 0*%" PRIx64 " engine [0-9a-f]+ \\[%s\\] client [0-9a-f]+ "
                        "\\[(HUB/)?%s\\] reason %s on channel %d \\[[0-9a-f]+ fault\\[%d\\]\\]",
                        c->write ? "fault 01 \\[WRITE\\]|write fault"
                                 : "fault 00 \\[READ\\]|read fault",
                        unmapped_va, c->engine_name, c->client,
                        c->stale ? "02 \\[PAGE_NOT_PRESENT\\]" : "00 \\[PT_NOT_PRESENT\\]", channel,
                        getpid());
    report_expected_log("fault\\[%d\\]: channel %d killed!", getpid(), channel);
}

// Polls with empty submissions until the driver refuses the channel.
static int wait_until_killed(struct channel *channel) {
    for (int waited = 0; waited < KILL_LIMIT_MS; waited += POLL_MS) {
        int error = push_submit(&gpu, channel);
        if (error) {
            return error;
        }
        usleep(POLL_MS * 1000);
    }
    return 0;
}

static void touch_unmapped(const struct fault_case *c, struct channel *channel) {
    struct buffer mapped = buffer_new(&gpu, GART, BYTES);
    uint64_t unmapped_va = c->stale ? stale_va() : remote_va;
    struct rectangle page = whole(PAGE);
    pattern_fill(buffer_map(&gpu, &mapped), BYTES, unmapped_va);
    expect_log(c, unmapped_va, channel->id);

    push_use(channel, &mapped, GART, true);
    engine_copy(channel, &engines[c->engine], c->write ? mapped.gpu_va : unmapped_va,
                c->write ? unmapped_va : mapped.gpu_va, &page);
    // The channel may be dead before the driver has finished with the submission.
    int error = push_submit(&gpu, channel);
    report_check(!error || error == ENODEV, "%s %" PRIx64 " on channel %d: %s", c->what,
                 unmapped_va, channel->id, strerror(error));
    error = wait_until_killed(channel);
    report_check(error == ENODEV, "channel %d refuses submissions: %s", channel->id,
                 strerror(error));
    buffer_wait(&gpu, &mapped);
    int64_t wrong = pattern_first_difference(mapped.memory, BYTES, unmapped_va);
    report_data(wrong, "unchanged by the faulting copy");
    buffer_free(&gpu, &mapped);
}

// Checks that a channel with M2MF bound still copies memory.
static void check_that_it_copies(const char *which, struct channel *channel, uint64_t seed) {
    struct buffer from = buffer_new(&gpu, GART, BYTES), to = buffer_new(&gpu, GART, BYTES);
    struct rectangle all = whole(BYTES);
    pattern_fill(buffer_map(&gpu, &from), BYTES, seed);
    memset(buffer_map(&gpu, &to), 0, BYTES);
    push_use(channel, &from, GART, false);
    push_use(channel, &to, GART, true);
    engine_copy(channel, &engines[M2MF], from.gpu_va, to.gpu_va, &all);
    int error = push_submit(&gpu, channel);
    error = error ? error : buffer_wait(&gpu, &to);
    int64_t wrong = pattern_first_difference(to.memory, BYTES, seed);
    report_check(!error, "%s channel %d accepts work: %s", which, channel->id, strerror(error));
    report_data(wrong, "copied by %s channel", which);
    buffer_free(&gpu, &from);
    buffer_free(&gpu, &to);
}

static void test_case(const struct fault_case *c, struct channel *bystander) {
    struct channel victim = channel_open(&gpu);
    if (!engine_bind(&gpu, &victim, &engines[c->engine])) {
        report_skipped(engines[c->engine].name, "the driver offers no such engine");
    } else {
        touch_unmapped(c, &victim);
        check_that_it_copies("an older", bystander, 1);
        struct channel next = channel_open(&gpu);
        engine_bind(&gpu, &next, &engines[M2MF]);
        check_that_it_copies("a new", &next, 2);
        channel_close(&gpu, &next);
    }
    channel_close(&gpu, &victim);
}

int main(void) {
    gpu = nouveau_open();
    struct channel bystander = channel_open(&gpu);
    engine_bind(&gpu, &bystander, &engines[M2MF]);
    for (size_t i = 0; i < sizeof fault_cases / sizeof *fault_cases; i++) {
        test_case(&fault_cases[i], &bystander);
    }
    channel_close(&gpu, &bystander);
    return report_status();
}
