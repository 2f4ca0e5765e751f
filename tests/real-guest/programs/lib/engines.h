// Engines of the GF100 that copy memory, and their methods. Sources: envytools
// rnndb/graph/gf100_m2mf.xml and docs/hw/fifo/puller.rst; Linux drivers/gpu/drm/nouveau:
// nouveau_bo9039.c, nouveau_bo90b5.c and nvkm/engine/ce/fuc/com.fuc.
#pragma once

#include "nouveau.h"

struct engine {
    const char *name; // name in the software GPU's counters
    uint32_t class;
    uint32_t object; // value for SET_OBJECT: engine << 16 | class
    unsigned subchannel;
};

enum { COPY0, COPY1, M2MF, ENGINE_COUNT };
extern const struct engine engines[ENGINE_COUNT];

// Creates an engine's object on a channel and binds it to its subchannel; false if the driver does
// not offer the engine.
bool engine_bind(const struct nouveau *gpu, struct channel *channel, const struct engine *engine);

// Lines of a pitch-linear area and their target.
struct rectangle {
    uint32_t line_bytes, lines;
    uint32_t from_offset, from_pitch;
    uint32_t to_offset, to_pitch;
};

// Returns a contiguous area as lines of one page; bytes is a multiple of 4096.
struct rectangle whole(uint64_t bytes);

// Adds a copy to the channel's submission.
void engine_copy(struct channel *channel, const struct engine *engine, uint64_t from_va,
                 uint64_t to_va, const struct rectangle *rectangle);

// Adds a write of data inside the push buffer, padded to words.
void m2mf_inline(struct channel *channel, uint64_t to_va, const void *data, uint32_t bytes);

// Makes the channel wait until the word at an address equals a value.
void push_semaphore_acquire(struct channel *channel, uint64_t gpu_va, uint32_t value);

// Adds a method without any effect.
void push_nop(struct channel *channel);
