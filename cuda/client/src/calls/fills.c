/* Fills of memory. */
#include "gpuvm_cuda_senders.h"
#include "memory.h"
#include "session.h"

/* Rows of elements that a fill writes. */
struct rows {
    CUdeviceptr start;
    size_t pitch;         /* bytes from a row to the next one */
    size_t element_bytes;
    size_t width;         /* elements of a row */
    size_t height;
};

/* Finds the distance from the first byte to the last one, plus 1. Returns false if it exceeds 64 bits, or if rows overlap. */
static bool find_extent(const struct rows *rows, uint64_t *extent)
{
    uint64_t row;
    return !__builtin_mul_overflow(rows->width, rows->element_bytes, &row) && (rows->height == 1 || row <= rows->pitch) &&
        !__builtin_mul_overflow(rows->height - 1, rows->pitch, extent) && !__builtin_add_overflow(*extent, row, extent);
}

/*
 * Prepares a fill: finds the handle of the stream, and checks the memory. Sets *is_empty if there is nothing to fill, so that no call needs to
 * be sent.
 */
static CUresult prepare(const struct rows *rows, CUstream stream, bool is_async, uint64_t *handle, bool *is_empty)
{
    CUresult outcome = gpuvm_wire_stream(stream, handle);
    *is_empty = rows->width == 0 || rows->height == 0;
    uint64_t extent;
    if (outcome != CUDA_SUCCESS || *is_empty || (find_extent(rows, &extent) && gpuvm_is_gpu_range(rows->start, extent, is_async)))
        return outcome;
    gpuvm_explain("fill of %zu rows of %zu elements of %zu bytes, address=%#llx, pitch=%zu, expected allocated memory", rows->height,
        rows->width, rows->element_bytes, rows->start, rows->pitch);
    return CUDA_ERROR_INVALID_VALUE;
}

/* Functions for one row, and for rows, of elements of a type. */
#define FILLS(bits, type) \
    static CUresult fill_##bits(CUdeviceptr destination, type value, size_t count, CUstream stream, bool is_async) \
    { \
        const struct rows rows = {destination, 0, sizeof value, count, 1}; \
        uint64_t handle; \
        bool is_empty; \
        CUresult outcome = prepare(&rows, stream, is_async, &handle, &is_empty); \
        return outcome != CUDA_SUCCESS || is_empty ? outcome : gpuvm_send_MemsetD##bits##Async(destination, value, count, handle); \
    } \
    static CUresult fill_rows_##bits( \
        CUdeviceptr destination, size_t pitch, type value, size_t width, size_t height, CUstream stream, bool is_async) \
    { \
        const struct rows rows = {destination, pitch, sizeof value, width, height}; \
        uint64_t handle; \
        bool is_empty; \
        CUresult outcome = prepare(&rows, stream, is_async, &handle, &is_empty); \
        return outcome != CUDA_SUCCESS || is_empty \
            ? outcome \
            : gpuvm_send_MemsetD2D##bits##Async(destination, height == 1 ? width * sizeof value : pitch, value, width, height, handle); \
    } \
    CUresult gpuvm_hand_MemsetD##bits##Async(CUdeviceptr destination, type value, size_t count, CUstream stream) \
    { \
        return fill_##bits(destination, value, count, stream, true); \
    } \
    CUresult gpuvm_hand_MemsetD##bits(CUdeviceptr destination, type value, size_t count, CUstream defaultStream) \
    { \
        return fill_##bits(destination, value, count, defaultStream, false); \
    } \
    CUresult gpuvm_hand_MemsetD2D##bits##Async( \
        CUdeviceptr destination, size_t pitch, type value, size_t width, size_t height, CUstream stream) \
    { \
        return fill_rows_##bits(destination, pitch, value, width, height, stream, true); \
    } \
    CUresult gpuvm_hand_MemsetD2D##bits( \
        CUdeviceptr destination, size_t pitch, type value, size_t width, size_t height, CUstream defaultStream) \
    { \
        return fill_rows_##bits(destination, pitch, value, width, height, defaultStream, false); \
    }

FILLS(8, unsigned char)
FILLS(16, unsigned short)
FILLS(32, unsigned int)
