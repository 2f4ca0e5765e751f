#include "ranges.h"

#include <stdatomic.h>

static _Atomic uint64_t latest_number;

/* Mixes a start address into a number that serves as a random priority (the finalizer of MurmurHash3). */
static uint32_t mix(uint64_t start)
{
    start ^= start >> 33;
    start *= UINT64_C(0xff51afd7ed558ccd);
    start ^= start >> 33;
    start *= UINT64_C(0xc4ceb9fe1a85ec53);
    return (uint32_t)(start >> 32);
}

/* Range that contains an address, or null. */
static struct gpuvm_range *find(struct gpuvm_range *root, uint64_t address)
{
    while (root != NULL) {
        if (address < root->start)
            root = root->left;
        else if (address - root->start >= root->bytes)
            root = root->right;
        else
            return root;
    }
    return NULL;
}

/* Returns whether any range has addresses in common with a new one. */
static bool overlaps(const struct gpuvm_range *root, const struct gpuvm_range *range)
{
    while (root != NULL) {
        if (range->start < root->start && root->start - range->start >= range->bytes)
            root = root->left;
        else if (range->start >= root->start && range->start - root->start >= root->bytes)
            root = root->right;
        else
            return true;
    }
    return false;
}

/* Splits a tree into the ranges before an address and those from it. */
static void split(struct gpuvm_range *root, uint64_t start, struct gpuvm_range **before, struct gpuvm_range **from)
{
    while (root != NULL) {
        if (root->start < start) {
            *before = root;
            before = &root->right;
            root = root->right;
        } else {
            *from = root;
            from = &root->left;
            root = root->left;
        }
    }
    *before = NULL;
    *from = NULL;
}

/* Joins two trees; all ranges of the first one are before those of the second one. */
static void join(struct gpuvm_range *before, struct gpuvm_range *after, struct gpuvm_range **joined)
{
    while (before != NULL && after != NULL) {
        if (before->priority >= after->priority) {
            *joined = before;
            joined = &before->right;
            before = before->right;
        } else {
            *joined = after;
            joined = &after->left;
            after = after->left;
        }
    }
    *joined = before != NULL ? before : after;
}

bool gpuvm_ranges_add(struct gpuvm_ranges *ranges, struct gpuvm_range *range)
{
    range->priority = mix(range->start);
    range->number = atomic_fetch_add(&latest_number, 1) + 1;
    pthread_mutex_lock(&ranges->lock);
    bool is_free = !overlaps(ranges->root, range);
    if (is_free) {
        struct gpuvm_range **place = &ranges->root;
        while (*place != NULL && (*place)->priority >= range->priority)
            place = range->start < (*place)->start ? &(*place)->left : &(*place)->right;
        split(*place, range->start, &range->left, &range->right);
        *place = range;
    }
    pthread_mutex_unlock(&ranges->lock);
    return is_free;
}

bool gpuvm_ranges_find(struct gpuvm_ranges *ranges, uint64_t address, struct gpuvm_range *found)
{
    pthread_mutex_lock(&ranges->lock);
    const struct gpuvm_range *range = find(ranges->root, address);
    if (range != NULL)
        *found = *range;
    pthread_mutex_unlock(&ranges->lock);
    return range != NULL;
}

bool gpuvm_ranges_contain(struct gpuvm_ranges *ranges, uint64_t address, uint64_t bytes)
{
    struct gpuvm_range found;
    return gpuvm_ranges_find(ranges, address, &found) && bytes <= found.bytes - (address - found.start);
}

/* Takes a range out of the tree; null if none starts at the address. The caller has the lock. */
static struct gpuvm_range *take(struct gpuvm_ranges *ranges, uint64_t start)
{
    struct gpuvm_range **place = &ranges->root;
    while (*place != NULL && (*place)->start != start)
        place = start < (*place)->start ? &(*place)->left : &(*place)->right;
    struct gpuvm_range *taken = *place;
    if (taken != NULL)
        join(taken->left, taken->right, place);
    return taken;
}

struct gpuvm_range *gpuvm_ranges_remove(struct gpuvm_ranges *ranges, uint64_t start)
{
    pthread_mutex_lock(&ranges->lock);
    struct gpuvm_range *taken = take(ranges, start);
    pthread_mutex_unlock(&ranges->lock);
    return taken;
}

/* First range from an address that belongs to a context, or null. */
static struct gpuvm_range *next_of(struct gpuvm_range *root, uint64_t from, uint64_t context)
{
    if (root == NULL)
        return NULL;
    if (root->start >= from) {
        struct gpuvm_range *before = next_of(root->left, from, context);
        if (before != NULL)
            return before;
        if (root->context == context)
            return root;
    }
    return next_of(root->right, from, context);
}

struct gpuvm_range *gpuvm_ranges_remove_all(struct gpuvm_ranges *ranges, uint64_t context)
{
    struct gpuvm_range *removed = NULL;
    pthread_mutex_lock(&ranges->lock);
    struct gpuvm_range *next = next_of(ranges->root, 0, context);
    while (next != NULL) {
        struct gpuvm_range *taken = take(ranges, next->start);
        taken->right = removed;
        removed = taken;
        next = next_of(ranges->root, taken->start, context);
    }
    pthread_mutex_unlock(&ranges->lock);
    return removed;
}
