/* Launches of an empty kernel: `nop` waits after the last launch only, `delay` after each. */
#include "workload.h"

static unsigned launches;
static CUmodule module;
static CUfunction kernel;

static void prepare(unsigned wanted, uint64_t seed)
{
    (void)seed; /* there is no input */
    launches = wanted;
}

static void initialize(const char *folder)
{
    module = load_module(folder, "nop");
    CALL(cuModuleGetFunction(&kernel, module, "nop"));
}

static void launch_one(void)
{
    CALL(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
}

static void launch_all(void)
{
    for (unsigned i = 0; i < launches; i++)
        launch_one();
    CALL(cuStreamSynchronize(NULL));
}

static void launch_each(void)
{
    for (unsigned i = 0; i < launches; i++) {
        launch_one();
        CALL(cuStreamSynchronize(NULL));
    }
}

static void close(void)
{
    CALL(cuModuleUnload(module));
}

static struct work work(void)
{
    return (struct work){0, 0, launches, 0, "op"};
}

const struct workload nop =
    {"nop", 1, 100000000, prepare, initialize, do_nothing, do_nothing, launch_all, do_nothing, do_nothing, close, work};

const struct workload delay =
    {"delay", 1, 100000000, prepare, initialize, do_nothing, do_nothing, launch_each, do_nothing, do_nothing, close, work};
