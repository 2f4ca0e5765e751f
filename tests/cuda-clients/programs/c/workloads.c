/*
 * Runs workloads on the first CUDA device.
 *
 *   workloads FOLDER NAME=SIZE...     runs each workload once
 *   workloads FOLDER -                runs a workload for each line "NAME SIZE" of the input; answers each line with the nanoseconds of the
 *                                     phases: "initialize copyIn launch copyOut close"
 *
 * FOLDER contains the modules NAME.cubin. Each result is verified. Exit status: 0 if all results are right.
 */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "workload.h"

#define NS_PER_SECOND 1000000000u

enum phase { INITIALIZE, COPY_IN, LAUNCH, COPY_OUT, CLOSE, PHASES };

static const struct workload *const all[] = {&mmul, &lud, &cpy, &pincpy, &nop, &delay};

/* Workload and size whose input is prepared. */
static const struct workload *prepared;
static unsigned prepared_size;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
}

static const struct workload *named(const char *name)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    fail("workload=%s, expected mmul, lud, cpy, pincpy, nop or delay", name);
}

static void run(const struct workload *workload, unsigned size, const char *folder, uint64_t ns[PHASES])
{
    uint64_t start;
    if (size < workload->smallest || size > workload->largest)
        fail("%s: size=%u, expected %u to %u", workload->name, size, workload->smallest, workload->largest);
    if (workload != prepared || size != prepared_size)
        workload->prepare(size);
    prepared = workload;
    prepared_size = size;

    start = now();
    workload->initialize(folder);
    ns[INITIALIZE] = now() - start;
    workload->wipe();
    start = now();
    workload->copy_in();
    ns[COPY_IN] = now() - start;
    start = now();
    workload->launch();
    ns[LAUNCH] = now() - start;
    start = now();
    workload->copy_out();
    ns[COPY_OUT] = now() - start;
    workload->verify();
    start = now();
    workload->close();
    ns[CLOSE] = now() - start;
}

static void answer_requests(const char *folder)
{
    char name[NAME_BYTES];
    unsigned size;
    while (scanf("%127s %u", name, &size) == 2) {
        uint64_t ns[PHASES];
        run(named(name), size, folder, ns);
        for (int i = 0; i < PHASES; i++)
            printf("%" PRIu64 "%c", ns[i], i == PHASES - 1 ? '\n' : ' ');
        fflush(stdout);
    }
}

static void run_argument(const char *argument, const char *folder)
{
    char name[NAME_BYTES];
    unsigned size;
    uint64_t ns[PHASES], total = 0;
    if (sscanf(argument, "%127[^=]=%u", name, &size) != 2)
        fail("argument=%s, expected NAME=SIZE", argument);
    run(named(name), size, folder, ns);
    for (int i = 0; i < PHASES; i++)
        total += ns[i];
    printf("%s, size %u: verified (in %.1f ms)\n", name, size, (double)total / 1e6);
}

int main(int count, char **arguments)
{
    if (count < 3) {
        fputs("usage: workloads FOLDER NAME=SIZE...|-\n", stderr);
        return 2;
    }
    CUcontext context = open_device();
    if (strcmp(arguments[2], "-") == 0) {
        answer_requests(arguments[1]);
    } else {
        for (int i = 2; i < count; i++)
            run_argument(arguments[i], arguments[1]);
    }
    CALL(cuCtxDestroy(context));
    return EXIT_SUCCESS;
}
