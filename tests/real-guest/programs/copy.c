// Moves data through the GPU by every path that nouveau offers, and checks each byte: with the copy
// engines and M2MF on its own channel, with buffers that the driver moves between VRAM and system
// memory, and with the CPU through BAR1. Also checks that waits for the GPU end by interrupts.
//
// Argument: seed=NUMBER for the patterns (default: random; the seed is printed).

#include "engines.h"
#include "nouveau.h"
#include "pattern.h"
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum {
    KIB = 1 << 10,
    MIB = 1 << 20,
    BULK_BYTES = 64 * MIB,
    STRIDED_BYTES = 256 * KIB,
    MANY_WAITS = 1000,
    WAIT_LIMIT_MS = 10000, // far below the driver's own limit of 30 s
};

static struct nouveau gpu;
static struct channel channel;
static uint64_t longest_wait_ms;

static uint64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

// Calls a function with each line of the GPU in /proc/interrupts: nouveau requests its interrupt as
// "nvkm". Each line contains the counts per CPU, then the controller and the interrupt's kind.
static void each_interrupt_line(void (*take)(const char *counts)) {
    FILE *file = fopen("/proc/interrupts", "r");
    char line[1024];
    while (file && fgets(line, sizeof line, file)) {
        if (strstr(line, "nvkm")) {
            line[strcspn(line, "\n")] = 0;
            take(strchr(line, ':') + 1);
        }
    }
    if (file) {
        fclose(file);
    }
}

static uint64_t interrupts_counted;

static void add_counts(const char *counts) {
    for (char *end; interrupts_counted += strtoull(counts, &end, 10), end != counts; counts = end) {
    }
}

static void note_line(const char *counts) {
    report_note("interrupt line: %s", counts + strspn(counts, " 0123456789"));
}

// Number of interrupts of the GPU since boot, on all CPUs.
static uint64_t interrupt_count(void) {
    interrupts_counted = 0;
    each_interrupt_line(add_counts);
    return interrupts_counted;
}

static void wait_for(const struct buffer *buffer) {
    uint64_t begin = now_ms();
    int error = buffer_wait(&gpu, buffer);
    uint64_t took = now_ms() - begin;
    longest_wait_ms = took > longest_wait_ms ? took : longest_wait_ms;
    if (error) {
        report_fatal("waiting for the GPU: %s after %" PRIu64 " ms", strerror(error), took);
    }
}

static void submit(void) {
    int error = push_submit(&gpu, &channel);
    if (error) {
        report_fatal("submitting: %s", strerror(error));
    }
}

static void copy_and_wait(const struct engine *engine, const struct buffer *from,
                          const struct buffer *to, const struct rectangle *rectangle) {
    push_use(&channel, from, from->domains, false);
    push_use(&channel, to, to->domains, true);
    engine_copy(&channel, engine, from->gpu_va, to->gpu_va, rectangle);
    submit();
    wait_for(to);
}

static void copy_whole(const struct engine *engine, const struct buffer *from,
                       const struct buffer *to) {
    struct rectangle all = whole(to->bytes);
    copy_and_wait(engine, from, to, &all);
}

// Copies 64 MiB from system memory to VRAM, on to other VRAM, and back.
static void test_bulk(const struct engine *engine, uint64_t seed) {
    struct buffer source = buffer_new(&gpu, GART, BULK_BYTES);
    struct buffer vram = buffer_new(&gpu, VRAM, BULK_BYTES);
    struct buffer more_vram = buffer_new(&gpu, VRAM, BULK_BYTES);
    struct buffer sink = buffer_new(&gpu, GART, BULK_BYTES);
    pattern_fill(buffer_map(&gpu, &source), BULK_BYTES, seed);
    memset(buffer_map(&gpu, &sink), 0, BULK_BYTES);

    uint64_t begin = now_ms();
    copy_whole(engine, &source, &vram);
    copy_whole(engine, &vram, &more_vram);
    copy_whole(engine, &more_vram, &sink);
    uint64_t took = now_ms() - begin;

    int64_t wrong = pattern_first_difference(sink.memory, BULK_BYTES, seed);
    report_data(wrong, "%s: 64 MiB host to VRAM, VRAM to VRAM, VRAM to host in %" PRIu64 " ms",
                engine->name, took);
    report_moved(engine->name, 3ull * BULK_BYTES);
    buffer_free(&gpu, &source);
    buffer_free(&gpu, &vram);
    buffer_free(&gpu, &more_vram);
    buffer_free(&gpu, &sink);
}

static const struct rectangle rectangles[] = {
    // line bytes, lines, from: offset, pitch, to: offset, pitch
    {1, 1, 0, 1, 4095, 1},
    {3, 5, 1, 7, 2, 11},
    {64, 64, 0, 64, 64, 64},
    {1021, 97, 13, 1024, 4093, 1021},
    {4096, 33, 2048, 4096, 1, 5003},
    {5, 2047, 4095, 61, 77, 127},
    {12345, 9, 333, 20011, 4097, 16001},
};

// Performs one strided copy between two buffers and checks that all bytes inside the rectangle are
// correct and all others unchanged. Returns the offset of the first wrong byte, or -1.
static int64_t copy_rectangle(const struct engine *engine, const struct rectangle *rectangle,
                              struct buffer *from, struct buffer *to, struct buffer *host,
                              uint64_t seed) {
    uint8_t *expected = malloc(STRIDED_BYTES);
    uint8_t *source = malloc(STRIDED_BYTES);
    pattern_fill(source, STRIDED_BYTES, seed);
    pattern_fill(expected, STRIDED_BYTES, ~seed);
    for (uint32_t y = 0; y < rectangle->lines; y++) {
        memcpy(expected + rectangle->to_offset + y * rectangle->to_pitch,
               source + rectangle->from_offset + y * rectangle->from_pitch, rectangle->line_bytes);
    }

    memcpy(host->memory, source, STRIDED_BYTES);
    copy_whole(engine, host, from);
    pattern_fill(host->memory, STRIDED_BYTES, ~seed);
    copy_whole(engine, host, to);
    copy_and_wait(engine, from, to, rectangle);
    memset(host->memory, 0, STRIDED_BYTES);
    copy_whole(engine, to, host);

    int64_t wrong = first_difference(host->memory, expected, STRIDED_BYTES);
    free(expected);
    free(source);
    return wrong;
}

static void test_strided(const struct engine *engine, uint64_t seed) {
    enum { PLACES = 4 };
    struct buffer places[PLACES] = {
        buffer_new(&gpu, GART, STRIDED_BYTES),
        buffer_new(&gpu, VRAM, STRIDED_BYTES),
        buffer_new(&gpu, VRAM, STRIDED_BYTES),
        buffer_new(&gpu, GART, STRIDED_BYTES),
    };
    struct buffer host = buffer_new(&gpu, GART, STRIDED_BYTES);
    buffer_map(&gpu, &host);
    for (size_t i = 0; i < sizeof rectangles / sizeof *rectangles; i++) {
        int64_t wrong = -1;
        for (int place = 0; place + 1 < PLACES && wrong < 0; place++) {
            wrong = copy_rectangle(engine, &rectangles[i], &places[place], &places[place + 1],
                                   &host, seed + i);
        }
        report_data(wrong, "%s: %u x %u bytes, host to VRAM, VRAM to VRAM, VRAM to host",
                    engine->name, rectangles[i].lines, rectangles[i].line_bytes);
    }
    for (int place = 0; place < PLACES; place++) {
        buffer_free(&gpu, &places[place]);
    }
    buffer_free(&gpu, &host);
}

// Tests data inside the push buffer.
static void test_inline(uint64_t seed) {
    struct buffer vram = buffer_new(&gpu, VRAM, STRIDED_BYTES);
    struct buffer host = buffer_new(&gpu, GART, STRIDED_BYTES);
    buffer_map(&gpu, &host);
    const uint32_t bytes = 999, offset = 4090;
    uint8_t data[1000];
    pattern_fill(data, sizeof data, seed);

    push_use(&channel, &vram, VRAM, true);
    m2mf_inline(&channel, vram.gpu_va + offset, data, bytes);
    submit();
    copy_whole(&engines[M2MF], &vram, &host);
    int64_t wrong = first_difference((uint8_t *)host.memory + offset, data, bytes);
    report_data(wrong, "M2MF: %u bytes inline", bytes);
    buffer_free(&gpu, &vram);
    buffer_free(&gpu, &host);
}

static void *wait_in_thread(void *buffer) {
    wait_for(buffer);
    return NULL;
}

// Submits work that cannot complete before a thread sleeps on it: the GPU waits for a word that the
// CPU writes later. The interrupt therefore ends the driver's wait.
static void test_interrupt(void) {
    struct buffer word = buffer_new(&gpu, GART, 4 * KIB);
    volatile uint32_t *value = buffer_map(&gpu, &word);
    *value = 0;
    uint64_t interrupts = interrupt_count();

    push_use(&channel, &word, GART, true);
    push_semaphore_acquire(&channel, word.gpu_va, 1);
    submit();
    pthread_t waiter;
    uint64_t begin = now_ms();
    pthread_create(&waiter, NULL, wait_in_thread, &word);
    usleep(300 * 1000);
    bool waited = buffer_is_busy(&gpu, &word);
    *value = 1;
    pthread_join(waiter, NULL);

    uint64_t took = now_ms() - begin, raised = interrupt_count() - interrupts;
    report_check(waited, "a semaphore acquire makes its channel wait");
    report_check(raised > 0 && took < WAIT_LIMIT_MS,
                 "a sleeping wait ended after %" PRIu64 " ms and %" PRIu64 " interrupts", took,
                 raised);
    buffer_free(&gpu, &word);
}

// Performs many waits, each right after a submission without a wait, whose interrupt arrives while
// the driver handles the wait's. A lost interrupt would cost the driver's timeout of 30 seconds.
static void test_many_waits(const struct engine *engine, uint64_t seed) {
    struct buffer from = buffer_new(&gpu, GART, MIB), to = buffer_new(&gpu, VRAM, MIB);
    uint64_t interrupts = interrupt_count(), begin = now_ms();
    for (int i = 0; i < MANY_WAITS; i++) {
        push_nop(&channel);
        submit();
        struct rectangle part = whole(4 * KIB * (1 + pattern_word(seed, (uint64_t)i) % 256));
        copy_and_wait(engine, &from, &to, &part);
    }
    report_check(true, "%s: %d waits in %" PRIu64 " ms, %" PRIu64 " interrupts", engine->name,
                 MANY_WAITS, now_ms() - begin, interrupt_count() - interrupts);
    buffer_free(&gpu, &from);
    buffer_free(&gpu, &to);
}

// Makes the driver move a buffer, by an otherwise empty submission that uses it in another domain.
static void move(struct buffer *buffer, uint32_t domain) {
    bool moves = buffer_domain(&gpu, buffer) != domain;
    push_use(&channel, buffer, domain, true);
    push_nop(&channel);
    submit();
    wait_for(buffer);
    report_check(buffer_domain(&gpu, buffer) == domain, "the driver moved %" PRIu64 " KiB to %s",
                 buffer->bytes / KIB, domain == VRAM ? "VRAM" : "GART");
    if (moves) {
        report_moved("ANY", buffer->bytes);
    }
}

// Checks that the buffer has the same bytes before, between and after the driver's moves, and that
// bytes that the GPU writes while the buffer is in VRAM return with it.
static void test_driver_move(uint64_t bytes, uint64_t seed) {
    struct buffer roaming = buffer_new(&gpu, VRAM | GART, bytes);
    struct buffer host = buffer_new(&gpu, GART, bytes);
    buffer_map(&gpu, &host);
    move(&roaming, GART);
    pattern_fill(buffer_map(&gpu, &roaming), bytes, seed);
    move(&roaming, VRAM);

    struct buffer as_vram = roaming;
    as_vram.domains = VRAM;
    copy_whole(&engines[M2MF], &as_vram, &host);
    int64_t wrong = pattern_first_difference(host.memory, bytes, seed);
    report_data(wrong, "moved to VRAM");

    pattern_fill(host.memory, bytes, ~seed);
    copy_whole(&engines[M2MF], &host, &as_vram);
    move(&roaming, GART);
    wrong = pattern_first_difference(roaming.memory, bytes, ~seed);
    report_data(wrong, "moved back to GART");
    buffer_free(&gpu, &roaming);
    buffer_free(&gpu, &host);
}

// Tests the CPU's access to VRAM: reads and writes of all widths through BAR1.
static void test_bar1(uint64_t seed) {
    const uint32_t bytes = 3 * 4 * KIB;
    struct buffer vram = buffer_new(&gpu, VRAM, bytes);
    struct buffer host = buffer_new(&gpu, GART, bytes);
    uint8_t *mapped = buffer_map(&gpu, &vram);
    uint8_t *expected = malloc(bytes);
    pattern_fill(expected, bytes, seed);
    pattern_fill(mapped, bytes, seed);
    copy_whole(&engines[M2MF], &vram, &host);
    int64_t wrong = first_difference(buffer_map(&gpu, &host), expected, bytes);
    report_data(wrong, "written through BAR1");

    pattern_fill(expected, bytes, ~seed);
    memcpy(host.memory, expected, bytes);
    copy_whole(&engines[M2MF], &host, &vram);
    wrong = first_difference_by_width(mapped, expected, bytes);
    report_data(wrong, "read through BAR1");
    free(expected);
    buffer_free(&gpu, &vram);
    buffer_free(&gpu, &host);
}

static uint64_t seed_from(int argc, char **argv) {
    uint64_t seed = 0;
    if (argc > 1 && sscanf(argv[1], "seed=%" SCNu64, &seed) == 1) {
        return seed;
    }
    if (getrandom(&seed, sizeof(uint32_t), 0) < 0) {
        report_fatal("getrandom: %s", strerror(errno));
    }
    return seed;
}

int main(int argc, char **argv) {
    uint64_t seed = seed_from(argc, argv);
    report_note("seed=%" PRIu64, seed);
    gpu = nouveau_open();
    channel = channel_open(&gpu);
    each_interrupt_line(note_line);
    uint64_t interrupts = interrupt_count();

    for (int i = 0; i < ENGINE_COUNT; i++) {
        if (!engine_bind(&gpu, &channel, &engines[i])) {
            report_skipped(engines[i].name, "the driver offers no such engine");
            continue;
        }
        test_bulk(&engines[i], seed + 1);
        test_strided(&engines[i], seed + 2);
    }
    test_inline(seed + 3);
    test_interrupt();
    test_many_waits(&engines[M2MF], seed + 8);
    test_driver_move(4 * KIB, seed + 4);
    test_driver_move(5 * MIB + 12 * KIB, seed + 5);
    test_driver_move(32 * MIB, seed + 6);
    test_bar1(seed + 7);

    report_check(longest_wait_ms < WAIT_LIMIT_MS, "longest wait for the GPU: %" PRIu64 " ms",
                 longest_wait_ms);
    report_note("%" PRIu64 " interrupts", interrupt_count() - interrupts);
    channel_close(&gpu, &channel);
    return report_status();
}
