/* Texture references of linear memory. */
#include "textures.h"

#include "gpuvm_runtime_api.h"
#include "images.h"

GPUVM_EXPORT struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

cudaError_t gpuvm_read_format(const struct cudaChannelFormatDesc *described, CUarray_format *format, int *channels)
{
    static const struct {
        enum cudaChannelFormatKind kind;
        int bits;
        CUarray_format format;
    } formats[] = {
        {cudaChannelFormatKindUnsigned, 8, CU_AD_FORMAT_UNSIGNED_INT8}, {cudaChannelFormatKindUnsigned, 16, CU_AD_FORMAT_UNSIGNED_INT16},
        {cudaChannelFormatKindUnsigned, 32, CU_AD_FORMAT_UNSIGNED_INT32}, {cudaChannelFormatKindSigned, 8, CU_AD_FORMAT_SIGNED_INT8},
        {cudaChannelFormatKindSigned, 16, CU_AD_FORMAT_SIGNED_INT16}, {cudaChannelFormatKindSigned, 32, CU_AD_FORMAT_SIGNED_INT32},
        {cudaChannelFormatKindFloat, 16, CU_AD_FORMAT_HALF}, {cudaChannelFormatKindFloat, 32, CU_AD_FORMAT_FLOAT},
    };
    const int bits[] = {described->x, described->y, described->z, described->w};
    *channels = 0;
    while (*channels < 4 && bits[*channels] != 0) {
        if (bits[*channels] != bits[0])
            return cudaErrorInvalidChannelDescriptor;
        ++*channels;
    }
    for (int i = *channels; i < 4; i++) {
        if (bits[i] != 0)
            return cudaErrorInvalidChannelDescriptor;
    }
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (formats[i].kind == described->f && formats[i].bits == bits[0] && *channels != 0 && *channels != 3) {
            *format = formats[i].format;
            return cudaSuccess;
        }
    }
    return cudaErrorInvalidChannelDescriptor;
}

cudaError_t gpuvm_limit_bytes(const void *pointer, size_t *bytes)
{
    CUdeviceptr start;
    size_t all;
    cudaError_t outcome = DRIVER(cuMemGetAddressRange_v2, &start, &all, ADDRESS(pointer));
    if (outcome != cudaSuccess)
        return outcome;
    size_t rest = all - (size_t)(ADDRESS(pointer) - start);
    if (*bytes > rest)
        *bytes = rest;
    return cudaSuccess;
}

static cudaError_t find(const struct textureReference *host, struct gpuvm_symbol **symbol, CUtexref *reference)
{
    *symbol = gpuvm_symbol_find(GPUVM_TEXTURE, host);
    if (*symbol == NULL)
        return cudaErrorInvalidTexture;
    uintptr_t value = 0;
    cudaError_t outcome = gpuvm_symbol_value(*symbol, &value);
    *reference = (CUtexref)value;
    return outcome;
}

/* Sets what the program's structure says. */
static cudaError_t set_modes(CUtexref reference, const struct textureReference *host, const struct gpuvm_symbol *symbol,
    enum cudaChannelFormatKind kind)
{
    unsigned int flags = 0;
    if (!symbol->is_normalized && kind != cudaChannelFormatKindFloat)
        flags |= CU_TRSF_READ_AS_INTEGER;
    if (host->normalized != 0)
        flags |= CU_TRSF_NORMALIZED_COORDINATES;
    cudaError_t outcome = DRIVER(cuTexRefSetAddressMode, reference, 0, (CUaddress_mode)host->addressMode[0]);
    if (outcome == cudaSuccess)
        outcome = DRIVER(cuTexRefSetFilterMode, reference, (CUfilter_mode)host->filterMode);
    if (outcome == cudaSuccess)
        outcome = DRIVER(cuTexRefSetFlags, reference, flags);
    return outcome;
}

/*
 * The texture begins at the address itself, so that the offset is 0. A texture that no kernel reads is not in the module: there is nothing
 * to bind.
 */
cudaError_t gpuvm_runtime_BindTexture(size_t *offset, const struct textureReference *reference, const void *pointer,
    const struct cudaChannelFormatDesc *format, size_t bytes)
{
    struct gpuvm_symbol *symbol;
    CUtexref found;
    CUarray_format channel_format;
    int channels;
    cudaError_t outcome = find(reference, &symbol, &found);
    bool is_unused = symbol != NULL && outcome == cudaErrorInvalidTexture;
    if (outcome == cudaSuccess || is_unused)
        outcome = gpuvm_read_format(format, &channel_format, &channels);
    if (outcome == cudaSuccess)
        outcome = gpuvm_limit_bytes(pointer, &bytes);
    if (outcome == cudaSuccess && is_unused) {
        if (offset != NULL)
            *offset = 0;
        return cudaSuccess;
    }
    if (outcome == cudaSuccess)
        outcome = DRIVER(cuTexRefSetFormat, found, channel_format, channels);
    if (outcome == cudaSuccess)
        outcome = set_modes(found, reference, symbol, format->f);
    size_t start = 0;
    if (outcome == cudaSuccess)
        outcome = DRIVER(cuTexRefSetAddress_v2, &start, found, ADDRESS(pointer), bytes);
    if (outcome == cudaSuccess && offset != NULL)
        *offset = start;
    return outcome;
}

/* Kernels that use an unbound texture are wrong programs: nothing has to change. */
cudaError_t gpuvm_runtime_UnbindTexture(const struct textureReference *reference)
{
    return gpuvm_symbol_find(GPUVM_TEXTURE, reference) != NULL ? cudaSuccess : cudaErrorInvalidTexture;
}

cudaError_t gpuvm_runtime_GetTextureAlignmentOffset(size_t *offset, const struct textureReference *reference)
{
    if (gpuvm_symbol_find(GPUVM_TEXTURE, reference) == NULL)
        return cudaErrorInvalidTexture;
    *offset = 0;
    return cudaSuccess;
}

cudaError_t gpuvm_runtime_GetTextureReference(const struct textureReference **reference, const void *symbol)
{
    if (gpuvm_symbol_find(GPUVM_TEXTURE, symbol) == NULL)
        return cudaErrorInvalidTexture;
    *reference = symbol;
    return cudaSuccess;
}
