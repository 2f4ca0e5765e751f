/* Functions: kernels of modules, and their attributes. */
#include "gpuvm_cuda_senders.h"
#include "handles.h"
#include "launch.h"
#include "libraries.h"
#include "modules.h"
#include "session.h"

/* Attributes of CUDA (CUfunction_attribute). */
enum {
    FUNCTION_MAX_THREADS = 0,
    FUNCTION_SHARED_BYTES = 1,
    FUNCTION_CONSTANT_BYTES = 2,
    FUNCTION_LOCAL_BYTES = 3,
    FUNCTION_REGISTERS = 4,
    FUNCTION_PTX_VERSION = 5,
    FUNCTION_BINARY_VERSION = 6,
    FUNCTION_CACHE_MODE_CA = 7,
    FUNCTION_MAX_DYNAMIC_SHARED_BYTES = 8,
    FUNCTION_CARVEOUT = 9,
    /* The last ones are of clusters of blocks, which the device does not have. */
    FUNCTION_ATTRIBUTES = 16
};

/* Range of the preferred share of shared memory, in percent; -1 is no preference. */
enum { MIN_CARVEOUT = -1, MAX_CARVEOUT = 100 };

CUfunction gpuvm_function_of(const struct gpuvm_kernel_entry *kernel)
{
    return (CUfunction)(uintptr_t)gpuvm_part_handle(GPUVM_FUNCTION_LETTER, kernel->module, kernel->index);
}

struct gpuvm_kernel_entry *gpuvm_function_find(CUfunction function, CUresult *outcome)
{
    uint64_t handle = (uint64_t)(uintptr_t)function;
    if (!gpuvm_has_letter(GPUVM_FUNCTION_LETTER, handle))
        return gpuvm_library_kernel_find(handle, outcome);
    const struct gpuvm_content *content = gpuvm_module_content(gpuvm_part_whole(GPUVM_MODULE_LETTER, handle));
    if (content == NULL || gpuvm_part_index(handle) >= content->kernel_count) {
        *outcome = CUDA_ERROR_INVALID_HANDLE;
        return NULL;
    }
    return &content->kernels[gpuvm_part_index(handle)];
}

CUresult gpuvm_function_attribute(const struct gpuvm_kernel_entry *kernel, CUfunction_attribute attribute, int *value)
{
    switch (attribute) {
    case FUNCTION_MAX_THREADS:
        *value = (int)kernel->max_threads;
        break;
    case FUNCTION_SHARED_BYTES:
        *value = (int)kernel->shared_bytes;
        break;
    case FUNCTION_CONSTANT_BYTES:
        *value = (int)kernel->constant_bytes;
        break;
    case FUNCTION_LOCAL_BYTES:
        *value = (int)kernel->local_bytes;
        break;
    case FUNCTION_REGISTERS:
        *value = (int)kernel->registers;
        break;
    case FUNCTION_PTX_VERSION:
        *value = (int)kernel->ptx_version;
        break;
    case FUNCTION_BINARY_VERSION:
        *value = (int)kernel->binary_version;
        break;
    case FUNCTION_MAX_DYNAMIC_SHARED_BYTES:
        *value = atomic_load(&kernel->max_dynamic_shared_bytes);
        break;
    case FUNCTION_CARVEOUT:
        *value = atomic_load(&kernel->carveout);
        break;
    default:
        if (attribute >= FUNCTION_ATTRIBUTES)
            return CUDA_ERROR_INVALID_VALUE;
        *value = 0;
        break;
    }
    return CUDA_SUCCESS;
}

CUresult gpuvm_function_set_attribute(struct gpuvm_kernel_entry *kernel, CUfunction_attribute attribute, int value)
{
    int limit = (int)(gpuvm_launch_limits.shared_bytes - kernel->shared_bytes);
    if (attribute == FUNCTION_MAX_DYNAMIC_SHARED_BYTES && (value < 0 || value > limit)) {
        gpuvm_explain("dynamic shared bytes=%d, limit=%d", value, limit);
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (attribute == FUNCTION_CARVEOUT && (value < MIN_CARVEOUT || value > MAX_CARVEOUT))
        return CUDA_ERROR_INVALID_VALUE;
    if (attribute != FUNCTION_MAX_DYNAMIC_SHARED_BYTES && attribute != FUNCTION_CARVEOUT)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult outcome = gpuvm_send_FuncSetAttribute(kernel->module, kernel->index, attribute, value);
    if (outcome == CUDA_SUCCESS)
        atomic_store(attribute == FUNCTION_CARVEOUT ? &kernel->carveout : &kernel->max_dynamic_shared_bytes, value);
    return outcome;
}

CUresult gpuvm_local_FuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    CUresult outcome;
    const struct gpuvm_kernel_entry *kernel = gpuvm_function_find(function, &outcome);
    return kernel != NULL ? gpuvm_function_attribute(kernel, attribute, value) : outcome;
}

CUresult gpuvm_hand_FuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    CUresult outcome;
    struct gpuvm_kernel_entry *kernel = gpuvm_function_find(function, &outcome);
    return kernel != NULL ? gpuvm_function_set_attribute(kernel, attribute, value) : outcome;
}

CUresult gpuvm_hand_FuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{
    CUresult outcome;
    const struct gpuvm_kernel_entry *kernel = gpuvm_function_find(function, &outcome);
    return kernel != NULL ? gpuvm_send_FuncSetCacheConfig(kernel->module, kernel->index, config) : outcome;
}

CUresult gpuvm_local_FuncGetModule(CUmodule *module, CUfunction function)
{
    CUresult outcome;
    const struct gpuvm_kernel_entry *kernel = gpuvm_function_find(function, &outcome);
    if (kernel == NULL)
        return outcome;
    *module = (CUmodule)(uintptr_t)kernel->module;
    return CUDA_SUCCESS;
}

/* Has no effect, as on all devices with fixed banks. */
CUresult gpuvm_local_FuncSetSharedMemConfig(CUfunction function, CUsharedconfig config)
{
    (void)config;
    CUresult outcome;
    return gpuvm_function_find(function, &outcome) != NULL ? CUDA_SUCCESS : outcome;
}
