#define _POSIX_C_SOURCE 200809L

#include "textures.h"

#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "gpuvm_cuda_senders.h"
#include "handles.h"
#include "modules.h"

struct texture_object {
    struct gpuvm_slot slot;
    _Atomic uint64_t module; /* handle */
    char *name;              /* under the lock */
};

static struct gpuvm_table textures = GPUVM_TABLE(GPUVM_TEXTURE_LETTER);

/* A texture has one reference, which is created when the program first asks for it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

CUresult gpuvm_textures_open(uint32_t limit)
{
    return gpuvm_table_open(&textures, sizeof(struct texture_object), limit);
}

static void free_name(void *object)
{
    struct texture_object *texture = object;
    pthread_mutex_lock(&lock);
    free(texture->name);
    texture->name = NULL;
    pthread_mutex_unlock(&lock);
}

void gpuvm_textures_forget(uint64_t context)
{
    gpuvm_table_forget(&textures, context, free_name);
}

void gpuvm_textures_forget_module(uint64_t module)
{
    uint32_t index = 0;
    struct texture_object *texture;
    while ((texture = gpuvm_table_next(&textures, &index)) != NULL) {
        uint64_t handle = gpuvm_slot_handle(texture);
        if (handle == 0 || atomic_load(&texture->module) != module || !gpuvm_slot_hide(texture, handle))
            continue;
        free_name(texture);
        gpuvm_table_give(&textures, texture);
    }
}

CUresult gpuvm_wire_texref(CUtexref reference, uint64_t *handle)
{
    *handle = (uint64_t)(uintptr_t)reference;
    return gpuvm_table_find(&textures, *handle) != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* Handle of the reference that a texture of a module has, or 0. The caller has the lock. */
static uint64_t find(uint64_t module, const char *name)
{
    uint32_t index = 0;
    struct texture_object *texture;
    while ((texture = gpuvm_table_next(&textures, &index)) != NULL) {
        uint64_t handle = gpuvm_slot_handle(texture);
        if (handle != 0 && atomic_load(&texture->module) == module && strcmp(texture->name, name) == 0)
            return handle;
    }
    return 0;
}

/* Creates a reference. The caller has the lock. */
static CUresult create(uint64_t context, uint64_t module, const char *name, uint64_t *handle)
{
    struct texture_object *created = gpuvm_table_take(&textures, handle);
    char *copy = strdup(name);
    if (created == NULL || copy == NULL) {
        free(copy);
        if (created != NULL)
            gpuvm_table_give(&textures, created);
        gpuvm_explain("texture references limit=%u", gpuvm_session_facts()->texture_references);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    struct gpuvm_message message;
    struct gpuvm_wait wait;
    CUresult filled = gpuvm_fill_ModuleGetTexRef(&message, *handle, module, name, strlen(name));
    CUresult outcome = gpuvm_exchange(filled, &message, &wait);
    if (wait.status != CUDA_SUCCESS) {
        free(copy);
        gpuvm_table_give(&textures, created);
        return outcome;
    }
    /* After an earlier call's error the reference exists; the program's next attempt finds it. */
    created->name = copy;
    atomic_store(&created->module, module);
    gpuvm_slot_set_context(created, context);
    gpuvm_slot_show(created, *handle);
    return outcome;
}

CUresult gpuvm_hand_ModuleGetTexRef(CUtexref *reference, CUmodule module, const char *name)
{
    uint64_t module_handle = (uint64_t)(uintptr_t)module;
    uint64_t context = gpuvm_module_context(module_handle);
    if (context == 0)
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult outcome = CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    uint64_t handle = find(module_handle, name);
    if (handle == 0)
        outcome = create(context, module_handle, name, &handle);
    pthread_mutex_unlock(&lock);
    if (outcome == CUDA_SUCCESS)
        *reference = (CUtexref)(uintptr_t)handle;
    return outcome;
}

/* The texture begins at the address itself: kernels have to add no offset. */
CUresult gpuvm_hand_TexRefSetAddress(size_t *byteOffset, CUtexref reference, CUdeviceptr address, size_t bytes)
{
    uint64_t handle;
    CUresult outcome = gpuvm_wire_texref(reference, &handle);
    if (outcome == CUDA_SUCCESS)
        outcome = gpuvm_send_TexRefSetAddress(handle, address, bytes);
    if (outcome == CUDA_SUCCESS && byteOffset != NULL)
        *byteOffset = 0;
    return outcome;
}
