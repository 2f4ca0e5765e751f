/*
 * Connection, area, rings and sleeping of docs/pv-protocol.md, for guests in C. A CUDA guest (docs/cuda-protocol.md) uses them too, with another
 * magic number.
 */
#ifndef GPUVM_RING_H
#define GPUVM_RING_H

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "gpuvm_pv.h"

/* Connection */

/* Connects to a backend's socket. Returns a descriptor, or a negative errno. */
static inline int pv_connect(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    int result;
    do
        result = connect(fd, (struct sockaddr *)&address, sizeof address);
    while (result != 0 && errno == EINTR);
    if (result == 0)
        return fd;
    int error = errno;
    close(fd);
    return -error;
}

/*
 * Receives up to `bytes` bytes, and descriptors if there are any. Returns as recvmsg. Sets *count to the number of descriptors; closes them if
 * there are more than PV_DESCRIPTORS.
 */
static inline ssize_t pv_receive(int fd, void *to, size_t bytes, int descriptors[PV_DESCRIPTORS], size_t *count)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(PV_DESCRIPTORS * sizeof(int))];
    } control;
    struct iovec part = {to, bytes};
    /* The padding after the descriptors has room for one more, which the kernel would use. */
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_LEN(PV_DESCRIPTORS * sizeof(int))};
    ssize_t got;
    do
        got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    *count = 0;
    struct cmsghdr *first = got < 0 ? NULL : CMSG_FIRSTHDR(&message);
    if (first != NULL && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_RIGHTS) {
        *count = (first->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(descriptors, CMSG_DATA(first), *count * sizeof(int));
    }
    if (got >= 0 && (message.msg_flags & MSG_CTRUNC) != 0)
        while (*count > 0)
            close(descriptors[--*count]);
    return got;
}

/*
 * Sends a hello, and receives the answer. Returns null if the backend grants the session: the caller owns the descriptors then. Otherwise
 * returns the reason, and no descriptor is open but that of the connection; the text is valid as long as the welcome.
 */
static inline const char *pv_exchange(int fd, uint64_t magic, uint64_t data_bytes, struct pv_welcome *welcome, int descriptors[PV_DESCRIPTORS])
{
    struct pv_hello hello = {.magic = magic, .version = PV_VERSION, .data_bytes = data_bytes};
    if (send(fd, &hello, sizeof hello, MSG_NOSIGNAL) != (ssize_t)sizeof hello)
        return "the backend does not accept the hello";
    size_t done = 0;
    size_t count = 0;
    while (done < sizeof *welcome) {
        int more[PV_DESCRIPTORS];
        size_t arrived;
        ssize_t got = pv_receive(fd, (char *)welcome + done, sizeof *welcome - done, more, &arrived);
        for (size_t i = 0; i < arrived; i++)
            if (count < PV_DESCRIPTORS)
                descriptors[count++] = more[i];
            else
                close(more[i]);
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    const char *reason = NULL;
    welcome->reason[sizeof welcome->reason - 1] = '\0';
    if (done < sizeof *welcome)
        reason = "the backend ended the connection before its answer";
    else if (welcome->refused != 0)
        reason = welcome->reason;
    else if (welcome->magic != magic)
        reason = "the answer has another magic number";
    else if (welcome->version != PV_VERSION)
        reason = "the answer has another version";
    else if (count != PV_DESCRIPTORS)
        reason = "the answer has not three descriptors";
    for (size_t i = 0; reason != NULL && i < count; i++)
        close(descriptors[i]);
    return reason;
}

/* Area */

/* Fields of a header, copied and checked. */
struct pv_layout {
    uint64_t area_bytes;
    uint64_t submission_ring;
    uint64_t completion_ring;
    uint32_t submission_entries;
    uint32_t completion_entries;
    uint64_t data;
    uint64_t data_bytes;
    uint64_t vram_bytes;
};

static inline bool pv_is_ring(uint64_t offset, uint32_t entries, uint64_t area_bytes)
{
    return entries >= 16 && entries <= 65536 && (entries & (entries - 1)) == 0 && offset % sizeof(struct pv_entry) == 0
        && offset >= 0x2000 && offset <= area_bytes && entries <= (area_bytes - offset) / sizeof(struct pv_entry);
}

/* Reads the header of an area of this length. Returns null, or the reason why the area cannot be used. */
static inline const char *pv_read_layout(const struct pv_header *header, uint64_t magic, uint64_t area_bytes, struct pv_layout *layout)
{
    if (atomic_load_explicit(&header->magic, memory_order_acquire) != magic)
        return "the area has another magic number";
    if (header->version != PV_VERSION)
        return "the area has another version";
    if (header->entry_bytes != sizeof(struct pv_entry))
        return "the area has entries of another length";
    *layout = (struct pv_layout){
        .area_bytes = header->area_bytes,
        .submission_ring = header->submission_ring,
        .completion_ring = header->completion_ring,
        .submission_entries = header->submission_entries,
        .completion_entries = header->completion_entries,
        .data = header->data,
        .data_bytes = header->data_bytes,
        .vram_bytes = header->vram_bytes};
    if (layout->area_bytes != area_bytes)
        return "the area has another length than the backend said";
    if (!pv_is_ring(layout->submission_ring, layout->submission_entries, area_bytes)
        || !pv_is_ring(layout->completion_ring, layout->completion_entries, area_bytes))
        return "the rings are outside of the area";
    if (layout->data % 4096 != 0 || layout->data_bytes % 4096 != 0 || layout->data_bytes == 0 || layout->data > area_bytes
        || layout->data_bytes > area_bytes - layout->data)
        return "the data area is outside of the area";
    return NULL;
}

/* Returns a notification word. */
static inline _Atomic uint32_t *pv_word32(void *area, uint64_t offset)
{
    return (_Atomic uint32_t *)((uint8_t *)area + offset);
}

static inline _Atomic uint64_t *pv_word64(void *area, uint64_t offset)
{
    return (_Atomic uint64_t *)((uint8_t *)area + offset);
}

/* Rings */

/* Publishes the entry with this position, from 0, whose other words have been stored. The tag is the upper half of the entry's first word. */
static inline void pv_publish(struct pv_entry *entry, uint64_t position, uint32_t tag)
{
    atomic_store_explicit(&entry->word, (uint64_t)tag << 32 | (uint32_t)(position + 1), memory_order_release);
}

/* Returns whether a slot contains the entry with this position, whose other words may then be loaded. */
static inline bool pv_has_arrived(const struct pv_entry *entry, uint64_t position)
{
    return (uint32_t)atomic_load_explicit(&entry->word, memory_order_acquire) == (uint32_t)(position + 1);
}

static inline uint32_t pv_tag(const struct pv_entry *entry)
{
    return (uint32_t)(atomic_load_explicit(&entry->word, memory_order_relaxed) >> 32);
}

/* Sleeping */

/* Returns whether the peer sleeps and must be woken, after an entry was published. Then the caller alone has to wake it. */
static inline bool pv_must_wake(_Atomic uint32_t *sleeps)
{
    atomic_thread_fence(memory_order_seq_cst);
    return atomic_load_explicit(sleeps, memory_order_relaxed) != 0 && atomic_exchange(sleeps, 0) != 0;
}

/* Announces that this side is about to sleep. The caller checks for work afterwards, and then sleeps or calls pv_stay_awake. */
static inline void pv_announce_sleep(_Atomic uint32_t *sleeps)
{
    atomic_store_explicit(sleeps, 1, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
}

static inline void pv_stay_awake(_Atomic uint32_t *sleeps)
{
    atomic_store_explicit(sleeps, 0, memory_order_relaxed);
}

#endif
