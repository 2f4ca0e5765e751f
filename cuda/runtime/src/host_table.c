/* Open addressing. The address of a slot never changes; a removed address keeps its slot, until the table grows. */
#include "host_table.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { FIRST_SLOTS = 256 };

struct slot {
    _Atomic uintptr_t address; /* 0 in a free slot */
    void *_Atomic value;       /* null after a removal */
};

struct gpuvm_host_slots {
    size_t count; /* a power of two */
    size_t used;  /* slots with an address, under the table's lock; at most half of all */
    /* Smaller predecessor, in which other threads may be searching. All predecessors together are smaller than the successor. */
    struct gpuvm_host_slots *previous;
    struct slot slot[];
};

/* Mixes an address, whose low bits are often 0. The constant is 2^64 divided by the golden ratio. */
static size_t first_place(const struct gpuvm_host_slots *slots, uintptr_t address)
{
    uint64_t mixed = (uint64_t)address * 0x9e3779b97f4a7c15ull;
    return (size_t)(mixed >> 32) & (slots->count - 1);
}

/* Slot of an address, or the free slot in which the search ends. */
static struct slot *find_slot(struct gpuvm_host_slots *slots, uintptr_t address)
{
    for (size_t place = first_place(slots, address);; place = (place + 1) & (slots->count - 1)) {
        uintptr_t found = atomic_load_explicit(&slots->slot[place].address, memory_order_acquire);
        if (found == address || found == 0)
            return &slots->slot[place];
    }
}

void *gpuvm_host_table_find(struct gpuvm_host_table *table, const void *address)
{
    struct gpuvm_host_slots *slots = atomic_load_explicit(&table->slots, memory_order_acquire);
    if (slots == NULL || address == NULL)
        return NULL;
    struct slot *slot = find_slot(slots, (uintptr_t)address);
    return atomic_load_explicit(&slot->address, memory_order_relaxed) == 0 ? NULL : atomic_load_explicit(&slot->value, memory_order_acquire);
}

/* The value is stored before the address, so that a thread that sees the address also sees the value. */
static void fill_slot(struct gpuvm_host_slots *slots, uintptr_t address, void *value)
{
    struct slot *slot = find_slot(slots, address);
    atomic_store_explicit(&slot->value, value, memory_order_release);
    if (atomic_load_explicit(&slot->address, memory_order_relaxed) == 0) {
        slots->used++;
        atomic_store_explicit(&slot->address, address, memory_order_release);
    }
}

/* Makes a table with twice the slots, without removed addresses. */
static struct gpuvm_host_slots *grow(struct gpuvm_host_table *table, struct gpuvm_host_slots *old)
{
    size_t count = old != NULL ? old->count * 2 : FIRST_SLOTS;
    struct gpuvm_host_slots *grown = calloc(1, sizeof *grown + count * sizeof grown->slot[0]);
    if (grown == NULL)
        return NULL;
    grown->count = count;
    grown->previous = old;
    for (size_t i = 0; old != NULL && i < old->count; i++) {
        void *value = atomic_load(&old->slot[i].value);
        if (value != NULL)
            fill_slot(grown, atomic_load(&old->slot[i].address), value);
    }
    atomic_store_explicit(&table->slots, grown, memory_order_release);
    return grown;
}

static bool set(struct gpuvm_host_table *table, uintptr_t address, void *value)
{
    struct gpuvm_host_slots *slots = atomic_load(&table->slots);
    if (slots != NULL) {
        struct slot *slot = find_slot(slots, address);
        if (atomic_load(&slot->address) != 0) {
            atomic_store_explicit(&slot->value, value, memory_order_release);
            return true;
        }
    }
    if (value == NULL)
        return true;
    if (slots == NULL || slots->used >= slots->count / 2)
        slots = grow(table, slots);
    if (slots != NULL)
        fill_slot(slots, address, value);
    return slots != NULL;
}

bool gpuvm_host_table_set(struct gpuvm_host_table *table, const void *address, void *value)
{
    pthread_mutex_lock(&table->lock);
    bool is_set = set(table, (uintptr_t)address, value);
    pthread_mutex_unlock(&table->lock);
    return is_set;
}
