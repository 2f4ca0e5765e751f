/*
 * Tables of objects by handle. A handle is the number that travels: bits 31:0 are the index of the object's slot, bits 63:32 a
 * generation, whose upper byte is the letter of the kind. So a handle of one kind is never a valid handle of another kind, a handle
 * of an object that has been destroyed is invalid until the generations of its slot wrap around, and no invalid handle makes the
 * library touch memory outside of its tables. Programs get the handle as an opaque pointer, which is not a canonical address.
 *
 * Slots are memory that is reserved once and never freed. Finding an object is lock-free; any thread.
 */
#ifndef GPUVM_HANDLES_H
#define GPUVM_HANDLES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpuvm_cuda_types.h"

/* Beginning of each object. */
struct gpuvm_slot {
    _Atomic uint64_t handle;  /* 0: the object is not visible */
    _Atomic uint64_t context; /* handle of the object's context, 0 for objects without one */
    uint32_t generation;      /* of the latest object; under the table's lock */
    uint32_t next;            /* next free slot; under the table's lock */
};

struct gpuvm_table {
    unsigned char *slots; /* slot 0 is not used */
    size_t stride;
    _Atomic uint32_t limit; /* greatest index; 0 until the table is open */
    char letter;
    pthread_mutex_t lock;
    uint32_t used; /* greatest index that has been used; under the lock */
    uint32_t free; /* first free slot up to `used`, or 0; under the lock */
};

#define GPUVM_TABLE(kind) {.letter = (kind), .lock = PTHREAD_MUTEX_INITIALIZER}

/* Letters of the kinds. */
#define GPUVM_CONTEXT_LETTER 'C'
#define GPUVM_STREAM_LETTER 'S'
#define GPUVM_EVENT_LETTER 'E'
#define GPUVM_MODULE_LETTER 'M'
#define GPUVM_TEXTURE_LETTER 'T'
#define GPUVM_LIBRARY_LETTER 'L'
#define GPUVM_LINK_LETTER 'I'
/* Functions and kernels have no slots of their own: see gpuvm_part_handle. */
#define GPUVM_FUNCTION_LETTER 'F'
#define GPUVM_KERNEL_LETTER 'K'

#define GPUVM_HANDLE_LETTER_SHIFT 56
#define GPUVM_HANDLE_GENERATION_SHIFT 32
#define GPUVM_HANDLE_GENERATION_MASK UINT32_C(0xffffff)

/* Number of parts, and greatest index of a slot whose parts have handles. */
#define GPUVM_PART_LIMIT UINT32_C(0xffff)

/* Opens a table with slots of `stride` bytes, which begin with struct gpuvm_slot and are zero at first. */
CUresult gpuvm_table_open(struct gpuvm_table *table, size_t stride, uint32_t limit);

/*
 * Takes a free slot and sets *handle to the handle of the new object, which is not visible until gpuvm_slot_show. Null if all slots
 * are in use.
 */
void *gpuvm_table_take(struct gpuvm_table *table, uint64_t *handle);

/* Gives a slot back whose object is not visible. The call that destroyed the object, if any, has been published. */
void gpuvm_table_give(struct gpuvm_table *table, void *object);

/* Hides an object. Returns whether this call did it: of several calls for one object, one. */
bool gpuvm_slot_hide(void *object, uint64_t handle);

/*
 * Returns the slot after the one with index *index, and increments it; null after the last one that has been used. The slot may be
 * free.
 */
void *gpuvm_table_next(struct gpuvm_table *table, uint32_t *index);

/*
 * Hides and gives back all objects of a context that has ended. Calls `last` before, unless it is null, with each object that is
 * hidden and not yet given back.
 */
void gpuvm_table_forget(struct gpuvm_table *table, uint64_t context, void (*last)(void *object));

/* Makes an object visible; its fields are set. */
static inline void gpuvm_slot_show(void *object, uint64_t handle)
{
    atomic_store_explicit(&((struct gpuvm_slot *)object)->handle, handle, memory_order_release);
}

static inline void *gpuvm_table_slot(struct gpuvm_table *table, uint32_t index)
{
    return table->slots + index * table->stride;
}

static inline uint64_t gpuvm_slot_handle(const void *object)
{
    return atomic_load_explicit(&((const struct gpuvm_slot *)object)->handle, memory_order_acquire);
}

static inline uint64_t gpuvm_slot_context(const void *object)
{
    return atomic_load_explicit(&((const struct gpuvm_slot *)object)->context, memory_order_relaxed);
}

static inline void gpuvm_slot_set_context(void *object, uint64_t context)
{
    atomic_store_explicit(&((struct gpuvm_slot *)object)->context, context, memory_order_relaxed);
}

/* Returns the object with a handle, or null. */
static inline void *gpuvm_table_find(struct gpuvm_table *table, uint64_t handle)
{
    uint32_t index = (uint32_t)handle;
    if (index - 1 >= atomic_load_explicit(&table->limit, memory_order_acquire))
        return NULL;
    void *object = gpuvm_table_slot(table, index);
    return gpuvm_slot_handle(object) == handle ? object : NULL;
}

/*
 * Handle of a part of an object (a function of a module): the handle of the object with another letter, and the part's index in bits
 * 31:16. Index of the object and of the part are at most GPUVM_PART_LIMIT.
 */
static inline uint64_t gpuvm_part_handle(char letter, uint64_t whole, uint32_t part)
{
    uint64_t generation = whole & (uint64_t)GPUVM_HANDLE_GENERATION_MASK << GPUVM_HANDLE_GENERATION_SHIFT;
    return (uint64_t)(unsigned char)letter << GPUVM_HANDLE_LETTER_SHIFT | generation | (uint64_t)part << 16 |
        (whole & GPUVM_PART_LIMIT);
}

/* Index of the part in the handle of a part. */
static inline uint32_t gpuvm_part_index(uint64_t part)
{
    return (uint32_t)part >> 16;
}

/* Handle of the object in the handle of a part. */
static inline uint64_t gpuvm_part_whole(char letter, uint64_t part)
{
    uint64_t generation = part & (uint64_t)GPUVM_HANDLE_GENERATION_MASK << GPUVM_HANDLE_GENERATION_SHIFT;
    return (uint64_t)(unsigned char)letter << GPUVM_HANDLE_LETTER_SHIFT | generation | (part & GPUVM_PART_LIMIT);
}

static inline bool gpuvm_has_letter(char letter, uint64_t handle)
{
    return handle >> GPUVM_HANDLE_LETTER_SHIFT == (unsigned char)letter;
}

#endif
