#define _GNU_SOURCE

#include "link.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "session.h"

/* Socket of a backend of this host whose user named no other. */
#define DEFAULT_SOCKET "/run/gpuvm/cuda.sock"

#define UNIX_PREFIX "unix:"
#define PCI "pci"
#define PCI_PREFIX PCI ":"

static bool has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static CUresult open_default(struct gpuvm_link *link)
{
    if (access(DEFAULT_SOCKET, F_OK) == 0 || !gpuvm_pci_exists())
        return gpuvm_socket_open(link, DEFAULT_SOCKET);
    return gpuvm_pci_open(link, NULL);
}

CUresult gpuvm_link_open(struct gpuvm_link *link, const char *endpoint)
{
    link->poke = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (link->poke < 0) {
        gpuvm_explain("eventfd: %s", strerror(errno));
        return CUDA_ERROR_OPERATING_SYSTEM;
    }
    if (endpoint == NULL || endpoint[0] == '\0')
        return open_default(link);
    if (has_prefix(endpoint, UNIX_PREFIX))
        return gpuvm_socket_open(link, endpoint + strlen(UNIX_PREFIX));
    if (strcmp(endpoint, PCI) == 0)
        return gpuvm_pci_open(link, NULL);
    if (has_prefix(endpoint, PCI_PREFIX))
        return gpuvm_pci_open(link, endpoint + strlen(PCI_PREFIX));
    gpuvm_explain("GPUVM_CUDA=%s, expected unix:PATH, pci or pci:ADDRESS", endpoint);
    return CUDA_ERROR_NO_DEVICE;
}

void *gpuvm_link_map(const struct gpuvm_link *link, uint64_t offset, size_t bytes, void *address)
{
    int fixed = address == NULL ? 0 : MAP_FIXED;
    void *map = mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | fixed, link->area, (off_t)(link->area_start + offset));
    if (map == MAP_FAILED)
        return NULL;
    madvise(map, bytes, MADV_DONTFORK);
    return map;
}

void gpuvm_link_poke(const struct gpuvm_link *link)
{
    uint64_t one = 1;
    ssize_t ignored = write(link->poke, &one, sizeof one);
    (void)ignored; /* a full counter wakes the thread, too */
}

void gpuvm_link_take_pokes(const struct gpuvm_link *link)
{
    uint64_t count;
    ssize_t ignored = read(link->poke, &count, sizeof count);
    (void)ignored;
}

static void close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void gpuvm_link_close(struct gpuvm_link *link)
{
    close_one(&link->connection);
    close_one(&link->wake_backend);
    close_one(&link->wake_client);
    close_one(&link->area);
    close_one(&link->poke);
}
