/* Functions that compilers call in a program's constructors and destructors, to register the code for the device. */
#include "images.h"

/* Wrapper of a fatbin in a program. */
struct wrapper {
    uint32_t magic;
    uint32_t version;
    const void *fatbin;
    void *unused;
};

#define WRAPPER_MAGIC 0x466243b1u

GPUVM_EXPORT void **__cudaRegisterFatBinary(void *wrapper);
GPUVM_EXPORT void __cudaRegisterFatBinaryEnd(void **handle);
GPUVM_EXPORT void __cudaUnregisterFatBinary(void **handle);
GPUVM_EXPORT void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threadLimit, uint3 *thread,
    uint3 *block, dim3 *blockShape, dim3 *gridShape, int *warpSize);
GPUVM_EXPORT void __cudaRegisterVar(
    void **handle, char *host, char *device, const char *name, int isExternal, size_t bytes, int isConstant, int isGlobal);
GPUVM_EXPORT void __cudaRegisterManagedVar(
    void **handle, void **host, char *device, const char *name, int isExternal, size_t bytes, int isConstant, int isGlobal);
GPUVM_EXPORT void __cudaRegisterTexture(void **handle, const struct textureReference *host, const void **device, const char *name,
    int dimensions, int isNormalized, int isExternal);
GPUVM_EXPORT void __cudaRegisterSurface(
    void **handle, const void *host, const void **device, const char *name, int dimensions, int isExternal);
GPUVM_EXPORT char __cudaInitModule(void **handle);

static struct gpuvm_image *image_of(void **handle)
{
    return (struct gpuvm_image *)(void *)handle;
}

/* The handle is null for what is not a wrapper, and if the memory is exhausted; kernels of the file are then unknown. */
void **__cudaRegisterFatBinary(void *wrapper)
{
    const struct wrapper *given = wrapper;
    if (given == NULL || given->magic != WRAPPER_MAGIC)
        return NULL;
    return (void **)(void *)gpuvm_image_add(given->fatbin);
}

/* Modules are loaded when they are first used. */
void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
    if (handle != NULL)
        gpuvm_image_remove(image_of(handle));
}

static struct gpuvm_symbol *add(void **handle, enum gpuvm_symbol_kind kind, const void *host, const char *name)
{
    return handle != NULL && host != NULL && name != NULL ? gpuvm_symbol_add(image_of(handle), kind, host, name) : NULL;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threadLimit, uint3 *thread, uint3 *block,
    dim3 *blockShape, dim3 *gridShape, int *warpSize)
{
    (void)device;
    (void)threadLimit;
    (void)thread;
    (void)block;
    (void)blockShape;
    (void)gridShape;
    (void)warpSize;
    add(handle, GPUVM_KERNEL, host, name);
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int isExternal, size_t bytes, int isConstant, int isGlobal)
{
    (void)device;
    (void)isExternal;
    (void)isConstant;
    (void)isGlobal;
    struct gpuvm_symbol *symbol = add(handle, GPUVM_VARIABLE, host, name);
    if (symbol != NULL)
        symbol->bytes = bytes;
}

/* Kernels may use the variable; the program may copy it, but finds a null pointer where CUDA shares the variable's memory. */
void __cudaRegisterManagedVar(
    void **handle, void **host, char *device, const char *name, int isExternal, size_t bytes, int isConstant, int isGlobal)
{
    __cudaRegisterVar(handle, (char *)host, device, name, isExternal, bytes, isConstant, isGlobal);
}

void __cudaRegisterTexture(void **handle, const struct textureReference *host, const void **device, const char *name, int dimensions,
    int isNormalized, int isExternal)
{
    (void)device;
    (void)dimensions;
    (void)isExternal;
    struct gpuvm_symbol *symbol = add(handle, GPUVM_TEXTURE, host, name);
    if (symbol != NULL)
        symbol->is_normalized = isNormalized != 0;
}

/* Functions with surfaces return cudaErrorNotSupported. */
void __cudaRegisterSurface(void **handle, const void *host, const void **device, const char *name, int dimensions, int isExternal)
{
    (void)handle;
    (void)host;
    (void)device;
    (void)name;
    (void)dimensions;
    (void)isExternal;
}

char __cudaInitModule(void **handle)
{
    return handle != NULL;
}
