#define _POSIX_C_SOURCE 200809L

#include "prints.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "boxes.h"
#include "current.h"
#include "gpuvm_cuda_senders.h"
#include "printed_text.h"
#include "session.h"

/* Buffer of a module. */
struct buffer {
    struct buffer *next;
    const struct gpuvm_content *content;
    uint64_t context;
    uint64_t address;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buffer *buffers;

/* Number of buffers, for calls that find none without the lock. */
static atomic_uint count;

void gpuvm_prints_add(const struct gpuvm_content *content, uint64_t context)
{
    for (uint32_t i = 0; i < content->variable_count; i++) {
        const struct gpuvm_variable *variable = &content->variables[i];
        if (strcmp(variable->name, GPUVM_PRINTF_SYMBOL) != 0 || variable->bytes != GPUVM_PRINTF_HEADER_BYTES + GPUVM_PRINTF_CAPACITY)
            continue;
        struct buffer *added = malloc(sizeof *added);
        if (added == NULL)
            return;
        pthread_mutex_lock(&lock);
        *added = (struct buffer){buffers, content, context, variable->address};
        buffers = added;
        atomic_fetch_add(&count, 1);
        pthread_mutex_unlock(&lock);
        return;
    }
}

static CUresult read_memory(void *to, uint64_t from, size_t bytes)
{
    const struct gpuvm_box box = {.to = {GPUVM_PAGEABLE, (uint64_t)(uintptr_t)to, bytes, 1},
        .from = {GPUVM_ON_DEVICE, from, bytes, 1}, .width = bytes, .height = 1, .depth = 1};
    return gpuvm_copy_box(&box, NULL, false);
}

/* Records that were taken from a buffer. */
struct taken {
    struct taken *next;
    size_t bytes;
    uint8_t records[];
};

/* Empties a buffer of the current context, and returns its records; null if there are none. */
static struct taken *take(const struct buffer *buffer)
{
    uint8_t header[GPUVM_PRINTF_HEADER_BYTES];
    if (read_memory(header, buffer->address, sizeof header) != CUDA_SUCCESS)
        return NULL;
    size_t used = gpuvm_printf_used(header);
    struct taken *taken = used > sizeof header ? malloc(sizeof *taken + used) : NULL;
    if (taken == NULL)
        return NULL;
    uint32_t dropped = gpuvm_printf_dropped(header);
    if (dropped > 0)
        gpuvm_explain("printf: dropped=%u calls, the buffer was full", dropped);
    if (read_memory(taken->records, buffer->address, used) != CUDA_SUCCESS ||
        gpuvm_hand_MemsetD8Async(buffer->address, 0, used, NULL) != CUDA_SUCCESS) {
        free(taken);
        return NULL;
    }
    taken->next = NULL;
    taken->bytes = used;
    return taken;
}

/* Takes the records of the buffers of a context, and of one content unless it is null. */
static struct taken *take_all(uint64_t context, const struct gpuvm_content *only)
{
    struct taken *first = NULL;
    struct taken **last = &first;
    pthread_mutex_lock(&lock);
    for (const struct buffer *buffer = buffers; buffer != NULL; buffer = buffer->next) {
        if (buffer->context == context && (only == NULL || buffer->content == only) && (*last = take(buffer)) != NULL)
            last = &(*last)->next;
    }
    pthread_mutex_unlock(&lock);
    return first;
}

/* Without the lock: standard output may block, and only the calls that print wait for it. */
static void write_all(const struct gpuvm_content *only)
{
    uint64_t context;
    if (gpuvm_current_context(&context) != CUDA_SUCCESS)
        return;
    struct taken *taken = take_all(context, only);
    while (taken != NULL) {
        struct taken *next = taken->next;
        flockfile(stdout);
        gpuvm_printf_write(stdout, taken->records, taken->bytes);
        fflush(stdout);
        funlockfile(stdout);
        free(taken);
        taken = next;
    }
}

CUresult gpuvm_prints_write(CUresult outcome)
{
    if (outcome == CUDA_SUCCESS && atomic_load_explicit(&count, memory_order_relaxed) > 0)
        write_all(NULL);
    return outcome;
}

void gpuvm_prints_remove(const struct gpuvm_content *content)
{
    if (atomic_load_explicit(&count, memory_order_relaxed) == 0)
        return;
    write_all(content);
    gpuvm_prints_forget(content);
}

void gpuvm_prints_forget(const struct gpuvm_content *content)
{
    pthread_mutex_lock(&lock);
    for (struct buffer **at = &buffers; *at != NULL; at = &(*at)->next) {
        if ((*at)->content == content) {
            struct buffer *removed = *at;
            *at = removed->next;
            free(removed);
            atomic_fetch_sub(&count, 1);
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

CUresult gpuvm_hand_CtxSynchronize(void)
{
    uint64_t context;
    CUresult outcome = gpuvm_current_context(&context);
    return outcome == CUDA_SUCCESS ? gpuvm_prints_write(gpuvm_send_CtxSynchronize(context)) : outcome;
}

CUresult gpuvm_hand_StreamSynchronize(CUstream stream)
{
    uint64_t handle;
    CUresult outcome = gpuvm_wire_stream(stream, &handle);
    return outcome == CUDA_SUCCESS ? gpuvm_prints_write(gpuvm_send_StreamSynchronize(handle)) : outcome;
}

CUresult gpuvm_hand_EventSynchronize(CUevent event)
{
    uint64_t handle;
    CUresult outcome = gpuvm_wire_event(event, &handle);
    return outcome == CUDA_SUCCESS ? gpuvm_prints_write(gpuvm_send_EventSynchronize(handle)) : outcome;
}
