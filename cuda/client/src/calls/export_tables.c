/*
 * Tables of functions that NVIDIA's runtimes ask cuGetExportTable for. They are not documented; names, and what a runtime uses of them,
 * are those of vosen/ZLUDA (dark_api) and of measurements with static runtimes of CUDA 8 to 12. All other tables are refused.
 */
#include <string.h>

#include "contexts.h"
#include "current.h"
#include "gpuvm_cuda_api.h"
#include "session.h"

typedef void (*table_function)(void);

/* Entry of a table: a function, or in the first entry of most tables the table's length in bytes. */
union entry {
    size_t bytes;
    table_function function;
};

#define FUNCTION(name) {.function = (table_function)(name)}

/* Function of a table without a known use. */
static CUresult unknown(void)
{
    return gpuvm_unsupported("function of an export table");
}

/* Loads a module as the runtime's calls do, which are no exported functions. */
static CUresult load(CUmodule *module, const void *image)
{
    CUresult outcome = gpuvm_enter(GPUVM_OP_GetExportTable);
    if (outcome == CUDA_SUCCESS)
        outcome = module == NULL || image == NULL ? CUDA_ERROR_INVALID_VALUE : gpuvm_hand_ModuleLoadData(module, image);
    return gpuvm_leave(GPUVM_OP_GetExportTable, outcome);
}

static CUresult load_wrapper(CUmodule *module, const void *wrapper)
{
    return load(module, wrapper);
}

static CUresult load_wrapper_extended(CUmodule *module, const void *wrapper, void *first, void *second, unsigned int third)
{
    (void)first;
    (void)second;
    (void)third;
    return load(module, wrapper);
}

static CUresult load_fatbin_extended(const void *fatbin, CUmodule *module, void *first, void *second, unsigned int third)
{
    (void)first;
    (void)second;
    (void)third;
    return load(module, fatbin);
}

/* Address of the primary context, which may be inactive. */
static CUresult get_primary(CUcontext *context, CUdevice device)
{
    CUresult outcome = gpuvm_enter(GPUVM_OP_GetExportTable);
    if (outcome == CUDA_SUCCESS && context == NULL)
        outcome = CUDA_ERROR_INVALID_VALUE;
    if (outcome == CUDA_SUCCESS && device != GPUVM_DEVICE)
        outcome = CUDA_ERROR_INVALID_DEVICE;
    if (outcome == CUDA_SUCCESS)
        *context = gpuvm_context_address(gpuvm_context_primary());
    return gpuvm_leave(GPUVM_OP_GetExportTable, outcome);
}

/* The runtime announces that it unloads a module. */
static CUresult note_unload(size_t module)
{
    (void)module;
    return CUDA_SUCCESS;
}

#define CUDART_INTERFACE_ENTRIES 13

static const union entry cudart_interface[CUDART_INTERFACE_ENTRIES] = {
    {.bytes = sizeof cudart_interface},
    FUNCTION(load_wrapper),
    FUNCTION(get_primary),
    FUNCTION(unknown),
    FUNCTION(unknown),
    FUNCTION(unknown),
    FUNCTION(load_wrapper_extended),
    FUNCTION(note_unload),
    FUNCTION(load_fatbin_extended),
    FUNCTION(unknown),
    FUNCTION(unknown),
    FUNCTION(unknown),
    FUNCTION(unknown),
};

/* Hooks of tools, which remain zero because there are no tools. */
static uintptr_t api_hooks[1024];
static uintptr_t resource_hooks[14];

static void get_api_hooks(void **hooks, size_t *words)
{
    *hooks = api_hooks;
    *words = sizeof api_hooks / sizeof api_hooks[0];
}

static void get_resource_hooks(void **hooks, size_t *words)
{
    *hooks = resource_hooks;
    *words = sizeof resource_hooks / sizeof resource_hooks[0];
}

#define CALLBACK_HOOKS_ENTRIES 7

static const union entry callback_hooks[CALLBACK_HOOKS_ENTRIES] = {
    {.bytes = sizeof callback_hooks},
    FUNCTION(unknown),
    FUNCTION(get_api_hooks),
    FUNCTION(unknown),
    FUNCTION(unknown),
    FUNCTION(unknown),
    FUNCTION(get_resource_hooks),
};

#define TOOLS_TLS_ENTRIES 4

static const union entry tools_tls[TOOLS_TLS_ENTRIES] = {
    {.bytes = sizeof tools_tls},
    FUNCTION(unknown),
    FUNCTION(unknown),
    FUNCTION(unknown),
};

/* Storage of a context; null is the current context. Null if there is none. */
static struct gpuvm_storage *storage_of(CUcontext context, CUresult *outcome)
{
    struct gpuvm_context_state *state = NULL;
    if (gpuvm_session_facts() == NULL) {
        /* Before initialization, and in a forked child, whose locks another thread of the parent may have held. */
        *outcome = CUDA_ERROR_NOT_INITIALIZED;
    } else if (context == NULL) {
        *outcome = gpuvm_current_state(&state);
    } else {
        state = gpuvm_context_find(context);
        *outcome = state != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
    }
    return *outcome == CUDA_SUCCESS ? &state->storage : NULL;
}

static CUresult put_value(CUcontext context, void *key, void *value, gpuvm_storage_destructor destructor)
{
    CUresult outcome;
    struct gpuvm_storage *storage = storage_of(context, &outcome);
    if (storage == NULL)
        return outcome;
    return gpuvm_storage_put(storage, &(struct gpuvm_stored){key, value, destructor});
}

static CUresult remove_value(CUcontext context, void *key)
{
    CUresult outcome;
    struct gpuvm_storage *storage = storage_of(context, &outcome);
    return storage != NULL ? gpuvm_storage_remove(storage, key) : outcome;
}

static CUresult get_value(void **value, CUcontext context, void *key)
{
    CUresult outcome;
    struct gpuvm_storage *storage = storage_of(context, &outcome);
    return storage != NULL ? gpuvm_storage_get(storage, key, value) : outcome;
}

#define STORAGE_ENTRIES 4

/* This table begins with its first function. */
static const union entry context_storage[STORAGE_ENTRIES] = {
    FUNCTION(put_value),
    FUNCTION(remove_value),
    FUNCTION(get_value),
    FUNCTION(unknown),
};

static CUresult check_context(CUcontext context, uint32_t *first, const void **second)
{
    (void)context;
    *first = 0;
    *second = NULL;
    return CUDA_SUCCESS;
}

static uint32_t check_process(void)
{
    return 0;
}

#define CONTEXT_CHECKS_ENTRIES 4

static const union entry context_checks[CONTEXT_CHECKS_ENTRIES] = {
    {.bytes = sizeof context_checks},
    FUNCTION(unknown),
    FUNCTION(check_context),
    FUNCTION(check_process),
};

#define IDENTIFIER_BYTES 16

struct table {
    uint8_t identifier[IDENTIFIER_BYTES];
    const union entry *entries;
};

static const struct table tables[] = {
    {{0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a, 0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9}, cudart_interface},
    {{0xa0, 0x94, 0x79, 0x8c, 0x2e, 0x74, 0x2e, 0x74, 0x93, 0xf2, 0x08, 0x00, 0x20, 0x0c, 0x0a, 0x66}, callback_hooks},
    {{0x42, 0xd8, 0x5a, 0x81, 0x23, 0xf6, 0xcb, 0x47, 0x82, 0x98, 0xf6, 0xe7, 0x8a, 0x3a, 0xec, 0xdc}, tools_tls},
    {{0xc6, 0x93, 0x33, 0x6e, 0x11, 0x21, 0xdf, 0x11, 0xa8, 0xc3, 0x68, 0xf3, 0x55, 0xd8, 0x95, 0x93}, context_storage},
    {{0x26, 0x3e, 0x88, 0x60, 0x7c, 0xd2, 0x61, 0x43, 0x92, 0xf6, 0xbb, 0xd5, 0x00, 0x6d, 0xfa, 0x7e}, context_checks},
};

CUresult gpuvm_local_GetExportTable(const void **table, const CUuuid *identifier)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (memcmp(tables[i].identifier, identifier->bytes, IDENTIFIER_BYTES) == 0) {
            *table = tables[i].entries;
            return CUDA_SUCCESS;
        }
    }
    *table = NULL;
    gpuvm_unsupported("export table");
    return CUDA_ERROR_INVALID_VALUE;
}
