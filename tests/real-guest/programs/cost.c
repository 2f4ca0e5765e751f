// Measures the cost of one access to the GPU in the guest, including the virtual machine monitor: a
// posted write to a register that only stores its value, and a read, which waits for its reply.

#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    BAR0_BYTES = 16 << 20,
    PMC_BOOT_0 = 0x000000,      // nouveau nvkm/engine/device/base.c
    PTIMER_NUMERATOR = 0x009200, // nouveau nvkm/subdev/timer/nv04.c
    WRITES = 200000,
    READS = 10000,
    ROUNDS = 5,
};

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static volatile uint32_t *map_registers(void) {
    const char *path = "/sys/class/drm/card0/device/resource0";
    int file = open(path, O_RDWR | O_SYNC);
    if (file < 0) {
        report_fatal("%s: %s", path, strerror(errno));
    }
    void *bar0 = mmap(NULL, BAR0_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bar0 == MAP_FAILED) {
        report_fatal("mmap of %s: %s", path, strerror(errno));
    }
    close(file);
    return bar0;
}

static double read_ns(volatile uint32_t *bar0) {
    double start = now_ns();
    for (int i = 0; i < READS; i++) {
        (void)bar0[PMC_BOOT_0 / 4];
    }
    return (now_ns() - start) / READS;
}

// The final read makes the time include the handling of every write.
static double posted_write_ns(volatile uint32_t *bar0) {
    uint32_t value = bar0[PTIMER_NUMERATOR / 4];
    double start = now_ns();
    for (int i = 0; i < WRITES; i++) {
        bar0[PTIMER_NUMERATOR / 4] = value;
    }
    (void)bar0[PMC_BOOT_0 / 4];
    return (now_ns() - start) / WRITES;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double values[ROUNDS]) {
    qsort(values, ROUNDS, sizeof *values, compare);
    return values[ROUNDS / 2];
}

int main(void) {
    volatile uint32_t *bar0 = map_registers();
    double reads[ROUNDS], writes[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        reads[round] = read_ns(bar0);
        writes[round] = posted_write_ns(bar0);
        report_note("read %.0f ns, posted write %.0f ns", reads[round], writes[round]);
    }
    report_measured("readNs", median(reads));
    report_measured("postedWriteNs", median(writes));
    report_measured("reads", ROUNDS * (READS + 2.0));
    report_measured("postedWrites", ROUNDS * (double)WRITES);
    return report_status();
}
