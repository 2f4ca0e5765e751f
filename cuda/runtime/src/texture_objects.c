/* Texture objects of linear memory: their descriptions lie in memory of the device, where kernels read them. */
#include "texture_objects.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "gpuvm_runtime_api.h"
#include "gpuvm_texture_object.h"
#include "level.h"
#include "textures.h"

/* Greatest number of texels: CUDA's limit for sm_20. */
#define MOST_TEXELS ((size_t)1 << 27)

struct object {
    CUdeviceptr address; /* of the description */
    uint64_t context;    /* number */
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture; /* as far as the library's version has it */
    struct object *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *objects;

/* Number of bytes of cudaTextureDesc in the library's version of CUDA; what kernels need is at the start. */
static size_t desc_bytes(void)
{
    if (gpuvm_level >= LEVEL_TEXTURE_FLAGS)
        return sizeof(struct cudaTextureDesc);
    size_t bytes = offsetof(struct cudaTextureDesc, disableTrilinearOptimization);
    return gpuvm_level >= LEVEL_BORDER_COLORS ? bytes : bytes - sizeof ((struct cudaTextureDesc *)NULL)->borderColor;
}

/* Link to the object with a handle in the current context; to null if there is none. The caller has the lock. */
static cudaError_t find(cudaTextureObject_t handle, struct object ***link)
{
    uint64_t context;
    cudaError_t outcome = gpuvm_context_number(&context);
    if (outcome != cudaSuccess)
        return outcome;
    *link = &objects;
    while (**link != NULL && ((**link)->address != handle || (**link)->context != context))
        *link = &(**link)->next;
    return **link != NULL ? cudaSuccess : cudaErrorInvalidValue;
}

/* What kernels read. Modes of addresses and filters do not apply to linear memory. */
static cudaError_t describe(
    const struct cudaResourceDesc *resource, const struct cudaTextureDesc *texture, struct gpuvm_texture_object *description)
{
    CUarray_format format;
    int channels;
    cudaError_t outcome = gpuvm_read_format(&resource->res.linear.desc, &format, &channels);
    if (outcome != cudaSuccess)
        return outcome;
    size_t bytes = resource->res.linear.sizeInBytes;
    outcome = gpuvm_limit_bytes(resource->res.linear.devPtr, &bytes);
    if (outcome != cudaSuccess)
        return outcome;
    unsigned int bits = (unsigned int)resource->res.linear.desc.x;
    enum cudaChannelFormatKind kind = resource->res.linear.desc.f;
    size_t texel_bytes = (size_t)channels * bits / 8;
    size_t texels = bytes / texel_bytes;
    bool is_float = texture->readMode == cudaReadModeNormalizedFloat && kind != cudaChannelFormatKindFloat;
    if (resource->res.linear.sizeInBytes > bytes || texels > MOST_TEXELS || ADDRESS(resource->res.linear.devPtr) % texel_bytes != 0
        || (is_float && bits == 32))
        return cudaErrorInvalidValue;
    *description = (struct gpuvm_texture_object){
        ADDRESS(resource->res.linear.devPtr), (unsigned int)texels, GPUVM_TEXTURE_FORMAT(channels, bits, kind, is_float)};
    return cudaSuccess;
}

/* Copies a description to memory of the device. */
static cudaError_t place(const struct gpuvm_texture_object *description, CUdeviceptr *address)
{
    cudaError_t outcome = DRIVER(cuMemAlloc_v2, address, sizeof *description);
    if (outcome != cudaSuccess)
        return outcome;
    outcome = DRIVER(cuMemcpyHtoD_v2, *address, description, sizeof *description);
    if (outcome != cudaSuccess)
        gpuvm_driver.cuMemFree_v2(*address);
    return outcome;
}

cudaError_t gpuvm_runtime_CreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *resource,
    const struct cudaTextureDesc *texture, const struct cudaResourceViewDesc *view)
{
    struct gpuvm_texture_object description;
    if (resource->resType != cudaResourceTypeLinear)
        return cudaErrorNotSupported;
    if (view != NULL)
        return cudaErrorInvalidValue;
    cudaError_t outcome = describe(resource, texture, &description);
    if (outcome != cudaSuccess)
        return outcome;
    struct object *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cudaErrorMemoryAllocation;
    outcome = gpuvm_context_number(&created->context);
    if (outcome == cudaSuccess)
        outcome = place(&description, &created->address);
    if (outcome != cudaSuccess) {
        free(created);
        return outcome;
    }
    created->resource = *resource;
    memcpy(&created->texture, texture, desc_bytes());
    *object = created->address;
    pthread_mutex_lock(&lock);
    created->next = objects;
    objects = created;
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

/* Kernels that read the object may still run: the release of memory waits for them. */
cudaError_t gpuvm_runtime_DestroyTextureObject(cudaTextureObject_t object)
{
    struct object **link;
    struct object *destroyed = NULL;
    pthread_mutex_lock(&lock);
    cudaError_t outcome = find(object, &link);
    if (outcome == cudaSuccess) {
        destroyed = *link;
        *link = destroyed->next;
    }
    pthread_mutex_unlock(&lock);
    free(destroyed);
    return outcome == cudaSuccess ? DRIVER(cuMemFree_v2, object) : outcome;
}

cudaError_t gpuvm_runtime_GetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t object)
{
    struct object **link;
    pthread_mutex_lock(&lock);
    cudaError_t outcome = find(object, &link);
    if (outcome == cudaSuccess)
        *resource = (*link)->resource;
    pthread_mutex_unlock(&lock);
    return outcome;
}

cudaError_t gpuvm_runtime_GetTextureObjectTextureDesc(struct cudaTextureDesc *texture, cudaTextureObject_t object)
{
    struct object **link;
    pthread_mutex_lock(&lock);
    cudaError_t outcome = find(object, &link);
    if (outcome == cudaSuccess)
        memcpy(texture, &(*link)->texture, desc_bytes());
    pthread_mutex_unlock(&lock);
    return outcome;
}

/* Objects of linear memory have no views. */
cudaError_t gpuvm_runtime_GetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view, cudaTextureObject_t object)
{
    struct object **link;
    (void)view;
    pthread_mutex_lock(&lock);
    cudaError_t outcome = find(object, &link);
    pthread_mutex_unlock(&lock);
    return outcome == cudaSuccess ? cudaErrorInvalidValue : outcome;
}

void gpuvm_texture_objects_forget(uint64_t number)
{
    pthread_mutex_lock(&lock);
    for (struct object **link = &objects; *link != NULL;) {
        struct object *object = *link;
        if (object->context != number) {
            link = &object->next;
            continue;
        }
        *link = object->next;
        free(object);
    }
    pthread_mutex_unlock(&lock);
}
