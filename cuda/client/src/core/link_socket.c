#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "clock.h"
#include "cuda_wire.h"
#include "gpuvm_ring.h"
#include "link.h"
#include "session.h"

enum {
    /* Limit of the wait for an answer: the backend may have to end a previous session first. */
    ANSWER_SECONDS = 30,
    WAKE_BYTES = 64
};

static bool wake(const struct gpuvm_link *link)
{
    uint64_t one = 1;
    ssize_t sent;
    do
        sent = send(link->wake_backend, &one, sizeof one, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    /* If the socket's buffer is full, the backend will find it readable. */
    return sent >= 0 || errno == EAGAIN;
}

/* The backend sends nothing: a readable connection has ended. */
static bool is_alive(const struct gpuvm_link *link)
{
    struct pollfd connection = {link->connection, POLLIN, 0};
    return poll(&connection, 1, 0) <= 0;
}

static bool sleep_until_woken(const struct gpuvm_link *link, const _Atomic uint32_t *sleeps)
{
    (void)sleeps;
    struct pollfd events[] = {
        {link->connection, POLLIN, 0}, {link->wake_client, POLLIN, 0}, {link->poke, POLLIN, 0}};
    if (poll(events, sizeof events / sizeof *events, -1) <= 0)
        return true;
    if (events[0].revents != 0)
        return false;
    if (events[1].revents != 0) {
        uint8_t bytes[WAKE_BYTES];
        if (recv(link->wake_client, bytes, sizeof bytes, MSG_DONTWAIT) == 0)
            return false;
    }
    if (events[2].revents != 0)
        gpuvm_link_take_pokes(link);
    return true;
}

static bool nap(const struct gpuvm_link *link, uint64_t nanoseconds)
{
    struct pollfd connection = {link->connection, POLLIN, 0};
    struct timespec limit = gpuvm_timespec(nanoseconds);
    return ppoll(&connection, 1, &limit, NULL) <= 0;
}

static const struct gpuvm_link_kind SOCKET = {
    .wake = wake, .is_alive = is_alive, .sleep = sleep_until_woken, .nap = nap};

/* Checks that the file of the area contains the area, and always will: then no access inside the area faults. */
static bool is_whole(const struct gpuvm_link *link)
{
    struct stat file = {0};
    int seals = fcntl(link->area, F_GET_SEALS);
    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) {
        gpuvm_explain("file of the area: seals=%d, expected a seal against shrinking (%d)", seals, F_SEAL_SHRINK);
        return false;
    }
    if (fstat(link->area, &file) != 0 || (uint64_t)file.st_size < link->area_bytes) {
        gpuvm_explain("bytes of the file=%" PRId64 ", expected at least the bytes of the area=%" PRIu64, (int64_t)file.st_size,
            link->area_bytes);
        return false;
    }
    return true;
}

CUresult gpuvm_socket_open(struct gpuvm_link *link, const char *path)
{
    int connection = pv_connect(path);
    if (connection < 0) {
        gpuvm_explain("no backend at %s: %s", path, strerror(-connection));
        return CUDA_ERROR_NO_DEVICE;
    }
    link->connection = connection;
    struct timeval limit = {.tv_sec = ANSWER_SECONDS};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    struct pv_welcome welcome;
    int descriptors[PV_DESCRIPTORS];
    const char *refusal = pv_exchange(connection, GPUVM_CUDA_MAGIC, 0, &welcome, descriptors);
    if (refusal != NULL) {
        gpuvm_explain("the backend at %s refuses the session: %s", path, refusal);
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    }
    link->area = descriptors[PV_AREA];
    link->wake_backend = descriptors[PV_WAKE_HOST];
    link->wake_client = descriptors[PV_WAKE_GUEST];
    link->area_bytes = welcome.area_bytes;
    link->kind = &SOCKET;
    return is_whole(link) ? CUDA_SUCCESS : CUDA_ERROR_DEVICE_UNAVAILABLE;
}
