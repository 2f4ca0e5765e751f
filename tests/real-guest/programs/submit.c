// Measures submissions as an application sees them: the time to open a channel, for the first time
// and repeatedly; the time of a small submission, and until the wait for it ends; the time per
// submission of a batch that waits once; and the times of copies of 64 MiB, one per submission and
// many in one. Checks the copied data.
//
// Arguments: count=N (1000), number of small submissions; opens=N (9), number of channels opened;
// copies=N (5), number of large submissions; long=N (40), number of copies in one submission.

#include "engines.h"
#include "nouveau.h"
#include "pattern.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MIB = 1 << 20,
    LARGE_BYTES = 64 * MIB,
    SMALL_BYTES = 4096,
    BATCH = 64,
    MOST = 1 << 16, // highest value of an argument
};

static struct nouveau gpu;
static struct channel channel;
static struct buffer host, vram, other;

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static unsigned setting(int argc, char **argv, const char *name, unsigned value) {
    size_t length = strlen(name);
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], name, length) && argv[i][length] == '=') {
            value = (unsigned)strtoul(argv[i] + length + 1, NULL, 0);
        }
    }
    if (value < 1 || value > MOST) {
        report_fatal("%s=%u, limit=1 to %d", name, value, MOST);
    }
    return value;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *samples, unsigned count) {
    qsort(samples, count, sizeof *samples, compare);
    return samples[count / 2];
}

static void add_copy(const struct buffer *from, const struct buffer *to, uint32_t bytes) {
    struct rectangle all = whole(bytes);
    engine_copy(&channel, &engines[M2MF], from->gpu_va, to->gpu_va, &all);
}

static void submit(const struct buffer *from, const struct buffer *to) {
    push_use(&channel, from, from->domains, false);
    push_use(&channel, to, to->domains, true);
    int error = push_submit(&gpu, &channel);
    if (error) {
        report_fatal("submission: %s", strerror(error));
    }
}

static void await(const struct buffer *to) {
    int error = buffer_wait(&gpu, to);
    if (error) {
        report_fatal("wait: %s", strerror(error));
    }
}

static double open_channel(void) {
    double begin = now_us();
    channel = channel_open(&gpu);
    if (!engine_bind(&gpu, &channel, &engines[M2MF])) {
        report_fatal("M2MF: the driver offers no such engine");
    }
    return now_us() - begin;
}

// Leaves the last channel open.
static void open_channels(unsigned count) {
    double *samples = calloc(count, sizeof *samples);
    for (unsigned i = 0; i < count; i++) {
        if (i > 0) {
            channel_close(&gpu, &channel);
        }
        samples[i] = open_channel();
    }
    report_measured("firstOpenUs", samples[0]);
    report_measured("openUs", median(samples, count));
    free(samples);
}

// One submission at a time, each followed by a wait.
static void round_trips(unsigned count) {
    double *samples = calloc(count, sizeof *samples), *submissions = calloc(count, sizeof *samples);
    for (unsigned i = 0; i < count; i++) {
        double begin = now_us();
        add_copy(&host, &vram, SMALL_BYTES);
        submit(&host, &vram);
        submissions[i] = now_us() - begin;
        await(&vram);
        samples[i] = now_us() - begin;
    }
    report_measured("roundTripUs", median(samples, count));
    report_measured("submitUs", median(submissions, count));
    free(samples);
    free(submissions);
}

static void batches(unsigned count) {
    unsigned rounds = (count + BATCH - 1) / BATCH;
    double *samples = calloc(rounds, sizeof *samples);
    for (unsigned i = 0; i < rounds; i++) {
        double begin = now_us();
        for (int j = 0; j < BATCH; j++) {
            add_copy(&host, &vram, SMALL_BYTES);
            submit(&host, &vram);
        }
        await(&vram);
        samples[i] = (now_us() - begin) / BATCH;
    }
    report_measured("batchedUs", median(samples, rounds));
    free(samples);
}

static void large_copies(unsigned count, const struct buffer *from, const struct buffer *to,
                         const char *figure) {
    double *samples = calloc(count, sizeof *samples);
    for (unsigned i = 0; i < count; i++) {
        double begin = now_us();
        add_copy(from, to, LARGE_BYTES);
        submit(from, to);
        await(to);
        samples[i] = now_us() - begin;
    }
    report_measured(figure, median(samples, count));
    free(samples);
}

static void long_submission(unsigned count) {
    double begin = now_us();
    for (unsigned i = 0; i < count; i++) {
        add_copy(&vram, &other, LARGE_BYTES);
    }
    submit(&vram, &other);
    await(&other);
    report_measured("longUs", now_us() - begin);
}

int main(int argc, char **argv) {
    unsigned count = setting(argc, argv, "count", 1000);
    unsigned opens = setting(argc, argv, "opens", 9);
    unsigned copies = setting(argc, argv, "copies", 5);
    unsigned many = setting(argc, argv, "long", 40);
    gpu = nouveau_open();
    open_channels(opens);
    host = buffer_new(&gpu, GART, LARGE_BYTES);
    vram = buffer_new(&gpu, VRAM, LARGE_BYTES);
    other = buffer_new(&gpu, VRAM, LARGE_BYTES);
    buffer_map(&gpu, &host);
    pattern_fill(host.memory, LARGE_BYTES, 1);

    round_trips(count);
    batches(count);
    large_copies(copies, &host, &vram, "toVramUs");
    long_submission(many);
    memset(host.memory, 0, LARGE_BYTES);
    large_copies(copies, &other, &host, "fromVramUs");
    report_data(pattern_first_difference(host.memory, LARGE_BYTES, 1), "copied data");
    channel_close(&gpu, &channel);
    return report_status();
}
