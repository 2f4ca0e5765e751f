#define _GNU_SOURCE

#include "handles.h"

#include <sys/mman.h>

CUresult gpuvm_table_open(struct gpuvm_table *table, size_t stride, uint32_t limit)
{
    size_t bytes = ((size_t)limit + 1) * stride;
    void *slots = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (slots == MAP_FAILED)
        return CUDA_ERROR_OUT_OF_MEMORY;
    table->slots = slots;
    table->stride = stride;
    atomic_store_explicit(&table->limit, limit, memory_order_release);
    return CUDA_SUCCESS;
}

/* Handle of the next object of a slot; generation 0 is left out, so that no handle is 0. */
static uint64_t next_handle(const struct gpuvm_table *table, struct gpuvm_slot *slot, uint32_t index)
{
    slot->generation = (slot->generation + 1) & GPUVM_HANDLE_GENERATION_MASK;
    if (slot->generation == 0)
        slot->generation = 1;
    return (uint64_t)(unsigned char)table->letter << GPUVM_HANDLE_LETTER_SHIFT |
        (uint64_t)slot->generation << GPUVM_HANDLE_GENERATION_SHIFT | index;
}

void *gpuvm_table_take(struct gpuvm_table *table, uint64_t *handle)
{
    struct gpuvm_slot *slot = NULL;
    pthread_mutex_lock(&table->lock);
    uint32_t index = table->free;
    if (index != 0) {
        slot = gpuvm_table_slot(table, index);
        table->free = slot->next;
    } else if (table->used < atomic_load(&table->limit)) {
        index = ++table->used;
        slot = gpuvm_table_slot(table, index);
    }
    if (slot != NULL)
        *handle = next_handle(table, slot, index);
    pthread_mutex_unlock(&table->lock);
    return slot;
}

void gpuvm_table_give(struct gpuvm_table *table, void *object)
{
    struct gpuvm_slot *slot = object;
    uint32_t index = (uint32_t)((size_t)((unsigned char *)object - table->slots) / table->stride);
    pthread_mutex_lock(&table->lock);
    slot->next = table->free;
    table->free = index;
    pthread_mutex_unlock(&table->lock);
}

bool gpuvm_slot_hide(void *object, uint64_t handle)
{
    struct gpuvm_slot *slot = object;
    return atomic_compare_exchange_strong(&slot->handle, &handle, 0);
}

void *gpuvm_table_next(struct gpuvm_table *table, uint32_t *index)
{
    pthread_mutex_lock(&table->lock);
    uint32_t used = table->used;
    pthread_mutex_unlock(&table->lock);
    return *index < used ? gpuvm_table_slot(table, ++*index) : NULL;
}

void gpuvm_table_forget(struct gpuvm_table *table, uint64_t context, void (*last)(void *object))
{
    uint32_t index = 0;
    void *object;
    while ((object = gpuvm_table_next(table, &index)) != NULL) {
        uint64_t handle = gpuvm_slot_handle(object);
        if (handle == 0 || gpuvm_slot_context(object) != context || !gpuvm_slot_hide(object, handle))
            continue;
        if (last != NULL)
            last(object);
        gpuvm_table_give(table, object);
    }
}
