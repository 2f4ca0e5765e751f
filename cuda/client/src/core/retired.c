#define _GNU_SOURCE

#include "completions.h"
#include "core.h"
#include "session.h"

bool gpuvm_has_retired(uint64_t sequence)
{
    return sequence == 0 || sequence < atomic_load_explicit(gpuvm_core.retired, memory_order_acquire);
}

/*
 * The thread looks at the word at growing intervals, which are short beside the time that a piece of staging takes. The backend need not advance
 * the word before it writes a completion, so a thread that waits longer asks for completions.
 */
CUresult gpuvm_await_retired(uint64_t sequence)
{
    struct gpuvm_pause pause = {0};
    while (!gpuvm_has_retired(sequence)) {
        if (!gpuvm_pause(&pause))
            return gpuvm_closed_status();
        if (pause.nap == GPUVM_LONGEST_NAP_NS)
            gpuvm_completions_ask();
    }
    return CUDA_SUCCESS;
}
