#define _GNU_SOURCE

#include "ring.h"

#include <pthread.h>
#include <stdlib.h>

#include "clock.h"
#include "completions.h"
#include "core.h"
#include "gpuvm_cuda_senders.h"

enum {
    TAG_FLAGS_SHIFT = 16,

    /* Length of the ring of arguments: a power of two. At most this part of the data area, but enough for two calls. */
    MOST_ARGUMENTS = 1 << 18,
    LEAST_ARGUMENTS = 2 * GPUVM_MAX_ARGUMENT_BYTES,
    ARGUMENTS_PART = 16,

    /* Arguments begin at multiples of this, so that the backend reads no line that this side writes. */
    CACHE_LINE = 64,

    /* Groups of opcodes whose calls occupy the GPU: opcode / 256. */
    OPCODE_GROUP_SHIFT = 8,
    COPIES = 0x05,
    FILLS = 0x06,
    LAUNCHES = 0x09
};

static struct {
    pthread_mutex_t lock;
    struct pv_entry *entries;
    uint64_t mask;     /* number of entries - 1 */
    uint64_t position; /* number of published entries */
    uint64_t head;     /* number of entries that the backend is known to have consumed */
    uint32_t tag;      /* of the entry between begin and submit */

    /* Positions in the ring of arguments count bytes, and do not wrap around. */
    uint8_t *arguments;
    uint64_t argument_offset; /* in the data area */
    uint64_t argument_bytes;
    uint64_t argument_position;
    uint64_t argument_free; /* all arguments before this position have been copied by the backend */
    uint64_t *argument_ends; /* by slot: position after the arguments of the slot's entry and of all earlier ones */

    _Atomic uint64_t published;
} ring = {.lock = PTHREAD_MUTEX_INITIALIZER};

CUresult gpuvm_ring_open(void)
{
    const struct pv_layout *layout = &gpuvm_core.layout;
    pthread_mutex_init(&ring.lock, NULL);
    uint64_t bytes = MOST_ARGUMENTS;
    while (bytes > LEAST_ARGUMENTS && bytes > layout->data_bytes / ARGUMENTS_PART)
        bytes /= 2;
    ring.argument_ends = calloc(layout->submission_entries, sizeof *ring.argument_ends);
    ring.arguments = gpuvm_data_allocate(bytes);
    if (ring.argument_ends == NULL || ring.arguments == NULL) {
        gpuvm_explain("data area: bytes=%llu are too few", (unsigned long long)layout->data_bytes);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    ring.entries = gpuvm_core.submissions;
    ring.mask = layout->submission_entries - 1;
    ring.position = 0;
    ring.head = 0;
    ring.argument_offset = gpuvm_data_offset(ring.arguments);
    ring.argument_bytes = bytes;
    ring.argument_position = 0;
    ring.argument_free = 0;
    atomic_store(&ring.published, 0);
    return CUDA_SUCCESS;
}

void gpuvm_ring_close(void)
{
    free(ring.argument_ends);
    ring.argument_ends = NULL;
}

/* Position of the next arguments of this length, which do not wrap around. */
static uint64_t next_arguments(size_t bytes)
{
    uint64_t position = (ring.argument_position + CACHE_LINE - 1) & ~(uint64_t)(CACHE_LINE - 1);
    uint64_t at = position & (ring.argument_bytes - 1);
    return at + bytes <= ring.argument_bytes ? position : position + (ring.argument_bytes - at);
}

static bool is_free(uint64_t arguments, size_t bytes)
{
    return ring.position - ring.head <= ring.mask && arguments + bytes - ring.argument_free <= ring.argument_bytes;
}

/* Loads the backend's position. An impossible one has no effect. */
static void load_head(void)
{
    uint64_t head = atomic_load_explicit(gpuvm_core.submission_head, memory_order_acquire);
    if (head - ring.head > ring.position - ring.head || head == ring.head)
        return;
    ring.head = head;
    ring.argument_free = ring.argument_ends[(head - 1) & ring.mask];
}

/* Returns whether the call can be published at once; the lock is held. */
static bool has_room(uint32_t flags, uint64_t arguments, size_t bytes)
{
    if ((flags & GPUVM_NO_REPLY) == 0 && !gpuvm_completions_has_room())
        return false;
    if (GPUVM_LIKELY(is_free(arguments, bytes)))
        return true;
    load_head();
    return is_free(arguments, bytes);
}

CUresult gpuvm_begin(struct gpuvm_message *message, uint32_t opcode, uint32_t flags, size_t argument_bytes)
{
    if (argument_bytes > GPUVM_MAX_ARGUMENT_BYTES)
        return CUDA_ERROR_INVALID_VALUE;
    struct gpuvm_pause pause = {0};
    uint64_t arguments;
    for (;;) {
        if (GPUVM_UNLIKELY(!gpuvm_is_usable()))
            return gpuvm_closed_status();
        pthread_mutex_lock(&ring.lock);
        arguments = next_arguments(argument_bytes);
        if (GPUVM_LIKELY(has_room(flags, arguments, argument_bytes)))
            break;
        pthread_mutex_unlock(&ring.lock);
        gpuvm_pause(&pause);
    }
    struct pv_entry *entry = &ring.entries[ring.position & ring.mask];
    message->operands = entry->body;
    message->arguments = NULL;
    message->sequence = ring.position + 1;
    entry->correlation = message->sequence;
    memset(entry->body, 0, sizeof entry->body);
    if (flags & GPUVM_SPILLED) {
        uint64_t at = arguments & (ring.argument_bytes - 1);
        message->arguments = (uint64_t *)(ring.arguments + at);
        message->operands[0] = ring.argument_offset + at;
        message->operands[1] = argument_bytes;
        ring.argument_position = arguments + argument_bytes;
    }
    ring.tag = opcode | flags << TAG_FLAGS_SHIFT;
    return CUDA_SUCCESS;
}

/* Publishes the entry, unlocks the ring, and wakes the backend if it sleeps. Returns the call's opcode. */
static uint32_t publish(const struct gpuvm_message *message)
{
    uint64_t position = ring.position;
    uint64_t slot = position & ring.mask;
    uint32_t tag = ring.tag;
    ring.argument_ends[slot] = ring.argument_position;
    pv_publish(&ring.entries[slot], position, tag);
    ring.position = position + 1;
    atomic_store_explicit(&ring.published, position + 1, memory_order_release);
    gpuvm_thread.sequence = message->sequence;
    /* The backend has read these lines: ask for them before the next call stores into them. */
    __builtin_prefetch(&ring.entries[(position + 1) & ring.mask], 1);
    __builtin_prefetch(ring.arguments + (next_arguments(0) & (ring.argument_bytes - 1)), 1);
    pthread_mutex_unlock(&ring.lock);
    if (pv_must_wake(gpuvm_core.backend_sleeps) && !gpuvm_core.link.kind->wake(&gpuvm_core.link))
        gpuvm_break("the backend cannot be woken");
    return tag & ((1u << TAG_FLAGS_SHIFT) - 1);
}

void gpuvm_ring_post(struct gpuvm_message *message)
{
    publish(message);
}

void gpuvm_ring_publish(struct gpuvm_message *message, struct gpuvm_wait *wait, uint32_t kind)
{
    gpuvm_completions_add(wait, message->sequence, kind);
    publish(message);
}

/* Waits for the work of a call without reply, and returns its error. */
static CUresult synchronize(uint32_t opcode)
{
    uint64_t context;
    switch (opcode >> OPCODE_GROUP_SHIFT) {
    case COPIES:
    case FILLS:
    case LAUNCHES:
        if (gpuvm_current_context(&context) == CUDA_SUCCESS)
            return gpuvm_send_CtxSynchronize(context);
        break;
    }
    return gpuvm_send_Nop();
}

CUresult gpuvm_submit(struct gpuvm_message *message)
{
    uint32_t opcode = publish(message);
    return GPUVM_UNLIKELY(gpuvm_core.is_synchronous) ? synchronize(opcode) : CUDA_SUCCESS;
}

uint64_t gpuvm_latest_call(void)
{
    return atomic_load_explicit(&ring.published, memory_order_acquire);
}
