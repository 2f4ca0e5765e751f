// Launches invalid compute kernels of several kinds. Each time the driver must log the hardware's
// report. A channel whose kernel executed an illegal instruction continues with its next launch;
// a channel whose kernel accessed unmapped memory or never ends is killed, and a new channel works.
//
// A watchdog of the device, or the backend that shares the device, must end a launch that never
// ends.

#include "compute.h"
#include "nouveau.h"
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 64 << 10, BLOCKS = 8, THREADS = BLOCKS * WARP, KILL_LIMIT_MS = 60000, POLL_MS = 10 };

// Layout of the buffer that a channel's launches use.
enum { CODE = 0, CODE_STRIDE = 0x400, CONSTANTS = 0x4000, RESULTS = 0x8000 };

// Constant bank 0: address of the results, low and high, and the addend of each thread's number.
enum { KERNEL_CONSTANTS = 3 };

#define INSTRUCTION(word) (uint32_t)(word), (uint32_t)((word) >> 32)

// result[block * 32 + thread] = block * 32 + thread + constant
#define NUMBER_THREADS                                                                             \
    INSTRUCTION(0x2c00000094001c04) /* S2R R0, SR_CTAID.X */                                       \
    , INSTRUCTION(0x2c00000084005c04) /* S2R R1, SR_TID.X */                                       \
    , INSTRUCTION(0x4000000004001ca3) /* ISCADD R0, R0, R1, 0x5 */                                 \
    , INSTRUCTION(0x4800400020011c03) /* IADD R4, R0, c[0x0][0x8] */                               \
    , INSTRUCTION(0x4000400000009c43) /* ISCADD R2, R0, c[0x0][0x0], 0x2 */                        \
    , INSTRUCTION(0x280040001000dde4) /* MOV R3, c[0x0][0x4] */

static const uint32_t good[] = {
    NUMBER_THREADS,
    INSTRUCTION(0x9400000000211c85), // ST.E [R2], R4
    INSTRUCTION(0x8000000000001de7), // EXIT
};
static const uint32_t illegal[] = {
    NUMBER_THREADS,
    INSTRUCTION(0xffffffffffffdfff), // not an instruction
    INSTRUCTION(0x8000000000001de7), // EXIT
};
static const uint32_t endless[] = {
    INSTRUCTION(0x4003ffffe0001de7), // BRA, to itself
};

struct kernel {
    const uint32_t *words;
    size_t bytes;
};

enum { GOOD, ILLEGAL, ENDLESS, KERNELS };
static const struct kernel kernels[KERNELS] = {
    [GOOD] = {good, sizeof good},
    [ILLEGAL] = {illegal, sizeof illegal},
    [ENDLESS] = {endless, sizeof endless},
};

static struct nouveau gpu;

// Channel for compute, with the buffer that its launches use.
//
// Channels must not share buffers. A fence that was signalled while a thread began to wait for it
// retains a pointer to its channel (nouveau_fence_no_signaling of nouveau_fence.c), and a buffer
// retains its last fences. The next channel that uses the buffer follows the pointer, even to a
// closed channel (nouveau_fence_sync), which caused an oops on 7.2.
struct worker {
    struct channel channel;
    struct buffer memory;
};

static struct worker worker_new(void) {
    struct worker worker = {
        .channel = channel_open(&gpu),
        .memory = buffer_new(&gpu, GART, BYTES),
    };
    compute_bind(&gpu, &worker.channel);
    char *memory = buffer_map(&gpu, &worker.memory);
    for (int i = 0; i < KERNELS; i++) {
        memcpy(memory + CODE + i * CODE_STRIDE, kernels[i].words, kernels[i].bytes);
    }
    return worker;
}

static void worker_free(struct worker *worker) {
    channel_close(&gpu, &worker->channel);
    buffer_free(&gpu, &worker->memory);
}

static uint32_t *results_of(const struct worker *worker) {
    return (uint32_t *)((char *)worker->memory.memory + RESULTS);
}

static uint64_t results_va(const struct worker *worker) {
    return worker->memory.gpu_va + RESULTS;
}

// Launches a kernel that stores at an address, with a number of blocks.
static int launch(struct worker *worker, int kernel, uint64_t stored_va, uint32_t added,
                  uint32_t blocks) {
    uint32_t constants[KERNEL_CONSTANTS] = {LOW(stored_va), HIGH(stored_va), added};
    struct launch what = {
        .code_va = worker->memory.gpu_va + CODE + (uint64_t)kernel * CODE_STRIDE,
        .constants_va = worker->memory.gpu_va + CONSTANTS,
        .blocks = blocks,
        .registers = 8,
        .constants = constants,
        .constant_count = KERNEL_CONSTANTS,
    };
    push_use(&worker->channel, &worker->memory, GART, true);
    compute_launch(&worker->channel, &what);
    return push_submit(&gpu, &worker->channel);
}

static void check_that_it_computes(const char *which, struct worker *worker, uint32_t added) {
    uint32_t *results = results_of(worker);
    memset(results, 0, THREADS * sizeof *results);
    int error = launch(worker, GOOD, results_va(worker), added, BLOCKS);
    error = error ? error : buffer_wait(&gpu, &worker->memory);
    report_check(!error, "%s channel %d accepts a launch: %s", which, worker->channel.id,
                 strerror(error));
    int64_t wrong = -1;
    for (uint32_t i = 0; i < THREADS && wrong < 0; i++) {
        wrong = results[i] == i + added ? -1 : (int64_t)(i * sizeof *results);
    }
    report_data(wrong, "computed by %s channel", which);
}

// Expects the first line that nvkm/engine/gr/gf100.c prints.
static void expect_trap(const struct channel *channel, const char *warp_error) {
    report_expected_log("gr: TRAP ch %d \\[[0-9a-f]+ gpu-trap\\[%d\\]\\]", channel->id, getpid());
    report_expected_log("gr: GPC[0-3]/TPC[0-3]/MP trap: global [0-9a-f]+ \\[[A-Z_ ]*\\] %s",
                        warp_error);
}

static void test_traps(void) {
    struct worker worker = worker_new();
    check_that_it_computes("a new", &worker, 100);

    expect_trap(&worker.channel, "warp 0009 \\[ILLEGAL_INSTR_ENCODING\\]");
    int error = launch(&worker, ILLEGAL, results_va(&worker), 0, BLOCKS);
    report_check(!error, "a launch with an illegal instruction is accepted: %s", strerror(error));
    check_that_it_computes("the same", &worker, 200);

    expect_trap(&worker.channel, "warp 000f \\[MISALIGNED_ADDR\\]");
    error = launch(&worker, GOOD, results_va(&worker) + 2, 0, BLOCKS);
    report_check(!error, "a launch with misaligned stores is accepted: %s", strerror(error));
    check_that_it_computes("the same", &worker, 300);

    report_expected_log("gr: DATA_ERROR 00000004 \\[INVALID_VALUE\\] ch %d .* class 90c0 mthd 0368",
                        worker.channel.id);
    error = launch(&worker, GOOD, results_va(&worker), 0, 0);
    report_check(!error, "a launch without blocks is accepted: %s", strerror(error));
    check_that_it_computes("the same", &worker, 400);
    worker_free(&worker);
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

static void expect_death(struct worker *victim, int kernel, uint64_t stored_va,
                         const char *what) {
    int id = victim->channel.id;
    report_expected_log("gpu-trap\\[%d\\]: channel %d killed!", getpid(), id);
    int error = launch(victim, kernel, stored_va, 0, BLOCKS);
    // The channel may be dead before the driver has finished with the submission.
    report_check(!error || error == ENODEV, "%s on channel %d: %s", what, id, strerror(error));
    error = wait_until_killed(&victim->channel);
    report_check(error == ENODEV, "channel %d refuses submissions: %s", id, strerror(error));
    buffer_wait(&gpu, &victim->memory);
}

static void test_deaths(struct worker *bystander) {
    // Address far from all mappings: it has no page table.
    const uint64_t remote_va = 0xab12345000;
    struct worker victim = worker_new();
    report_expected_log("(fault 01 \\[WRITE\\]|write fault) at 0*%" PRIx64 "[0-9a-f]{3} engine 00 "
                        "\\[PGRAPH\\] client 0[0369] \\[GPC[0-3]/[A-Z0-9_]*\\] reason 00 "
                        "\\[PT_NOT_PRESENT\\] on channel %d \\[[0-9a-f]+ gpu-trap\\[%d\\]\\]",
                        remote_va >> 12, victim.channel.id, getpid());
    expect_death(&victim, GOOD, remote_va, "a store to unmapped memory");
    check_that_it_computes("an older", bystander, 500);
    worker_free(&victim);

    victim = worker_new();
    check_that_it_computes("a new", &victim, 600);
    report_expected_log("SCHED_ERROR 0a \\[CTXSW_TIMEOUT\\]");
    expect_death(&victim, ENDLESS, results_va(&victim), "a launch without end");
    check_that_it_computes("an older", bystander, 700);
    worker_free(&victim);

    victim = worker_new();
    check_that_it_computes("a new", &victim, 800);
    worker_free(&victim);
}

int main(void) {
    gpu = nouveau_open();
    struct worker bystander = worker_new();
    check_that_it_computes("a first", &bystander, 0);
    test_traps();
    test_deaths(&bystander);
    worker_free(&bystander);
    return report_status();
}
