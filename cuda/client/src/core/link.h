/* Connection of a process with a backend: a UNIX socket, or a session of a PCI function. */
#ifndef GPUVM_LINK_H
#define GPUVM_LINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpuvm_cuda_types.h"

struct gpuvm_link;

/* Operations of a kind of connection. Any thread. */
struct gpuvm_link_kind {
    /* Wakes the backend, which sleeps. Returns whether it is there. */
    bool (*wake)(const struct gpuvm_link *link);
    /* Returns whether the session still exists. */
    bool (*is_alive)(const struct gpuvm_link *link);
    /*
     * Sleeps until the backend wakes this process by its word `sleeps`, or gpuvm_link_poke. One thread at a time. May return without a
     * reason. Returns whether the session still exists.
     */
    bool (*sleep)(const struct gpuvm_link *link, const _Atomic uint32_t *sleeps);
    /* Sleeps for a time. Returns earlier if the session ends. Returns whether it still exists. */
    bool (*nap)(const struct gpuvm_link *link, uint64_t nanoseconds);
};

struct gpuvm_link {
    const struct gpuvm_link_kind *kind;
    uint64_t area_bytes;
    uint64_t area_start; /* offset of the area in its file */
    int area;            /* file of the area */
    int poke;            /* eventfd that ends a sleep */
    /* Of a socket. */
    int connection;
    int wake_backend;
    int wake_client;
    /* Of a PCI function. */
    volatile uint32_t *registers; /* page of the session */
    uint32_t session;             /* register `session` of this beginning */
};

/* Link without a connection. */
#define GPUVM_NO_LINK \
    (struct gpuvm_link){.area = -1, .poke = -1, .connection = -1, .wake_backend = -1, .wake_client = -1}

/*
 * Opens the connection that an endpoint names: unix:PATH, pci, pci:ADDRESS, or null for the default. Each descriptor is in the link as soon
 * as it exists, so that a forked child can close it. Explains a failure.
 */
CUresult gpuvm_link_open(struct gpuvm_link *link, const char *endpoint);

/* Kinds of connections; see gpuvm_link_open. */
CUresult gpuvm_socket_open(struct gpuvm_link *link, const char *path);
CUresult gpuvm_pci_open(struct gpuvm_link *link, const char *address);

/* Returns whether a PCI function of a backend for CUDA exists. */
bool gpuvm_pci_exists(void);

/*
 * Maps a part of the area, shared, not inherited by children. Replaces the mapping at an address, or chooses the address if it is null.
 * Returns null on failure, with errno.
 */
void *gpuvm_link_map(const struct gpuvm_link *link, uint64_t offset, size_t bytes, void *address);

/* Ends the sleep of the thread in `sleep`. */
void gpuvm_link_poke(const struct gpuvm_link *link);

/* Empties the eventfd of pokes. */
void gpuvm_link_take_pokes(const struct gpuvm_link *link);

/* Closes all descriptors, and nothing else: also for a forked child, which must not end the session. */
void gpuvm_link_close(struct gpuvm_link *link);

#endif
