#include "nouveau.h"

#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

// Structure of an ioctl that the header no longer has: drm_nouveau_grobj_alloc of
// drivers/gpu/drm/nouveau/nouveau_abi16.h.
struct grobj_alloc {
    int32_t channel;
    uint32_t handle;
    int32_t class;
};

enum { PUSH_BUFFER_BYTES = 256 << 10, PUSH_WORDS = PUSH_BUFFER_BYTES / sizeof(uint32_t) };

// Calls the driver's ioctl: 0 or an errno value.
static int command(const struct nouveau *gpu, unsigned number, unsigned direction, void *argument,
                   size_t bytes) {
    unsigned long request = _IOC(direction, DRM_IOCTL_BASE, DRM_COMMAND_BASE + number, bytes);
    while (ioctl(gpu->fd, request, argument)) {
        if (errno != EINTR && errno != EAGAIN) {
            return errno;
        }
    }
    return 0;
}

#define COMMAND(gpu, name, direction, argument)                                                    \
    command(gpu, DRM_NOUVEAU_##name, direction, argument, sizeof *(argument))

#define MUST_COMMAND(gpu, name, direction, argument)                                               \
    do {                                                                                           \
        int error = COMMAND(gpu, name, direction, argument);                                       \
        if (error) {                                                                               \
            report_fatal("ioctl " #name ": %s", strerror(error));                                  \
        }                                                                                          \
    } while (0)

static const unsigned READ_WRITE = _IOC_READ | _IOC_WRITE;

struct nouveau nouveau_open(void) {
    static const char *const nodes[] = {"/dev/dri/renderD128", "/dev/dri/card0", "/dev/dri/card1"};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        struct nouveau gpu = {open(nodes[i], O_RDWR | O_CLOEXEC)};
        if (gpu.fd >= 0) {
            return gpu;
        }
    }
    report_fatal("no node of the driver can be opened under /dev/dri: %s", strerror(errno));
}

uint64_t nouveau_parameter(const struct nouveau *gpu, uint64_t parameter) {
    struct drm_nouveau_getparam request = {.param = parameter};
    MUST_COMMAND(gpu, GETPARAM, READ_WRITE, &request);
    return request.value;
}

struct buffer buffer_new(const struct nouveau *gpu, uint32_t domains, uint64_t bytes) {
    struct drm_nouveau_gem_new request = {
        .info = {.domain = domains | NOUVEAU_GEM_DOMAIN_MAPPABLE, .size = bytes},
        .align = 4096,
    };
    int error = COMMAND(gpu, GEM_NEW, READ_WRITE, &request);
    if (error) {
        report_fatal("a buffer of %llu bytes in domains %x: %s", (unsigned long long)bytes, domains,
                     strerror(error));
    }
    return (struct buffer){
        .handle = request.info.handle,
        .domains = domains,
        .bytes = bytes,
        .gpu_va = request.info.offset,
        .map_handle = request.info.map_handle,
    };
}

void *buffer_map(const struct nouveau *gpu, struct buffer *buffer) {
    buffer->memory = mmap(NULL, buffer->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, gpu->fd,
                          (off_t)buffer->map_handle);
    if (buffer->memory == MAP_FAILED) {
        report_fatal("mmap of a buffer: %s", strerror(errno));
    }
    return buffer->memory;
}

void buffer_free(const struct nouveau *gpu, struct buffer *buffer) {
    if (buffer->memory) {
        munmap(buffer->memory, buffer->bytes);
    }
    struct drm_gem_close request = {.handle = buffer->handle};
    if (ioctl(gpu->fd, DRM_IOCTL_GEM_CLOSE, &request)) {
        report_fatal("ioctl GEM_CLOSE: %s", strerror(errno));
    }
    *buffer = (struct buffer){0};
}

uint32_t buffer_domain(const struct nouveau *gpu, const struct buffer *buffer) {
    struct drm_nouveau_gem_info request = {.handle = buffer->handle};
    MUST_COMMAND(gpu, GEM_INFO, READ_WRITE, &request);
    return request.domain;
}

static int cpu_prep(const struct nouveau *gpu, const struct buffer *buffer, uint32_t flags) {
    struct drm_nouveau_gem_cpu_prep request = {
        .handle = buffer->handle,
        .flags = NOUVEAU_GEM_CPU_PREP_WRITE | flags,
    };
    return COMMAND(gpu, GEM_CPU_PREP, _IOC_WRITE, &request);
}

int buffer_wait(const struct nouveau *gpu, const struct buffer *buffer) {
    return cpu_prep(gpu, buffer, 0);
}

bool buffer_is_busy(const struct nouveau *gpu, const struct buffer *buffer) {
    return cpu_prep(gpu, buffer, NOUVEAU_GEM_CPU_PREP_NOWAIT) == EBUSY;
}

struct channel channel_open(const struct nouveau *gpu) {
    struct drm_nouveau_channel_alloc request = {0};
    MUST_COMMAND(gpu, CHANNEL_ALLOC, READ_WRITE, &request);
    struct channel channel = {
        .id = request.channel,
        .push = buffer_new(gpu, GART, PUSH_BUFFER_BYTES),
    };
    buffer_map(gpu, &channel.push);
    push_use(&channel, &channel.push, GART, false);
    return channel;
}

void channel_close(const struct nouveau *gpu, struct channel *channel) {
    struct drm_nouveau_channel_free request = {.channel = channel->id};
    MUST_COMMAND(gpu, CHANNEL_FREE, _IOC_WRITE, &request);
    buffer_free(gpu, &channel->push);
}

int channel_object(const struct nouveau *gpu, const struct channel *channel, uint32_t handle,
                   uint32_t class) {
    struct grobj_alloc request = {
        .channel = channel->id,
        .handle = handle,
        .class = (int32_t)class,
    };
    return COMMAND(gpu, GROBJ_ALLOC, _IOC_WRITE, &request);
}

void push_methods(struct channel *channel, unsigned subchannel, unsigned method,
                  const uint32_t *values, unsigned count, bool increasing) {
    if (channel->next_word + 1 + count > PUSH_WORDS) {
        report_fatal("a submission of more than %d bytes", PUSH_BUFFER_BYTES);
    }
    // envytools, docs/hw/fifo/dma-pusher.rst: increasing (1) and non-increasing (3) methods.
    uint32_t form = increasing ? 1 : 3;
    uint32_t *words = channel->push.memory;
    words[channel->next_word++] = form << 29 | count << 16 | subchannel << 13 | method >> 2;
    memcpy(words + channel->next_word, values, count * sizeof *values);
    channel->next_word += count;
}

void push_use(struct channel *channel, const struct buffer *buffer, uint32_t domain, bool write) {
    for (unsigned i = 0; i < channel->buffer_count; i++) {
        if (channel->buffers[i].handle == buffer->handle) {
            channel->buffers[i].write_domains |= write ? domain : 0;
            return;
        }
    }
    if (channel->buffer_count == sizeof channel->buffers / sizeof *channel->buffers) {
        report_fatal("a submission that uses too many buffers");
    }
    channel->buffers[channel->buffer_count++] = (struct drm_nouveau_gem_pushbuf_bo){
        .handle = buffer->handle,
        .read_domains = domain,
        .write_domains = write ? domain : 0,
        .valid_domains = domain,
    };
}

int push_submit(const struct nouveau *gpu, struct channel *channel) {
    struct drm_nouveau_gem_pushbuf_push words = {
        .bo_index = 0,
        .offset = channel->first_word * sizeof(uint32_t),
        .length = (channel->next_word - channel->first_word) * sizeof(uint32_t),
    };
    struct drm_nouveau_gem_pushbuf request = {
        .channel = (uint32_t)channel->id,
        .nr_buffers = channel->buffer_count,
        .buffers = (uintptr_t)channel->buffers,
        .nr_push = words.length ? 1 : 0,
        .push = (uintptr_t)&words,
    };
    int error = COMMAND(gpu, GEM_PUSHBUF, READ_WRITE, &request);
    channel->buffer_count = 1;
    // The next submission follows this one, which the GPU may still be reading.
    channel->first_word = channel->next_word;
    if (channel->first_word > PUSH_WORDS / 2) {
        buffer_wait(gpu, &channel->push);
        channel->first_word = channel->next_word = 0;
    }
    return error;
}
