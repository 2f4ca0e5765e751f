// Writes a pattern into VRAM through BAR1, copies it from VRAM to VRAM with each engine, and checks
// the copies through BAR1. Then does the same with data inside the push buffer. The amount is
// small, so that the run can be recorded and replayed: the GPU copies only data that the CPU wrote
// by messages.
//
// Argument: seed=NUMBER for the pattern (default: 1).

#include "engines.h"
#include "nouveau.h"
#include "pattern.h"
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BYTES = 64 << 10, PLACES = ENGINE_COUNT + 1, INLINE_BYTES = 1024 };

static struct nouveau gpu;
static struct channel channel;

static void submit_and_wait(const struct buffer *written) {
    int error = push_submit(&gpu, &channel);
    if (!error) {
        error = buffer_wait(&gpu, written);
    }
    if (error) {
        report_fatal("copy by the GPU: %s", strerror(error));
    }
}

static void copy(const struct engine *engine, const struct buffer *from, const struct buffer *to) {
    struct rectangle all = whole(BYTES);
    push_use(&channel, from, VRAM, false);
    push_use(&channel, to, VRAM, true);
    engine_copy(&channel, engine, from->gpu_va, to->gpu_va, &all);
    submit_and_wait(to);
    report_moved(engine->name, BYTES);
}

static void test_hand_on(uint64_t seed) {
    struct buffer places[PLACES];
    for (int i = 0; i < PLACES; i++) {
        places[i] = buffer_new(&gpu, VRAM, BYTES);
    }
    pattern_fill(buffer_map(&gpu, &places[0]), BYTES, seed);
    for (int i = 0; i < ENGINE_COUNT; i++) {
        struct buffer *to = &places[i + 1];
        if (engine_bind(&gpu, &channel, &engines[i])) {
            copy(&engines[i], &places[i], to);
            int64_t wrong = pattern_first_difference(buffer_map(&gpu, to), BYTES, seed);
            report_data(wrong, "%s: %d KiB from VRAM to VRAM", engines[i].name, BYTES >> 10);
        } else {
            report_fatal("%s: the driver offers no such engine", engines[i].name);
        }
    }
    for (int i = 0; i < PLACES; i++) {
        buffer_free(&gpu, &places[i]);
    }
}

static void test_inline(uint64_t seed) {
    struct buffer vram = buffer_new(&gpu, VRAM, BYTES);
    uint64_t data[INLINE_BYTES / sizeof(uint64_t)];
    pattern_fill(data, INLINE_BYTES, seed);
    push_use(&channel, &vram, VRAM, true);
    m2mf_inline(&channel, vram.gpu_va, data, INLINE_BYTES);
    submit_and_wait(&vram);
    int64_t wrong = first_difference(buffer_map(&gpu, &vram), data, INLINE_BYTES);
    report_data(wrong, "M2MF: %d bytes inline", INLINE_BYTES);
    buffer_free(&gpu, &vram);
}

int main(int argc, char **argv) {
    uint64_t seed = 1;
    if (argc > 1 && sscanf(argv[1], "seed=%" SCNu64, &seed) != 1) {
        report_fatal("argument '%s': %s", argv[1], strerror(EINVAL));
    }
    gpu = nouveau_open();
    channel = channel_open(&gpu);
    test_hand_on(seed);
    test_inline(seed + 1);
    channel_close(&gpu, &channel);
    return report_status();
}
