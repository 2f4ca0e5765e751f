// Copies without a pause within and between VRAM and GART, with every engine in turn, and checks
// each result. Meanwhile it checks canaries in both memories repeatedly. Other virtual machines
// must neither change a byte here nor stop the copies.
//
// Arguments: seconds=N (60), duration; seed=S (random), of all data; vram-mib=N (32) and gart-mib=N
// (16), sizes of the canaries; progress-ms=N (1000).
//
// Reports about every progress-ms the number of "copies" and the number of complete "sweeps"
// through all canaries. Reports 0 copies when the canaries are in place.

#include "engines.h"
#include "nouveau.h"
#include "pattern.h"
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum {
    KIB = 1 << 10,
    MIB = 1 << 20,
    COPY_BYTES = 64 * KIB,
    CHUNK_BYTES = MIB, // checked part of a canary at a time
};

struct canary {
    const char *name;
    struct buffer buffer;
    uint64_t seed;
    uint32_t chunks;
};

static struct {
    uint64_t seconds, seed, vram_mib, gart_mib, progress_ms;
} settings = {.seconds = 60, .vram_mib = 32, .gart_mib = 16, .progress_ms = 1000};

static struct nouveau gpu;
static struct channel channel;
static const struct engine *offered[ENGINE_COUNT];
static uint32_t offered_count;
static uint64_t moved[ENGINE_COUNT]; // bytes by engine, in the order of the offered engines
static uint64_t copies, longest_wait_ms;

static uint64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

// Returns the number after "name=", or the default.
static uint64_t setting(int argc, char **argv, const char *name, uint64_t value) {
    size_t length = strlen(name);
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], name, length) && argv[i][length] == '=') {
            value = strtoull(argv[i] + length + 1, NULL, 0);
        }
    }
    return value;
}

static uint64_t random_seed(void) {
    uint32_t seed;
    if (getrandom(&seed, sizeof seed, 0) < 0) {
        report_fatal("getrandom: %s", strerror(errno));
    }
    return seed;
}

static void read_settings(int argc, char **argv) {
    settings.seconds = setting(argc, argv, "seconds", settings.seconds);
    settings.vram_mib = setting(argc, argv, "vram-mib", settings.vram_mib);
    settings.gart_mib = setting(argc, argv, "gart-mib", settings.gart_mib);
    settings.progress_ms = setting(argc, argv, "progress-ms", settings.progress_ms);
    settings.seed = setting(argc, argv, "seed", random_seed());
    report_note("seed=%" PRIu64, settings.seed);
    if (!settings.vram_mib || !settings.gart_mib) {
        report_fatal("vram-mib=%" PRIu64 ", gart-mib=%" PRIu64 ", expected at least 1",
                     settings.vram_mib, settings.gart_mib);
    }
}

static void bind_engines(void) {
    for (int i = 0; i < ENGINE_COUNT; i++) {
        if (engine_bind(&gpu, &channel, &engines[i])) {
            offered[offered_count++] = &engines[i];
        } else {
            report_skipped(engines[i].name, "the driver offers no such engine");
        }
    }
}

// Copies with the next engine in turn, and waits.
static void copy(const struct buffer *from, uint64_t from_offset, const struct buffer *to,
                 uint64_t to_offset, uint32_t bytes) {
    uint32_t turn = (uint32_t)(copies++ % offered_count);
    struct rectangle all = whole(bytes);
    push_use(&channel, from, from->domains, false);
    push_use(&channel, to, to->domains, true);
    engine_copy(&channel, offered[turn], from->gpu_va + from_offset, to->gpu_va + to_offset, &all);
    moved[turn] += bytes;

    uint64_t begin = now_ms();
    int error = push_submit(&gpu, &channel);
    error = error ? error : buffer_wait(&gpu, to);
    uint64_t took = now_ms() - begin;
    longest_wait_ms = took > longest_wait_ms ? took : longest_wait_ms;
    if (error) {
        report_fatal("copy %" PRIu64 " by %s: %s after %" PRIu64 " ms", copies,
                     offered[turn]->name, strerror(error), took);
    }
}

// Ends the program at the first byte that differs from the pattern: later results would be
// unreliable.
static void require_pattern(const void *memory, uint32_t bytes, uint64_t seed, const char *buffer,
                            uint64_t offset) {
    int64_t wrong = pattern_first_difference(memory, bytes, seed);
    if (wrong >= 0) {
        uint64_t word = (uint64_t)wrong / sizeof(uint64_t);
        report_fatal("%s: offset=%#" PRIx64 ", expected word=%#" PRIx64 ", found=%#" PRIx64
                     ", after %" PRIu64 " copies",
                     buffer, offset + word * sizeof word, pattern_word(seed, word),
                     ((const uint64_t *)memory)[word], copies);
    }
}

static struct canary canary_new(const char *name, uint32_t domain, uint64_t mib,
                                struct buffer *staging) {
    struct canary canary = {
        .name = name,
        .buffer = buffer_new(&gpu, domain, mib * MIB),
        .seed = pattern_word(settings.seed, domain),
        .chunks = (uint32_t)(mib * MIB / CHUNK_BYTES),
    };
    for (uint32_t i = 0; i < canary.chunks; i++) {
        pattern_fill(staging->memory, CHUNK_BYTES, pattern_word(canary.seed, i));
        copy(staging, 0, &canary.buffer, (uint64_t)i * CHUNK_BYTES, CHUNK_BYTES);
    }
    return canary;
}

// Checks a chunk. The GPU fetches chunks in VRAM: the CPU would take too long through BAR1.
static void check_chunk(const struct canary *canary, uint32_t chunk, struct buffer *staging) {
    uint64_t offset = (uint64_t)chunk * CHUNK_BYTES;
    const void *seen = staging->memory;
    if (canary->buffer.memory) {
        seen = (const char *)canary->buffer.memory + offset;
    } else {
        copy(&canary->buffer, offset, staging, 0, CHUNK_BYTES);
    }
    require_pattern(seen, CHUNK_BYTES, pattern_word(canary->seed, chunk), canary->name, offset);
}

enum { PLACES = 5 };

// Passes new data through all kinds of copies. A missing copy appears at the end as data of
// an earlier round.
static void copy_round(struct buffer places[PLACES], uint64_t round) {
    uint64_t seed = pattern_word(~settings.seed, round);
    pattern_fill(places[0].memory, COPY_BYTES, seed);
    for (int i = 0; i + 1 < PLACES; i++) {
        copy(&places[i], 0, &places[i + 1], 0, COPY_BYTES);
    }
    require_pattern(places[PLACES - 1].memory, COPY_BYTES, seed, "copied data", 0);
}

static void report_end(uint64_t sweeps, uint64_t longest_sweep_ms) {
    for (uint32_t i = 0; i < offered_count; i++) {
        report_moved(offered[i]->name, moved[i]);
    }
    report_measured("copies", (double)copies);
    report_measured("sweeps", (double)sweeps);
    report_measured("longestSweepMs", (double)longest_sweep_ms);
    report_measured("longestWaitMs", (double)longest_wait_ms);
    report_check(true, "%" PRIu64 " copies and %" PRIu64 " sweeps: every byte is right", copies,
                 sweeps);
}

// Checks the next chunk of the canaries: of both in turn, in proportion to their sizes.
static void check_next_chunk(const struct canary canaries[2], uint32_t i, struct buffer *staging) {
    uint32_t chunks = canaries[0].chunks + canaries[1].chunks;
    uint32_t of_first = i * canaries[0].chunks / chunks;
    bool first = (i + 1) * canaries[0].chunks / chunks > of_first;
    check_chunk(&canaries[!first], first ? of_first : i - of_first, staging);
}

// Copies and checks until the time has passed; ends with a sweep that began after that.
static void stream(struct buffer places[PLACES], const struct canary canaries[2],
                   struct buffer *staging) {
    uint64_t begin = now_ms(), end = begin + settings.seconds * 1000, told = begin;
    uint64_t round = 0, sweeps = 0, longest_sweep_ms = 0, sweep_begin;
    copies = 0;
    report_progress("copies", copies, begin);
    do {
        sweep_begin = now_ms();
        for (uint32_t i = 0; i < canaries[0].chunks + canaries[1].chunks; i++) {
            copy_round(places, round++);
            check_next_chunk(canaries, i, staging);
            uint64_t now = now_ms();
            if (now - told >= settings.progress_ms) {
                report_progress("copies", copies, now);
                report_progress("sweeps", sweeps, now);
                told = now;
            }
        }
        uint64_t took = now_ms() - sweep_begin;
        longest_sweep_ms = took > longest_sweep_ms ? took : longest_sweep_ms;
        sweeps++;
    } while (sweep_begin < end);
    report_end(sweeps, longest_sweep_ms);
}

int main(int argc, char **argv) {
    read_settings(argc, argv);
    gpu = nouveau_open();
    channel = channel_open(&gpu);
    bind_engines();

    struct buffer staging = buffer_new(&gpu, GART, CHUNK_BYTES);
    buffer_map(&gpu, &staging);
    struct canary canaries[] = {
        canary_new("canary in VRAM", VRAM, settings.vram_mib, &staging),
        canary_new("canary in GART", GART, settings.gart_mib, &staging),
    };
    buffer_map(&gpu, &canaries[1].buffer);
    static const uint32_t domains[PLACES] = {GART, VRAM, VRAM, GART, GART};
    struct buffer places[PLACES];
    for (int i = 0; i < PLACES; i++) {
        places[i] = buffer_new(&gpu, domains[i], COPY_BYTES);
    }
    buffer_map(&gpu, &places[0]);
    buffer_map(&gpu, &places[PLACES - 1]);
    report_note("canaries are in place: %" PRIu64 " MiB in VRAM, %" PRIu64 " MiB in GART",
                settings.vram_mib, settings.gart_mib);

    stream(places, canaries, &staging);
    channel_close(&gpu, &channel);
    return report_status();
}
