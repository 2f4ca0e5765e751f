/*
 * Runs workloads on the first CUDA device.
 *
 *   workloads FOLDER NAME=SIZE...     runs each workload once
 *   workloads FOLDER -                answers requests from the standard input, as `gpuvm measure` does (docs/evaluation.md)
 *
 * FOLDER contains the modules NAME.cubin. Each result is verified. Exit status: 0 if all results are right.
 */
#include <string.h>
#include <time.h>

#include "requests.h"

#define NS_PER_SECOND 1000000000u
#define SEED 1

static const struct workload *const all[] = {&mmul, &lud, &cpy, &pincpy, &nop, &delay};

/* Workload, size and seed of the input that is prepared. */
static const struct workload *prepared;
static unsigned prepared_size;
static uint64_t prepared_seed;

uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
}

const struct workload *workload_named(const char *name)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    fail("workload=%s, expected mmul, lud, cpy, pincpy, nop or delay", name);
}

void prepare_workload(const struct workload *workload, unsigned size, uint64_t seed)
{
    if (size < workload->smallest || size > workload->largest)
        fail("%s: size=%u, expected %u to %u", workload->name, size, workload->smallest, workload->largest);
    if (workload == prepared && size == prepared_size && seed == prepared_seed)
        return;
    /* A failure does not return here, and leaves no workload prepared. */
    prepared = NULL;
    workload->prepare(size, seed);
    prepared = workload;
    prepared_size = size;
    prepared_seed = seed;
}

uint64_t run_phase(const struct workload *workload, enum phase phase, const char *folder)
{
    uint64_t start = now();
    switch (phase) {
    case INITIALIZE: workload->initialize(folder); break;
    case COPY_IN: workload->copy_in(); break;
    case LAUNCH: workload->launch(); break;
    case COPY_OUT: workload->copy_out(); break;
    case CLOSE: workload->close(); break;
    case PHASES: break;
    }
    return now() - start;
}

void run_workload(const struct workload *workload, unsigned size, uint64_t seed, const char *folder, uint64_t ns[PHASES])
{
    prepare_workload(workload, size, seed);
    for (int i = 0; i < PHASES; i++) {
        if (i == CLOSE)
            workload->verify();
        ns[i] = run_phase(workload, (enum phase)i, folder);
        if (i == INITIALIZE)
            workload->wipe();
    }
}

static void run_argument(const char *argument, const char *folder)
{
    char name[NAME_BYTES];
    unsigned size;
    uint64_t ns[PHASES], total = 0;
    if (sscanf(argument, "%127[^=]=%u", name, &size) != 2)
        fail("argument=%s, expected NAME=SIZE", argument);
    run_workload(workload_named(name), size, SEED, folder, ns);
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
    uint64_t start = now();
    CUcontext context = open_device();
    if (strcmp(arguments[2], "-") == 0) {
        answer_requests(context, now() - start, arguments[1]);
        return EXIT_SUCCESS;
    }
    for (int i = 2; i < count; i++)
        run_argument(arguments[i], arguments[1]);
    CALL(cuCtxDestroy(context));
    return EXIT_SUCCESS;
}
