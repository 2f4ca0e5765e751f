/*
 * Ranges of addresses that do not overlap, by address: a balanced tree (a treap) under a lock. Any thread.
 */
#ifndef GPUVM_RANGES_H
#define GPUVM_RANGES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpuvm_range {
    uint64_t start;
    uint64_t bytes;   /* at least 1 */
    uint64_t context; /* handle of the context that the range belongs to, or 0 */
    uint64_t number;  /* unique number of the range, set by gpuvm_ranges_add */
    uint32_t flags;   /* of the program */
    bool is_variable; /* variable of a module, which the program does not free */
    /* Of the tree. */
    uint32_t priority;
    struct gpuvm_range *left;
    struct gpuvm_range *right;
};

struct gpuvm_ranges {
    pthread_mutex_t lock;
    struct gpuvm_range *root;
};

#define GPUVM_RANGES {.lock = PTHREAD_MUTEX_INITIALIZER}

/* Adds a range, which the caller has allocated with malloc. Returns false if it overlaps another range; then the caller keeps it. */
bool gpuvm_ranges_add(struct gpuvm_ranges *ranges, struct gpuvm_range *range);

/* Copies the range that contains an address. Returns whether there is one. */
bool gpuvm_ranges_find(struct gpuvm_ranges *ranges, uint64_t address, struct gpuvm_range *found);

/* Returns whether one range contains all these addresses. */
bool gpuvm_ranges_contain(struct gpuvm_ranges *ranges, uint64_t address, uint64_t bytes);

/* Removes the range that starts at an address and returns it, to be freed by the caller. Null if there is none. */
struct gpuvm_range *gpuvm_ranges_remove(struct gpuvm_ranges *ranges, uint64_t start);

/* Removes all ranges of a context. Returns them as a list linked by `right`, to be freed by the caller. */
struct gpuvm_range *gpuvm_ranges_remove_all(struct gpuvm_ranges *ranges, uint64_t context);

#endif
