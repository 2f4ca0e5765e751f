/*
 * Measures the transport against a backend in a process of its own that never sleeps and only counts:
 *
 *     core_bench [ROUNDS]
 *
 * Prints medians over batches, in nanoseconds: the ring's own round trip (an entry is stored, and its completion loaded, by a loop without the
 * library), that of a call that does nothing but reply, and the time of a launch with 48 bytes of parameters.
 */
#define _GNU_SOURCE

#include <inttypes.h>
#include <string.h>

#include "checks.h"
#include "clock.h"
#include "core.h"
#include "fake_backend.h"
#include "gpuvm_cuda_senders.h"
#include "session.h"

enum { BATCH = 500, DEFAULT_ROUNDS = 200, MOST_ROUNDS = 10000 };

static uint64_t times[MOST_ROUNDS];

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void report(const char *name, int rounds)
{
    qsort(times, (size_t)rounds, sizeof *times, compare);
    printf("%-28s median %7.1f  minimum %7.1f ns\n", name, (double)times[rounds / 2] / BATCH, (double)times[0] / BATCH);
}

static void measure(const char *name, int rounds, void (*run)(void))
{
    run();
    for (int i = 0; i < rounds; i++) {
        uint64_t start = gpuvm_now();
        run();
        times[i] = gpuvm_now() - start;
    }
    report(name, rounds);
}

static void calls(void)
{
    for (int i = 0; i < BATCH; i++) {
        CHECK_SUCCESS(gpuvm_enter(GPUVM_OP_Nop));
        CHECK_SUCCESS(gpuvm_leave(GPUVM_OP_Nop, gpuvm_send_Nop()));
    }
}

static uint8_t parameters[48];

static void launches(void)
{
    for (int i = 0; i < BATCH; i++) {
        CHECK_SUCCESS(gpuvm_enter(GPUVM_OP_LaunchKernel));
        CHECK_SUCCESS(gpuvm_leave(GPUVM_OP_LaunchKernel,
            gpuvm_send_LaunchKernel(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, parameters, sizeof parameters)));
    }
}

/* Positions of the loop without the library, which must be the last to use the rings. */
static uint64_t submitted;
static uint64_t completed;

static void round_trips(void)
{
    uint32_t submissions = gpuvm_core.layout.submission_entries - 1;
    uint32_t completions = gpuvm_core.layout.completion_entries - 1;
    for (int i = 0; i < BATCH; i++) {
        struct pv_entry *entry = &gpuvm_core.submissions[submitted & submissions];
        entry->correlation = submitted + 1;
        memset(entry->body, 0, sizeof entry->body);
        pv_publish(entry, submitted++, GPUVM_OP_Nop);
        const struct pv_entry *answer = &gpuvm_core.completions[completed & completions];
        while (!pv_has_arrived(answer, completed))
            gpuvm_spin();
        CHECK_EQUAL(submitted, answer->correlation);
        atomic_store_explicit(gpuvm_core.completion_head, ++completed, memory_order_release);
    }
}

int main(int count, char **arguments)
{
    int rounds = count > 1 ? atoi(arguments[1]) : DEFAULT_ROUNDS;
    CHECK(rounds > 0 && rounds <= MOST_ROUNDS);
    fake_start_process((struct fake_options){.is_busy = true, .is_sink = true, .submission_entries = 1024, .completion_entries = 1024});
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
    uint64_t replies = 1;
    measure("call with reply", rounds, calls);
    replies += (uint64_t)(rounds + 1) * BATCH;
    measure("launch", rounds, launches);
    CHECK_SUCCESS(gpuvm_send_Nop());
    replies++;
    submitted = gpuvm_latest_call();
    completed = replies;
    measure("ring's own round trip", rounds, round_trips);
    return 0;
}
