// Computes through unmodified Mesa: shaders compiled by Mesa for the GPU, on random data, with all
// results compared with the processor's. Continues with other data until the time has passed, so
// that several machines compute concurrently.
//
// Arguments: seconds=NUMBER (default 10), seed=NUMBER for the data (default: random; the seed is
// printed), only=NAME for one of the cases.

#include "gles.h"
#include "random.h"
#include "report.h"
#include "shaders.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

static const struct shader_case cases[] = {
    {"indices", run_indices},
    {"integers", run_integers},
    {"floats", run_floats},
    {"conversions", run_conversions},
    {"collatz", run_collatz},
    {"nested-loops", run_nested_loops},
    {"sort", run_sort},
    {"uniforms", run_uniforms},
    {"reduction", run_reduction},
    {"transpose", run_transpose},
    {"matrix-product", run_matrix_product},
    {"storage-atomics", run_storage_atomics},
    {"shared-atomics", run_shared_atomics},
    {"indirect", run_indirect},
};

struct options {
    int seconds;
    uint64_t seed;
    const char *only;
};

static uint64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static struct options options_from(int argc, char **argv) {
    struct options options = {.seconds = 10};
    uint32_t seed;
    if (getrandom(&seed, sizeof seed, 0) < 0) {
        report_fatal("getrandom: %s", strerror(errno));
    }
    options.seed = seed;
    for (int i = 1; i < argc; i++) {
        if (sscanf(argv[i], "seconds=%d", &options.seconds) == 1 ||
            sscanf(argv[i], "seed=%" SCNu64, &options.seed) == 1) {
            continue;
        }
        if (strncmp(argv[i], "only=", 5) != 0) {
            report_fatal("unknown argument '%s'", argv[i]);
        }
        options.only = argv[i] + 5;
    }
    return options;
}

int main(int argc, char **argv) {
    enum { CASES = sizeof cases / sizeof *cases };
    struct options options = options_from(argc, argv);
    report_note("seed=%" PRIu64, options.seed);
    struct gles gles = gles_open();
    uint64_t end_ms = now_ms() + (uint64_t)options.seconds * 1000, dispatched = 0, rounds = 0;
    int64_t wrong[CASES];
    memset(wrong, -1, sizeof wrong);
    do {
        for (int i = 0; i < CASES; i++) {
            bool wanted = !options.only || strcmp(options.only, cases[i].name) == 0;
            // A case that has failed is not repeated.
            if (wanted && wrong[i] < 0) {
                wrong[i] = cases[i].run(random_next(&options.seed));
                dispatched++;
            }
        }
        rounds++;
        report_progress("cases", dispatched, now_ms());
    } while (now_ms() < end_ms);
    for (int i = 0; i < CASES; i++) {
        if (!options.only || strcmp(options.only, cases[i].name) == 0) {
            report_data(wrong[i], "%s", cases[i].name);
        }
    }
    report_check(dispatched > 0, "%" PRIu64 " cases in %" PRIu64 " rounds", dispatched, rounds);
    gles_close(&gles);
    return report_status();
}
