// Interface to nouveau's ioctls (include/uapi/drm/nouveau_drm.h of Linux): buffers, channels, push
// buffers. Functions that cannot fail in a working system end the program on failure; functions
// whose failure is tested return an errno value.
#pragma once

#include <drm/drm.h>
#include <drm/nouveau_drm.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    VRAM = NOUVEAU_GEM_DOMAIN_VRAM,
    GART = NOUVEAU_GEM_DOMAIN_GART,
};

struct nouveau {
    int fd;
};

// Opens the first render node or card of nouveau.
struct nouveau nouveau_open(void);

// Returns a NOUVEAU_GETPARAM_ value.
uint64_t nouveau_parameter(const struct nouveau *gpu, uint64_t parameter);

// GEM buffer. The driver keeps it mapped at gpu_va in every domain.
struct buffer {
    uint32_t handle;
    uint32_t domains; // allowed domains
    uint64_t bytes;
    uint64_t gpu_va;
    uint64_t map_handle;
    void *memory; // set by buffer_map
};

struct buffer buffer_new(const struct nouveau *gpu, uint32_t domains, uint64_t bytes);

// Maps a buffer for the CPU: guest memory, or BAR1 while the buffer is in VRAM.
void *buffer_map(const struct nouveau *gpu, struct buffer *buffer);

void buffer_free(const struct nouveau *gpu, struct buffer *buffer);

// Returns the current domain of a buffer: VRAM or GART.
uint32_t buffer_domain(const struct nouveau *gpu, const struct buffer *buffer);

// Waits, by GEM_CPU_PREP as drivers in user space do, until the GPU no longer uses a buffer: 0, or
// an errno value.
int buffer_wait(const struct nouveau *gpu, const struct buffer *buffer);

// Returns whether the GPU still uses a buffer; does not wait.
bool buffer_is_busy(const struct nouveau *gpu, const struct buffer *buffer);

// Channel, its push buffer, and the submission under construction.
struct channel {
    int id;
    struct buffer push;
    unsigned first_word, next_word;
    struct drm_nouveau_gem_pushbuf_bo buffers[8];
    unsigned buffer_count;
};

struct channel channel_open(const struct nouveau *gpu);
void channel_close(const struct nouveau *gpu, struct channel *channel);

// Creates an object of a class: 0, or an errno value if the GPU lacks the class.
int channel_object(const struct nouveau *gpu, const struct channel *channel, uint32_t handle,
                   uint32_t class);

// Adds methods to the submission: the first value goes to `method`, each subsequent value to the next method.
#define PUSH(channel, subchannel, method, ...)                                                     \
    push_methods(channel, subchannel, method, (const uint32_t[]){__VA_ARGS__},                     \
                 sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), true)

// With increasing = false, all values go to the same method.
void push_methods(struct channel *channel, unsigned subchannel, unsigned method,
                  const uint32_t *values, unsigned count, bool increasing);

// Halves of an address, as passed to methods.
#define HIGH(gpu_va) ((uint32_t)((gpu_va) >> 32))
#define LOW(gpu_va) ((uint32_t)(gpu_va))

// Declares a buffer of the submission and its domain: the driver first moves the buffer there.
void push_use(struct channel *channel, const struct buffer *buffer, uint32_t domain, bool write);

// Submits the submission to the driver: 0, or an errno value. ENODEV: the channel has been killed.
int push_submit(const struct nouveau *gpu, struct channel *channel);
