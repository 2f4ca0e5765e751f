/* Occupancy: number of blocks that a multiprocessor runs at the same time, for sm_20. Source: CUDA's occupancy calculator. */
#include "gpuvm_cuda_api.h"
#include "launch.h"
#include "modules.h"

#define WARP_THREADS 32

/* Units in which registers are allocated to warps, and shared memory to blocks, in registers and bytes. */
#define WARP_REGISTER_UNIT 64
#define SHARED_UNIT_BYTES 128

/* Schedulers of a multiprocessor, each with the same number of registers. */
#define SCHEDULERS 2

static uint32_t attribute(CUdevice_attribute wanted)
{
    return (uint32_t)gpuvm_session_facts()->attribute[wanted];
}

static uint32_t divide_up(uint32_t value, uint32_t unit)
{
    return (value + unit - 1) / unit;
}

static uint32_t minimum(uint32_t first, uint32_t second)
{
    return first < second ? first : second;
}

/* Number of warps for which a multiprocessor has registers. */
static uint32_t warps_with_registers(uint32_t registers)
{
    uint32_t used = registers > 0 ? registers : 1;
    uint32_t of_warp = divide_up(used * WARP_THREADS, WARP_REGISTER_UNIT) * WARP_REGISTER_UNIT;
    return attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR) / SCHEDULERS / of_warp * SCHEDULERS;
}

/* Number of blocks for which a multiprocessor has shared memory. */
static uint32_t blocks_with_shared(const struct gpuvm_kernel_entry *kernel, size_t dynamic_bytes)
{
    uint32_t all = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    if (dynamic_bytes > all)
        return 0;
    uint32_t of_block = divide_up(kernel->shared_bytes + (uint32_t)dynamic_bytes, SHARED_UNIT_BYTES) * SHARED_UNIT_BYTES;
    return of_block == 0 ? UINT32_MAX : all / of_block;
}

/* Number of blocks with this number of threads, at least 1. */
static uint32_t blocks_of(const struct gpuvm_kernel_entry *kernel, uint32_t threads, size_t dynamic_bytes)
{
    if (threads > kernel->max_threads)
        return 0;
    uint32_t warps = divide_up(threads, WARP_THREADS);
    uint32_t blocks = minimum(
        attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
        attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / WARP_THREADS / warps);
    blocks = minimum(blocks, warps_with_registers(kernel->registers) / warps);
    return minimum(blocks, blocks_with_shared(kernel, dynamic_bytes));
}

CUresult gpuvm_local_OccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, CUfunction function, int blockSize, size_t dynamicSharedBytes)
{
    if (blockSize < 1)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult outcome = CUDA_SUCCESS;
    const struct gpuvm_kernel_entry *kernel = gpuvm_function_find(function, &outcome);
    if (kernel == NULL)
        return outcome;
    *blocks = (int)blocks_of(kernel, (uint32_t)blockSize, dynamicSharedBytes);
    return CUDA_SUCCESS;
}

/* The flag concerns caches of later devices. */
CUresult gpuvm_local_OccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, CUfunction function, int blockSize, size_t dynamicSharedBytes, unsigned int flags)
{
    (void)flags;
    return gpuvm_local_OccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, blockSize, dynamicSharedBytes);
}

/* Tries numbers of threads from the greatest one, in steps of a warp, and takes the first one with the most threads that run. */
CUresult gpuvm_local_OccupancyMaxPotentialBlockSize(
    int *minGridSize, int *blockSize, CUfunction function, CUoccupancyB2DSize sharedBytesOfBlock, size_t dynamicSharedBytes,
    int blockSizeLimit)
{
    CUresult outcome = CUDA_SUCCESS;
    const struct gpuvm_kernel_entry *kernel = gpuvm_function_find(function, &outcome);
    if (kernel == NULL)
        return outcome;
    if (blockSizeLimit < 0)
        return CUDA_ERROR_INVALID_VALUE;
    uint32_t limit = minimum(kernel->max_threads, gpuvm_launch_limits.block_threads);
    if (blockSizeLimit != 0)
        limit = minimum(limit, (uint32_t)blockSizeLimit);
    uint32_t best_threads = 0;
    uint32_t best_blocks = 0;
    for (uint32_t warps = divide_up(limit, WARP_THREADS); warps > 0; warps--) {
        uint32_t threads = minimum(warps * WARP_THREADS, limit);
        size_t shared = sharedBytesOfBlock != NULL ? sharedBytesOfBlock((int)threads) : dynamicSharedBytes;
        uint32_t blocks = blocks_of(kernel, threads, shared);
        if (blocks * threads > best_blocks * best_threads) {
            best_threads = threads;
            best_blocks = blocks;
        }
    }
    *blockSize = (int)best_threads;
    *minGridSize = (int)(best_blocks * attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_OccupancyMaxPotentialBlockSizeWithFlags(
    int *minGridSize, int *blockSize, CUfunction function, CUoccupancyB2DSize sharedBytesOfBlock, size_t dynamicSharedBytes,
    int blockSizeLimit, unsigned int flags)
{
    (void)flags;
    return gpuvm_local_OccupancyMaxPotentialBlockSize(
        minGridSize, blockSize, function, sharedBytesOfBlock, dynamicSharedBytes, blockSizeLimit);
}
