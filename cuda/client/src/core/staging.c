#define _GNU_SOURCE

#include "staging.h"

#include <pthread.h>

#include "core.h"
#include "data.h"
#include "session.h"

/*
 * Pieces have one of four lengths. They are allocated from the data area when they are needed, and kept. A piece that was given back is taken
 * again when its call has retired: usually the one that was given back first. The piece that is allocated first is never released, so that
 * bytes can travel even if the program has allocated the rest of the data area.
 */

enum {
    SIZES = 4,
    PIECES = 64, /* of each size, at most */
    FIRST_SIZE = 1, /* of the piece that is never released, or less if the data area is small */
    /* Staging occupies at most this part of the data area. */
    DATA_PART = 4,
    SIZE_SHIFT = 16 /* piece of a gpuvm_staging: size << SIZE_SHIFT | index */
};

/*
 * Number of long pieces of each size: enough for the program and the GPU to copy at the same time, with further pieces between them. The bytes
 * of a long copy thus travel through few pages, which both have mapped.
 */
#define LONG_PIECES 8

static const struct {
    size_t bytes;
    uint32_t pieces;
} SIZE[SIZES] = {{1 << 12, PIECES}, {1 << 16, PIECES}, {1 << 20, LONG_PIECES}, {GPUVM_STAGING_MAX_BYTES, LONG_PIECES}};

struct piece {
    uint8_t *bytes;
    uint64_t sequence; /* number of the last call that uses the piece */
    bool is_taken;
};

/* Pieces of a size: those at indexes below count exist. */
struct size {
    struct piece pieces[PIECES];
    uint32_t count;
    uint32_t next; /* where the search begins */
};

static struct {
    pthread_mutex_t lock;
    struct size sizes[SIZES];
    int first_size; /* of the piece that is never released */
    uint64_t bytes; /* of all pieces */
} staging = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int size_for(size_t wanted)
{
    int size = 0;
    while (size < SIZES - 1 && SIZE[size].bytes < wanted)
        size++;
    return size;
}

/* Finds a piece that no call uses; the lock is held. */
static struct piece *find_unused(struct size *size)
{
    for (uint32_t i = 0; i < size->count; i++) {
        uint32_t index = (size->next + i) % size->count;
        struct piece *piece = &size->pieces[index];
        if (!piece->is_taken && gpuvm_has_retired(piece->sequence)) {
            size->next = index + 1;
            return piece;
        }
    }
    return NULL;
}

/* Allocates one more piece of a size; the lock is held. */
static struct piece *add(int number)
{
    struct size *size = &staging.sizes[number];
    size_t bytes = SIZE[number].bytes;
    if (size->count == SIZE[number].pieces || staging.bytes + bytes > gpuvm_core.data_bytes / DATA_PART)
        return NULL;
    uint8_t *first = gpuvm_data_try(bytes);
    if (first == NULL)
        return NULL;
    struct piece *piece = &size->pieces[size->count++];
    *piece = (struct piece){.bytes = first};
    staging.bytes += bytes;
    return piece;
}

CUresult gpuvm_staging_open(void)
{
    memset(&staging, 0, sizeof staging);
    pthread_mutex_init(&staging.lock, NULL);
    staging.first_size = FIRST_SIZE;
    while (add(staging.first_size) == NULL)
        if (--staging.first_size < 0) {
            gpuvm_explain("data area: bytes=%llu are too few", (unsigned long long)gpuvm_core.data_bytes);
            return CUDA_ERROR_OUT_OF_MEMORY;
        }
    return CUDA_SUCCESS;
}

static bool take(struct gpuvm_staging *into, int number, size_t wanted, bool may_add)
{
    struct size *size = &staging.sizes[number];
    struct piece *piece = find_unused(size);
    if (piece == NULL && may_add)
        piece = add(number);
    if (piece == NULL)
        return false;
    piece->is_taken = true;
    into->bytes = piece->bytes;
    into->offset = gpuvm_data_offset(piece->bytes);
    into->length = wanted < SIZE[number].bytes ? wanted : SIZE[number].bytes;
    into->piece = (uint32_t)number << SIZE_SHIFT | (uint32_t)(piece - size->pieces);
    return true;
}

/* Takes the smallest piece that is large enough, else a larger one, else a smaller one; the lock is held. */
static bool take_any(struct gpuvm_staging *into, size_t wanted)
{
    int best = size_for(wanted);
    if (take(into, best, wanted, true))
        return true;
    for (int number = best + 1; number < SIZES; number++)
        if (take(into, number, wanted, false))
            return true;
    for (int number = best - 1; number >= 0; number--)
        if (take(into, number, wanted, staging.sizes[best].count == 0))
            return true;
    return false;
}

CUresult gpuvm_staging_try(struct gpuvm_staging *into, size_t wanted)
{
    if (wanted == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (!gpuvm_is_usable())
        return gpuvm_closed_status();
    pthread_mutex_lock(&staging.lock);
    bool is_taken = take_any(into, wanted);
    pthread_mutex_unlock(&staging.lock);
    return is_taken ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

/* Returns the call that will retire first, of those that use pieces; 0 if all pieces are taken. */
static uint64_t first_to_retire(void)
{
    uint64_t first = UINT64_MAX;
    pthread_mutex_lock(&staging.lock);
    for (int number = 0; number < SIZES; number++)
        for (uint32_t i = 0; i < staging.sizes[number].count; i++) {
            const struct piece *piece = &staging.sizes[number].pieces[i];
            if (!piece->is_taken && piece->sequence < first)
                first = piece->sequence;
        }
    pthread_mutex_unlock(&staging.lock);
    return first == UINT64_MAX ? 0 : first;
}

CUresult gpuvm_staging_take(struct gpuvm_staging *into, size_t wanted)
{
    struct gpuvm_pause pause = {0};
    for (;;) {
        CUresult outcome = gpuvm_staging_try(into, wanted);
        if (outcome != CUDA_ERROR_NOT_READY)
            return outcome;
        uint64_t sequence = first_to_retire();
        if (gpuvm_has_retired(sequence))
            gpuvm_pause(&pause); /* other threads have all pieces */
        else
            gpuvm_await_retired(sequence);
    }
}

void gpuvm_staging_give(const struct gpuvm_staging *from, uint64_t sequence)
{
    struct size *size = &staging.sizes[from->piece >> SIZE_SHIFT];
    struct piece *piece = &size->pieces[from->piece & ((1u << SIZE_SHIFT) - 1)];
    pthread_mutex_lock(&staging.lock);
    piece->sequence = sequence;
    piece->is_taken = false;
    pthread_mutex_unlock(&staging.lock);
}

bool gpuvm_staging_shrink(void)
{
    bool were_any = false;
    pthread_mutex_lock(&staging.lock);
    for (int number = 0; number < SIZES; number++) {
        struct size *size = &staging.sizes[number];
        /* Pieces have indexes, which those that are taken keep: only the last ones can go, and never the first of all. */
        while (size->count > (number == staging.first_size)) {
            struct piece *last = &size->pieces[size->count - 1];
            if (last->is_taken || !gpuvm_has_retired(last->sequence))
                break;
            gpuvm_data_release(last->bytes, 0);
            size->count--;
            staging.bytes -= SIZE[number].bytes;
            were_any = true;
        }
    }
    pthread_mutex_unlock(&staging.lock);
    return were_any;
}
