/*
 * Table from addresses in the program (kernels' host functions, variables' shadows) to what they stand for. Lookups take no lock, because
 * each launch makes one.
 */
#ifndef GPUVM_HOST_TABLE_H
#define GPUVM_HOST_TABLE_H

#include <pthread.h>
#include <stdbool.h>

struct gpuvm_host_table {
    pthread_mutex_t lock;                  /* of changes */
    struct gpuvm_host_slots *_Atomic slots;
};

#define GPUVM_HOST_TABLE {.lock = PTHREAD_MUTEX_INITIALIZER}

/* Value of an address; null if there is none. Any thread. */
void *gpuvm_host_table_find(struct gpuvm_host_table *table, const void *address);

/* Sets the value of an address that is not null; null removes it. Returns whether there was enough memory, which a removal does not need. */
bool gpuvm_host_table_set(struct gpuvm_host_table *table, const void *address, void *value);

#endif
