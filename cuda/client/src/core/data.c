#define _GNU_SOURCE

#include "data.h"

#include <pthread.h>
#include <sys/mman.h>

#include "core.h"
#include "session.h"
#include "staging.h"

/*
 * The data area is divided into blocks of whole pages. What describes them is in private memory: a kernel that writes outside of its buffers
 * does not confuse the allocator. Free blocks are in lists by the binary logarithm of their length. Released blocks, which calls of the GPU
 * may still use, are in one list, the oldest first.
 */

enum {
    PAGE_SHIFT = 12,
    LISTS = 32,
    NO_BLOCK = -1
};

#define MAX_PAGES ((uint64_t)INT32_MAX)

enum block_state { FREE, USED, RELEASED };

/* Block, at the index of its first page. */
struct block {
    int32_t pages;
    int32_t state;
    int32_t next;
    int32_t previous;
    uint64_t bytes;    /* wanted by the caller */
    uint64_t sequence; /* of a released block: number of the last call that may use it */
};

struct list {
    int32_t first;
    int32_t last;
};

static struct {
    pthread_mutex_t lock;
    int32_t pages;
    struct block *blocks;
    int32_t *firsts; /* by page: first page of its block; valid for all pages of used blocks, and for the last page of others */
    struct list free[LISTS];
    struct list released;
} data;

static void *map_table(size_t bytes)
{
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return map == MAP_FAILED ? NULL : map;
}

/* Lists */

static void append(struct list *list, int32_t index)
{
    struct block *block = &data.blocks[index];
    block->next = NO_BLOCK;
    block->previous = list->last;
    if (list->last == NO_BLOCK)
        list->first = index;
    else
        data.blocks[list->last].next = index;
    list->last = index;
}

static void take_out(struct list *list, int32_t index)
{
    struct block *block = &data.blocks[index];
    if (block->previous == NO_BLOCK)
        list->first = block->next;
    else
        data.blocks[block->previous].next = block->next;
    if (block->next == NO_BLOCK)
        list->last = block->previous;
    else
        data.blocks[block->next].previous = block->previous;
}

static struct list *list_of(int32_t pages)
{
    return &data.free[31 - __builtin_clz((unsigned)pages)];
}

/* Blocks; the lock is held */

static void add_free(int32_t index, int32_t pages)
{
    data.blocks[index].pages = pages;
    data.blocks[index].state = FREE;
    data.firsts[index] = index;
    data.firsts[index + pages - 1] = index;
    append(list_of(pages), index);
}

/* Makes a block free, and joins it with free neighbours. */
static void free_block(int32_t index)
{
    int32_t pages = data.blocks[index].pages;
    int32_t after = index + pages;
    data.blocks[index].state = FREE; /* also if the block before absorbs this one */
    if (after < data.pages && data.blocks[after].state == FREE) {
        take_out(list_of(data.blocks[after].pages), after);
        pages += data.blocks[after].pages;
    }
    int32_t before = index == 0 ? NO_BLOCK : data.firsts[index - 1];
    if (before != NO_BLOCK && data.blocks[before].state == FREE) {
        take_out(list_of(data.blocks[before].pages), before);
        pages += data.blocks[before].pages;
        index = before;
    }
    add_free(index, pages);
}

static int32_t find_free(int32_t pages)
{
    for (struct list *list = list_of(pages); list < data.free + LISTS; list++)
        for (int32_t index = list->first; index != NO_BLOCK; index = data.blocks[index].next)
            if (data.blocks[index].pages >= pages)
                return index;
    return NO_BLOCK;
}

static int32_t use_free(int32_t pages, size_t bytes)
{
    int32_t index = find_free(pages);
    if (index == NO_BLOCK)
        return NO_BLOCK;
    struct block *block = &data.blocks[index];
    take_out(list_of(block->pages), index);
    if (block->pages > pages)
        add_free(index + pages, block->pages - pages);
    *block = (struct block){.pages = pages, .state = USED, .bytes = bytes};
    for (int32_t page = index; page < index + pages; page++)
        data.firsts[page] = index;
    return index;
}

/* Frees released blocks that no call uses any more. */
static void free_retired(void)
{
    int32_t next;
    for (int32_t index = data.released.first; index != NO_BLOCK; index = next) {
        next = data.blocks[index].next;
        if (gpuvm_has_retired(data.blocks[index].sequence)) {
            take_out(&data.released, index);
            free_block(index);
        }
    }
}

/* Interface */

CUresult gpuvm_data_open(void)
{
    pthread_mutex_init(&data.lock, NULL);
    uint64_t pages = gpuvm_core.data_bytes >> PAGE_SHIFT;
    data.pages = (int32_t)(pages < MAX_PAGES ? pages : MAX_PAGES);
    data.blocks = map_table((size_t)data.pages * sizeof *data.blocks);
    data.firsts = map_table((size_t)data.pages * sizeof *data.firsts);
    if (data.blocks == NULL || data.firsts == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (int i = 0; i < LISTS; i++)
        data.free[i] = (struct list){NO_BLOCK, NO_BLOCK};
    data.released = (struct list){NO_BLOCK, NO_BLOCK};
    add_free(0, data.pages);
    return CUDA_SUCCESS;
}

void gpuvm_data_close(void)
{
    if (data.blocks != NULL)
        munmap(data.blocks, (size_t)data.pages * sizeof *data.blocks);
    if (data.firsts != NULL)
        munmap(data.firsts, (size_t)data.pages * sizeof *data.firsts);
    data.blocks = NULL;
    data.firsts = NULL;
}

static void *address_of(int32_t index)
{
    return gpuvm_core.data + ((uint64_t)index << PAGE_SHIFT);
}

void *gpuvm_data_try(size_t bytes)
{
    size_t pages = bytes >> PAGE_SHIFT;
    if (bytes % (1u << PAGE_SHIFT) != 0 || bytes == 0)
        pages++;
    if (pages > (size_t)data.pages)
        return NULL;
    pthread_mutex_lock(&data.lock);
    int32_t index = use_free((int32_t)pages, bytes);
    if (index == NO_BLOCK) {
        free_retired();
        index = use_free((int32_t)pages, bytes);
    }
    pthread_mutex_unlock(&data.lock);
    return index == NO_BLOCK ? NULL : address_of(index);
}

/* Returns the number of the oldest call that a released block waits for. Returns false if there is no such block. */
static bool oldest_released(uint64_t *sequence)
{
    pthread_mutex_lock(&data.lock);
    bool is_there = data.released.first != NO_BLOCK;
    if (is_there)
        *sequence = data.blocks[data.released.first].sequence;
    pthread_mutex_unlock(&data.lock);
    return is_there;
}

void *gpuvm_data_allocate(size_t bytes)
{
    uint64_t sequence;
    if (bytes > gpuvm_core.data_bytes)
        return NULL;
    for (;;) {
        if (!gpuvm_is_usable())
            return NULL;
        void *first = gpuvm_data_try(bytes);
        if (first != NULL)
            return first;
        if (oldest_released(&sequence)) {
            if (gpuvm_await_retired(sequence) != CUDA_SUCCESS)
                return NULL;
        } else if (!gpuvm_staging_shrink()) {
            return NULL;
        }
    }
}

void gpuvm_data_release(void *first, uint64_t sequence)
{
    uint64_t offset = gpuvm_data_offset(first);
    int32_t index = (int32_t)(offset >> PAGE_SHIFT);
    pthread_mutex_lock(&data.lock);
    struct block *block = &data.blocks[index];
    if (block->state != USED) {
        gpuvm_explain("address=%p is not allocated", first);
    } else if (gpuvm_has_retired(sequence)) {
        free_block(index);
    } else {
        block->state = RELEASED;
        block->sequence = sequence;
        append(&data.released, index);
    }
    pthread_mutex_unlock(&data.lock);
}

void gpuvm_data_free(void *first)
{
    gpuvm_data_release(first, gpuvm_latest_call());
}

bool gpuvm_data_find(const void *address, void **first, size_t *bytes)
{
    if (!gpuvm_is_data_range(address, 1))
        return false;
    int32_t page = (int32_t)(gpuvm_data_offset(address) >> PAGE_SHIFT);
    pthread_mutex_lock(&data.lock);
    int32_t index = data.firsts[page];
    const struct block *block = &data.blocks[index];
    bool is_used = block->state == USED && page >= index && page < index + block->pages;
    if (is_used) {
        *first = address_of(index);
        *bytes = block->bytes;
    }
    pthread_mutex_unlock(&data.lock);
    return is_used;
}

bool gpuvm_is_data_range(const void *address, size_t bytes)
{
    uint64_t offset = gpuvm_data_offset(address);
    return offset < gpuvm_core.data_bytes && bytes <= gpuvm_core.data_bytes - offset;
}

uint64_t gpuvm_data_offset(const void *address)
{
    return (uint64_t)(uintptr_t)address - (uint64_t)(uintptr_t)gpuvm_core.data;
}

void *gpuvm_data_address(uint64_t offset)
{
    return gpuvm_core.data + offset;
}
