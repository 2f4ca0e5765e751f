/* Variables of kernels, which the program names with their shadows in its own memory. */
#include "copies.h"
#include "gpuvm_runtime_api.h"
#include "images.h"

/* Finds a variable in the current context. */
static cudaError_t find(const void *host, char **start, size_t *bytes)
{
    struct gpuvm_symbol *symbol = gpuvm_symbol_find(GPUVM_VARIABLE, host);
    if (symbol == NULL)
        return cudaErrorInvalidSymbol;
    uintptr_t address;
    cudaError_t outcome = gpuvm_symbol_value(symbol, &address);
    if (outcome == cudaSuccess) {
        *start = (char *)address;
        *bytes = symbol->bytes;
    }
    return outcome;
}

static int is_from_device(enum cudaMemcpyKind kind)
{
    return kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

/* Finds a part of a variable for a copy, whose kind is `expected` or one between memory of the device. */
static cudaError_t find_part(
    const void *host, size_t offset, size_t bytes, enum cudaMemcpyKind kind, enum cudaMemcpyKind expected, char **start)
{
    size_t all;
    if (kind != expected && !is_from_device(kind))
        return cudaErrorInvalidMemcpyDirection;
    cudaError_t outcome = find(host, start, &all);
    if (outcome != cudaSuccess)
        return outcome;
    if (offset > all || bytes > all - offset)
        return cudaErrorInvalidValue;
    *start += offset;
    return cudaSuccess;
}

cudaError_t gpuvm_runtime_GetSymbolAddress(void **pointer, const void *symbol)
{
    char *start;
    size_t bytes;
    cudaError_t outcome = find(symbol, &start, &bytes);
    if (outcome == cudaSuccess)
        *pointer = start;
    return outcome;
}

cudaError_t gpuvm_runtime_GetSymbolSize(size_t *bytes, const void *symbol)
{
    char *start;
    size_t found;
    cudaError_t outcome = find(symbol, &start, &found);
    if (outcome == cudaSuccess)
        *bytes = found;
    return outcome;
}

cudaError_t gpuvm_runtime_MemcpyToSymbol(
    const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t defaultStream)
{
    char *start;
    cudaError_t outcome = find_part(symbol, offset, bytes, kind, cudaMemcpyHostToDevice, &start);
    return outcome == cudaSuccess ? gpuvm_copy(start, from, bytes, kind, defaultStream) : outcome;
}

cudaError_t gpuvm_runtime_MemcpyToSymbolAsync(
    const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    char *start;
    cudaError_t outcome = find_part(symbol, offset, bytes, kind, cudaMemcpyHostToDevice, &start);
    return outcome == cudaSuccess ? gpuvm_copy_async(start, from, bytes, kind, stream) : outcome;
}

cudaError_t gpuvm_runtime_MemcpyFromSymbol(
    void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t defaultStream)
{
    char *start;
    cudaError_t outcome = find_part(symbol, offset, bytes, kind, cudaMemcpyDeviceToHost, &start);
    return outcome == cudaSuccess ? gpuvm_copy(to, start, bytes, kind, defaultStream) : outcome;
}

cudaError_t gpuvm_runtime_MemcpyFromSymbolAsync(
    void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    char *start;
    cudaError_t outcome = find_part(symbol, offset, bytes, kind, cudaMemcpyDeviceToHost, &start);
    return outcome == cudaSuccess ? gpuvm_copy_async(to, start, bytes, kind, stream) : outcome;
}
