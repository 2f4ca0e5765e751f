#include "boxes.h"

#include "bytes.h"
#include "exchange.h"
#include "gpuvm_cuda_senders.h"
#include "memory.h"

/* Pieces of one copy from the GPU that are under way at the same time. */
#define PIECES 4

/* Longest piece of a copy that has fewer of the largest pieces than can be under way: the program and the GPU copy at the same time. */
#define SHORT_PIECE_BYTES ((uint64_t)1 << 20)
#define LONG_BYTES (PIECES * (uint64_t)GPUVM_STAGING_MAX_BYTES)

/* Page-locked bytes up to this number are staged by a copy that is not asynchronous, which is faster than waiting for the GPU. */
#define STAGED_PINNED_BYTES ((uint64_t)32 << 10)

/* Bits of the operand `places` of a box: the side is in the data area. */
#define SOURCE_IN_AREA 1u
#define DESTINATION_IN_AREA 2u

enum gpuvm_place gpuvm_place_of(uint64_t address)
{
    return gpuvm_is_device_range(address, 1) ? GPUVM_ON_DEVICE : gpuvm_place_of_host((const void *)(uintptr_t)address);
}

enum gpuvm_place gpuvm_place_of_host(const void *pointer)
{
    return gpuvm_is_data_range(pointer, 1) ? GPUVM_IN_AREA : GPUVM_PAGEABLE;
}

/* Returns whether rows, and slices, follow each other without gaps. */
static bool has_adjacent_rows(const struct gpuvm_side *side, const struct gpuvm_box *box)
{
    return side->pitch == box->width && (box->depth == 1 || side->slice_rows == box->height);
}

static bool is_line(const struct gpuvm_box *box)
{
    return box->height == 1 && box->depth == 1;
}

/* Makes one row of a box without gaps. The distances to other rows, which a program may leave out, have no effect then. */
static void flatten(struct gpuvm_box *box)
{
    if (!is_line(box) && (!has_adjacent_rows(&box->to, box) || !has_adjacent_rows(&box->from, box)))
        return;
    box->width *= box->height * box->depth;
    box->height = 1;
    box->depth = 1;
    box->to.pitch = box->width;
    box->from.pitch = box->width;
}

/* Finds the distance from the first byte to the last one, plus 1. Returns false if it exceeds 64 bits. */
static bool find_extent(const struct gpuvm_side *side, const struct gpuvm_box *box, uint64_t *extent)
{
    uint64_t rows;
    return !__builtin_mul_overflow(box->depth - 1, side->slice_rows, &rows) &&
        !__builtin_add_overflow(rows, box->height - 1, &rows) && !__builtin_mul_overflow(rows, side->pitch, extent) &&
        !__builtin_add_overflow(*extent, box->width, extent);
}

/* Returns whether memory of the program can be at a range: no byte is at an address of the GPU, where the program has no memory. */
static bool is_host_range(uint64_t start, uint64_t bytes)
{
    return start != 0 && bytes - 1 <= UINT64_MAX - start && !gpuvm_is_device_range(start, 1) && !gpuvm_is_device_range(start + bytes - 1, 1);
}

/* Checks that a side is where its place says. */
static CUresult check_side(const struct gpuvm_side *side, const struct gpuvm_box *box, bool is_async)
{
    uint64_t extent;
    if (find_extent(side, box, &extent) &&
        (side->place == GPUVM_PAGEABLE ? is_host_range(side->start, extent) : gpuvm_is_gpu_range(side->start, extent, is_async)))
        return CUDA_SUCCESS;
    gpuvm_explain("copy of %llu bytes in %llu rows and %llu slices, address=%#llx, expected allocated memory",
        (unsigned long long)box->width, (unsigned long long)box->height, (unsigned long long)box->depth,
        (unsigned long long)side->start);
    return CUDA_ERROR_INVALID_VALUE;
}

/* Operand for a side of a box: an address of the GPU, or an offset in the data area. */
static uint64_t operand_of(const struct gpuvm_side *side)
{
    return side->place == GPUVM_IN_AREA ? gpuvm_data_offset((const void *)(uintptr_t)side->start) : side->start;
}

static uint32_t places_of(const struct gpuvm_box *box)
{
    return (box->from.place == GPUVM_IN_AREA ? SOURCE_IN_AREA : 0) | (box->to.place == GPUVM_IN_AREA ? DESTINATION_IN_AREA : 0);
}

/* Fills a call that does not wait, for a box without pageable memory. */
static CUresult fill_async(struct gpuvm_message *message, const struct gpuvm_box *box, uint64_t stream)
{
    const struct gpuvm_side *to = &box->to;
    const struct gpuvm_side *from = &box->from;
    if (!is_line(box))
        return gpuvm_fill_Memcpy3DAsync(message, stream, places_of(box), operand_of(from), operand_of(to), from->pitch,
            from->slice_rows, to->pitch, to->slice_rows, box->width, box->height, box->depth);
    if (to->place == from->place)
        return gpuvm_fill_MemcpyDtoDAsync(message, to->start, from->start, box->width, stream);
    if (from->place == GPUVM_IN_AREA)
        return gpuvm_fill_MemcpyHtoDAsync(message, to->start, operand_of(from), box->width, stream);
    return gpuvm_fill_MemcpyDtoHAsync(message, operand_of(to), from->start, box->width, stream);
}

/* Fills a call that waits for the copy, for a box without pageable memory. */
static CUresult fill_wait(struct gpuvm_message *message, const struct gpuvm_box *box, uint64_t stream)
{
    const struct gpuvm_side *to = &box->to;
    const struct gpuvm_side *from = &box->from;
    if (is_line(box) && from->place == GPUVM_ON_DEVICE && to->place == GPUVM_IN_AREA)
        return gpuvm_fill_MemcpyDtoH(message, operand_of(to), from->start, box->width, stream);
    return gpuvm_fill_Memcpy3D(message, stream, places_of(box), operand_of(from), operand_of(to), from->pitch, from->slice_rows,
        to->pitch, to->slice_rows, box->width, box->height, box->depth);
}

/* Position in a box that is copied in parts. */
struct cursor {
    uint64_t x;
    uint64_t row;
    uint64_t slice;
};

static uint64_t minimum(uint64_t first, uint64_t second)
{
    return first < second ? first : second;
}

/* Bytes from the cursor to the end of a box. */
static uint64_t remaining(const struct gpuvm_box *box, const struct cursor *cursor)
{
    return ((box->depth - cursor->slice) * box->height - cursor->row) * box->width - cursor->x;
}

/* Bytes of the next piece from the cursor on, at most. */
static uint64_t next_bytes(const struct gpuvm_box *box, const struct cursor *cursor)
{
    bool is_long = box->width * box->height * box->depth >= LONG_BYTES;
    return is_long ? remaining(box, cursor) : minimum(remaining(box, cursor), SHORT_PIECE_BYTES);
}

static void advance(struct gpuvm_side *side, const struct cursor *cursor)
{
    side->start += (cursor->slice * side->slice_rows + cursor->row) * side->pitch + cursor->x;
}

/* Next part of a box: of a row, whole rows of a slice, or whole slices, with at most `limit` bytes. Moves the cursor behind it. */
static struct gpuvm_box next_part(const struct gpuvm_box *box, struct cursor *cursor, uint64_t limit)
{
    struct gpuvm_box part = *box;
    advance(&part.to, cursor);
    advance(&part.from, cursor);
    part.depth = 1;
    if (box->width > limit || cursor->x != 0) {
        part.width = minimum(limit, box->width - cursor->x);
        part.height = 1;
        cursor->x += part.width;
        if (cursor->x == box->width) {
            cursor->x = 0;
            cursor->row++;
        }
    } else if (limit / box->width < box->height || cursor->row != 0) {
        part.height = minimum(limit / box->width, box->height - cursor->row);
        cursor->row += part.height;
    } else {
        part.depth = minimum(limit / box->width / box->height, box->depth - cursor->slice);
        cursor->slice += part.depth;
    }
    if (cursor->row == box->height) {
        cursor->row = 0;
        cursor->slice++;
    }
    return part;
}

/* Copies a box with the processor. */
static void copy_bytes(const struct gpuvm_box *box)
{
    for (uint64_t slice = 0; slice < box->depth; slice++) {
        for (uint64_t row = 0; row < box->height; row++) {
            uint64_t to = box->to.start + (slice * box->to.slice_rows + row) * box->to.pitch;
            uint64_t from = box->from.start + (slice * box->from.slice_rows + row) * box->from.pitch;
            gpuvm_copy_bytes((void *)(uintptr_t)to, (const void *)(uintptr_t)from, box->width);
        }
    }
}

/* Side in a staging piece, for a part of a box without gaps. */
static struct gpuvm_side staged_side(const struct gpuvm_staging *staging, const struct gpuvm_box *part)
{
    return (struct gpuvm_side){GPUVM_IN_AREA, (uint64_t)(uintptr_t)staging->bytes, part->width, part->height};
}

/* Copies from the program's memory to the GPU. Returns when all bytes are staged. */
static CUresult stage_to_device(const struct gpuvm_box *box, uint64_t stream)
{
    struct cursor cursor = {0};
    while (remaining(box, &cursor) != 0) {
        struct gpuvm_staging staging;
        CUresult outcome = gpuvm_staging_take(&staging, next_bytes(box, &cursor));
        if (outcome != CUDA_SUCCESS)
            return outcome;
        struct gpuvm_box part = next_part(box, &cursor, staging.length);
        struct gpuvm_box gather = part;
        gather.to = staged_side(&staging, &part);
        copy_bytes(&gather);
        part.from = gather.to;
        struct gpuvm_message message;
        outcome = fill_async(&message, &part, stream);
        if (outcome == CUDA_SUCCESS)
            outcome = gpuvm_submit(&message);
        gpuvm_staging_give(&staging, outcome == CUDA_SUCCESS ? message.sequence : 0);
        if (outcome != CUDA_SUCCESS)
            return outcome;
    }
    return CUDA_SUCCESS;
}

/* Part of a copy from the GPU that is under way. */
struct piece {
    struct gpuvm_staging staging;
    struct gpuvm_box scatter; /* from the staging piece to the program's memory */
    struct gpuvm_wait wait;
};

/* Copy from the GPU to the program's memory, with several parts under way. */
struct fetch {
    const struct gpuvm_box *box;
    uint64_t stream;
    struct cursor cursor;
    struct piece pieces[PIECES];
    unsigned int first; /* oldest part under way */
    unsigned int count;
    CUresult outcome; /* first error */
};

static void fail(struct fetch *fetch, CUresult outcome)
{
    if (fetch->outcome == CUDA_SUCCESS)
        fetch->outcome = outcome;
}

/*
 * Starts the next part, unless there is no staging memory while parts are under way: their memory may be all there is. Returns whether a
 * part was started.
 */
static bool start_part(struct fetch *fetch)
{
    struct piece *piece = &fetch->pieces[(fetch->first + fetch->count) % PIECES];
    uint64_t wanted = next_bytes(fetch->box, &fetch->cursor);
    CUresult outcome =
        fetch->count == 0 ? gpuvm_staging_take(&piece->staging, wanted) : gpuvm_staging_try(&piece->staging, wanted);
    if (outcome != CUDA_SUCCESS) {
        if (outcome != CUDA_ERROR_NOT_READY)
            fail(fetch, outcome);
        return false;
    }
    struct gpuvm_box part = next_part(fetch->box, &fetch->cursor, piece->staging.length);
    piece->scatter = part;
    piece->scatter.from = staged_side(&piece->staging, &part);
    part.to = piece->scatter.from;
    struct gpuvm_message message;
    outcome = fill_wait(&message, &part, fetch->stream);
    if (outcome == CUDA_SUCCESS)
        outcome = gpuvm_publish(&message, &piece->wait);
    if (outcome != CUDA_SUCCESS) {
        gpuvm_staging_give(&piece->staging, 0);
        fail(fetch, outcome);
        return false;
    }
    fetch->count++;
    return true;
}

static void finish_part(struct fetch *fetch)
{
    struct piece *piece = &fetch->pieces[fetch->first];
    CUresult outcome = gpuvm_await(&piece->wait);
    if (piece->wait.status == CUDA_SUCCESS)
        copy_bytes(&piece->scatter);
    fail(fetch, outcome);
    gpuvm_staging_give(&piece->staging, piece->wait.status == CUDA_SUCCESS ? 0 : piece->wait.sequence);
    fetch->first = (fetch->first + 1) % PIECES;
    fetch->count--;
}

static CUresult fetch_to_host(const struct gpuvm_box *box, uint64_t stream)
{
    struct fetch fetch = {.box = box, .stream = stream, .outcome = CUDA_SUCCESS};
    for (;;) {
        bool has_more = fetch.outcome == CUDA_SUCCESS && remaining(box, &fetch.cursor) != 0;
        if (has_more && fetch.count < PIECES && start_part(&fetch))
            continue;
        if (fetch.count == 0)
            return fetch.outcome;
        finish_part(&fetch);
    }
}

/* Copies between memory of the processor after the earlier work of the stream. */
static CUresult copy_on_host(const struct gpuvm_box *box, uint64_t stream)
{
    CUresult outcome = gpuvm_send_StreamSynchronize(stream);
    if (outcome == CUDA_SUCCESS)
        copy_bytes(box);
    return outcome;
}

/* Copies without pageable memory. */
static CUresult copy_directly(const struct gpuvm_box *box, uint64_t stream, bool is_async)
{
    bool uses_area = box->from.place == GPUVM_IN_AREA || box->to.place == GPUVM_IN_AREA;
    struct gpuvm_message message;
    if (is_async || !uses_area) {
        CUresult outcome = fill_async(&message, box, stream);
        return outcome == CUDA_SUCCESS ? gpuvm_submit(&message) : outcome;
    }
    if (box->from.place == GPUVM_IN_AREA && box->to.place == GPUVM_ON_DEVICE &&
        box->width * box->height * box->depth <= STAGED_PINNED_BYTES)
        return stage_to_device(box, stream);
    CUresult outcome = fill_wait(&message, box, stream);
    return outcome == CUDA_SUCCESS ? gpuvm_complete(&message) : outcome;
}

CUresult gpuvm_copy_box(const struct gpuvm_box *box, CUstream stream, bool is_async)
{
    if (box->width == 0 || box->height == 0 || box->depth == 0)
        return CUDA_SUCCESS;
    uint64_t handle;
    CUresult outcome = gpuvm_wire_stream(stream, &handle);
    if (outcome == CUDA_SUCCESS)
        outcome = check_side(&box->to, box, is_async);
    if (outcome == CUDA_SUCCESS)
        outcome = check_side(&box->from, box, is_async);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    struct gpuvm_box flat = *box;
    flatten(&flat);
    bool is_from_pageable = flat.from.place == GPUVM_PAGEABLE;
    bool is_to_pageable = flat.to.place == GPUVM_PAGEABLE;
    if (!is_from_pageable && !is_to_pageable)
        return copy_directly(&flat, handle, is_async);
    if (is_from_pageable && flat.to.place == GPUVM_ON_DEVICE)
        return stage_to_device(&flat, handle);
    if (is_to_pageable && flat.from.place == GPUVM_ON_DEVICE)
        return fetch_to_host(&flat, handle);
    return copy_on_host(&flat, handle);
}
