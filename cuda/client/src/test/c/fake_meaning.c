/* The parts of the other half of the library that the transport uses. */
#include "gpuvm_calls.h"

CUresult gpuvm_current_context(uint64_t *handle)
{
    *handle = 1;
    return CUDA_SUCCESS;
}
