#define _POSIX_C_SOURCE 200809L

#include "images.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "host_table.h"

static struct gpuvm_host_table table = GPUVM_HOST_TABLE;

/* Of images, symbols and instances. A thread that loads an image holds it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gpuvm_image *images;

struct gpuvm_image *gpuvm_image_add(const void *code)
{
    struct gpuvm_image *image = calloc(1, sizeof *image);
    if (image == NULL)
        return NULL;
    image->code = code;
    pthread_mutex_lock(&lock);
    image->following = images;
    if (images != NULL)
        images->previous = image;
    images = image;
    pthread_mutex_unlock(&lock);
    return image;
}

struct gpuvm_symbol *gpuvm_symbol_add(struct gpuvm_image *image, enum gpuvm_symbol_kind kind, const void *host, const char *name)
{
    struct gpuvm_symbol *symbol = calloc(1, sizeof *symbol);
    char *copy = strdup(name);
    if (symbol == NULL || copy == NULL)
        goto exhausted;
    pthread_mutex_lock(&lock);
    *symbol = (struct gpuvm_symbol){.kind = kind, .host = host, .name = copy, .image = image};
    symbol->hidden = gpuvm_host_table_find(&table, host);
    bool is_added = gpuvm_host_table_set(&table, host, symbol);
    if (is_added) {
        symbol->next = image->symbols;
        image->symbols = symbol;
    }
    pthread_mutex_unlock(&lock);
    if (is_added)
        return symbol;
exhausted:
    free(copy);
    free(symbol);
    return NULL;
}

/* Removes a symbol from those with its host address. The caller has the lock. */
static void remove_symbol(struct gpuvm_symbol *removed)
{
    struct gpuvm_symbol *newest = gpuvm_host_table_find(&table, removed->host);
    if (newest == removed) {
        gpuvm_host_table_set(&table, removed->host, removed->hidden);
        return;
    }
    while (newest != NULL && newest->hidden != removed)
        newest = newest->hidden;
    if (newest != NULL)
        newest->hidden = removed->hidden;
}

static void free_instances(struct gpuvm_instance *instance)
{
    while (instance != NULL) {
        struct gpuvm_instance *next = instance->next;
        free(instance);
        instance = next;
    }
}

/* Returns whether the driver answers: not in a child of a process with CUDA, nor before the first use. */
static bool has_driver(void)
{
    CUcontext current;
    return gpuvm_driver.cuCtxGetCurrent != NULL && gpuvm_driver.cuCtxGetCurrent(&current) == CUDA_SUCCESS;
}

/* Unloads the modules of an image in the contexts that have them. */
static void unload(struct gpuvm_image *image)
{
    for (struct gpuvm_instance *instance = image->instances; instance != NULL; instance = instance->next) {
        CUcontext popped;
        if (atomic_load(&instance->number) == 0 || gpuvm_driver.cuCtxPushCurrent_v2(instance->context) != CUDA_SUCCESS)
            continue;
        gpuvm_driver.cuModuleUnload((CUmodule)atomic_load(&instance->value));
        gpuvm_driver.cuCtxPopCurrent_v2(&popped);
    }
}

void gpuvm_image_remove(struct gpuvm_image *image)
{
    bool is_loaded = atomic_load(&image->instances) != NULL && has_driver();
    pthread_mutex_lock(&lock);
    if (image->previous != NULL)
        image->previous->following = image->following;
    else
        images = image->following;
    if (image->following != NULL)
        image->following->previous = image->previous;
    for (struct gpuvm_symbol *symbol = image->symbols; symbol != NULL; symbol = symbol->next)
        remove_symbol(symbol);
    if (is_loaded)
        unload(image);
    pthread_mutex_unlock(&lock);
    for (struct gpuvm_symbol *symbol = image->symbols; symbol != NULL;) {
        struct gpuvm_symbol *next = symbol->next;
        free_instances(symbol->instances);
        free(symbol->name);
        free(symbol);
        symbol = next;
    }
    free_instances(image->instances);
    free(image);
}

struct gpuvm_symbol *gpuvm_symbol_find(enum gpuvm_symbol_kind kind, const void *host)
{
    struct gpuvm_symbol *symbol = gpuvm_host_table_find(&table, host);
    return symbol != NULL && symbol->kind == kind ? symbol : NULL;
}

static bool find_instance(struct gpuvm_instance *_Atomic *first, uint64_t number, uintptr_t *value)
{
    for (struct gpuvm_instance *instance = atomic_load_explicit(first, memory_order_acquire); instance != NULL; instance = instance->next) {
        if (atomic_load_explicit(&instance->number, memory_order_acquire) == number) {
            *value = atomic_load_explicit(&instance->value, memory_order_relaxed);
            return true;
        }
    }
    return false;
}

/* A free instance, or a new one; null if the memory is exhausted. The caller has the lock. */
static struct gpuvm_instance *take_instance(struct gpuvm_instance *_Atomic *first)
{
    for (struct gpuvm_instance *instance = atomic_load(first); instance != NULL; instance = instance->next) {
        if (atomic_load(&instance->number) == 0)
            return instance;
    }
    struct gpuvm_instance *created = calloc(1, sizeof *created);
    if (created != NULL) {
        created->next = atomic_load(first);
        atomic_store_explicit(first, created, memory_order_release);
    }
    return created;
}

static cudaError_t add_instance(struct gpuvm_instance *_Atomic *first, uint64_t number, uintptr_t value)
{
    struct gpuvm_instance *instance = take_instance(first);
    if (instance == NULL)
        return cudaErrorMemoryAllocation;
    cudaError_t outcome = DRIVER(cuCtxGetCurrent, &instance->context);
    if (outcome != cudaSuccess)
        return outcome;
    atomic_store_explicit(&instance->value, value, memory_order_relaxed);
    atomic_store_explicit(&instance->number, number, memory_order_release);
    return cudaSuccess;
}

/* Module of an image in the current context. The caller has the lock. */
static cudaError_t load_module(struct gpuvm_image *image, uint64_t number, CUmodule *module)
{
    uintptr_t found;
    if (find_instance(&image->instances, number, &found)) {
        *module = (CUmodule)found;
        return cudaSuccess;
    }
    cudaError_t outcome = DRIVER(cuModuleLoadData, module, image->code);
    if (outcome != cudaSuccess)
        return outcome;
    outcome = add_instance(&image->instances, number, (uintptr_t)*module);
    if (outcome != cudaSuccess)
        gpuvm_driver.cuModuleUnload(*module);
    return outcome;
}

/* Finds a symbol in its module. */
static cudaError_t look_up(const struct gpuvm_symbol *symbol, CUmodule module, uintptr_t *value)
{
    CUfunction function = NULL;
    CUdeviceptr address = 0;
    size_t bytes;
    CUtexref reference = NULL;
    cudaError_t outcome;
    switch (symbol->kind) {
    case GPUVM_KERNEL:
        outcome = DRIVER(cuModuleGetFunction, &function, module, symbol->name);
        *value = (uintptr_t)function;
        return outcome == cudaErrorSymbolNotFound ? cudaErrorInvalidDeviceFunction : outcome;
    case GPUVM_VARIABLE:
        outcome = DRIVER(cuModuleGetGlobal_v2, &address, &bytes, module, symbol->name);
        *value = (uintptr_t)address;
        return outcome == cudaErrorSymbolNotFound ? cudaErrorInvalidSymbol : outcome;
    default:
        outcome = DRIVER(cuModuleGetTexRef, &reference, module, symbol->name);
        *value = (uintptr_t)reference;
        return outcome == cudaErrorSymbolNotFound ? cudaErrorInvalidTexture : outcome;
    }
}

/* The caller has the lock. */
static cudaError_t load(struct gpuvm_symbol *symbol, uint64_t number, uintptr_t *value)
{
    CUmodule module;
    cudaError_t outcome = load_module(symbol->image, number, &module);
    if (outcome == cudaSuccess)
        outcome = look_up(symbol, module, value);
    if (outcome == cudaSuccess)
        outcome = add_instance(&symbol->instances, number, *value);
    return outcome;
}

cudaError_t gpuvm_symbol_value(struct gpuvm_symbol *symbol, uintptr_t *value)
{
    uint64_t number;
    cudaError_t outcome = gpuvm_context_number(&number);
    if (outcome != cudaSuccess || find_instance(&symbol->instances, number, value))
        return outcome;
    pthread_mutex_lock(&lock);
    if (!find_instance(&symbol->instances, number, value))
        outcome = load(symbol, number, value);
    pthread_mutex_unlock(&lock);
    return outcome;
}

cudaError_t gpuvm_kernel_of(const void *host, CUfunction *function)
{
    struct gpuvm_symbol *symbol = gpuvm_symbol_find(GPUVM_KERNEL, host);
    if (symbol == NULL)
        return cudaErrorInvalidDeviceFunction;
    uintptr_t value;
    cudaError_t outcome = gpuvm_symbol_value(symbol, &value);
    if (outcome == cudaSuccess)
        *function = (CUfunction)value;
    return outcome;
}

static void forget(struct gpuvm_instance *instance, uint64_t number)
{
    for (; instance != NULL; instance = instance->next) {
        if (atomic_load(&instance->number) == number)
            atomic_store(&instance->number, 0);
    }
}

void gpuvm_images_forget(uint64_t number)
{
    pthread_mutex_lock(&lock);
    for (struct gpuvm_image *image = images; image != NULL; image = image->following) {
        for (struct gpuvm_symbol *symbol = image->symbols; symbol != NULL; symbol = symbol->next)
            forget(symbol->instances, number);
        forget(image->instances, number);
    }
    pthread_mutex_unlock(&lock);
}
