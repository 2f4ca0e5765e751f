#include "storage.h"

#include <stdlib.h>

#define FIRST_CAPACITY 4

void gpuvm_storage_open(struct gpuvm_storage *storage)
{
    pthread_mutex_init(&storage->lock, NULL);
}

/* Entry with a key, or null. The caller has the lock. */
static struct gpuvm_stored *find(struct gpuvm_storage *storage, const void *key)
{
    for (size_t i = 0; i < storage->count; i++) {
        if (storage->entries[i].key == key)
            return &storage->entries[i];
    }
    return NULL;
}

/* New entry at the end, or null without memory. The caller has the lock. */
static struct gpuvm_stored *append(struct gpuvm_storage *storage)
{
    if (storage->count == storage->capacity) {
        size_t capacity = storage->capacity == 0 ? FIRST_CAPACITY : 2 * storage->capacity;
        struct gpuvm_stored *entries = realloc(storage->entries, capacity * sizeof *entries);
        if (entries == NULL)
            return NULL;
        storage->entries = entries;
        storage->capacity = capacity;
    }
    return &storage->entries[storage->count++];
}

CUresult gpuvm_storage_put(struct gpuvm_storage *storage, const struct gpuvm_stored *entry)
{
    pthread_mutex_lock(&storage->lock);
    struct gpuvm_stored *place = find(storage, entry->key);
    if (place == NULL)
        place = append(storage);
    if (place != NULL)
        *place = *entry;
    pthread_mutex_unlock(&storage->lock);
    return place != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult gpuvm_storage_get(struct gpuvm_storage *storage, void *key, void **value)
{
    pthread_mutex_lock(&storage->lock);
    const struct gpuvm_stored *found = find(storage, key);
    if (found != NULL)
        *value = found->value;
    pthread_mutex_unlock(&storage->lock);
    return found != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult gpuvm_storage_remove(struct gpuvm_storage *storage, void *key)
{
    pthread_mutex_lock(&storage->lock);
    struct gpuvm_stored *found = find(storage, key);
    if (found != NULL)
        *found = storage->entries[--storage->count];
    pthread_mutex_unlock(&storage->lock);
    return found != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

void gpuvm_storage_clear(struct gpuvm_storage *storage, CUcontext context)
{
    pthread_mutex_lock(&storage->lock);
    struct gpuvm_stored *entries = storage->entries;
    size_t count = storage->count;
    storage->entries = NULL;
    storage->count = 0;
    storage->capacity = 0;
    pthread_mutex_unlock(&storage->lock);
    for (size_t i = 0; i < count; i++) {
        if (entries[i].destructor != NULL)
            entries[i].destructor(context, entries[i].key, entries[i].value);
    }
    free(entries);
}
