#include "engines.h"

#include "report.h"

#include <string.h>

const struct engine engines[ENGINE_COUNT] = {
    [COPY0] = {"COPY0", 0x90b5, 0x490b5, 4},
    [COPY1] = {"COPY1", 0x90b8, 0x590b8, 5},
    [M2MF] = {"M2MF", 0x9039, 0x09039, 2},
};

// Methods of the channel, on any subchannel.
enum {
    SET_OBJECT = 0x000,
    NOP = 0x008,
    SEMAPHORE_ADDRESS = 0x010, // high, low, payload, trigger
    SEMAPHORE_ACQUIRE_EQUAL = 1 << 0,
    SEMAPHORE_ACQUIRE_SWITCH = 1 << 12, // other channels may run during the wait
};

// Methods of M2MF (9039); the copy engines also have the first two.
enum {
    EXEC = 0x300,
    EXEC_INLINE = 1 << 0,
    EXEC_SOURCE_LINEAR = 1 << 4,
    EXEC_DESTINATION_LINEAR = 1 << 8,
    EXEC_FLUSH = 1 << 20,
    M2MF_DATA = 0x304,
    M2MF_TO = 0x238,   // high, low
    M2MF_FROM = 0x30c, // high, low, pitch from, pitch to, line bytes, lines
    M2MF_LINES = 0x31c,
    M2MF_MAX_LINES = 2047,
};

// Methods of the copy engines (90b5, 90b8).
enum {
    COPY_FROM = 0x30c, // from high, low, to high, low, pitch from, pitch to, line bytes, lines
    COPY_MAX_LINES = 8191,
};

bool engine_bind(const struct nouveau *gpu, struct channel *channel, const struct engine *engine) {
    if (channel_object(gpu, channel, engine->object, engine->class)) {
        return false;
    }
    PUSH(channel, engine->subchannel, SET_OBJECT, engine->object);
    return true;
}

struct rectangle whole(uint64_t bytes) {
    const uint32_t page = 4096;
    return (struct rectangle){
        .line_bytes = page,
        .lines = (uint32_t)(bytes / page),
        .from_pitch = page,
        .to_pitch = page,
    };
}

static void push_m2mf(struct channel *channel, unsigned subchannel, uint64_t from_va,
                      uint64_t to_va, const struct rectangle *part) {
    PUSH(channel, subchannel, M2MF_TO, HIGH(to_va), LOW(to_va));
    PUSH(channel, subchannel, M2MF_FROM, HIGH(from_va), LOW(from_va), part->from_pitch,
         part->to_pitch, part->line_bytes, part->lines);
    PUSH(channel, subchannel, EXEC, EXEC_SOURCE_LINEAR | EXEC_DESTINATION_LINEAR);
}

static void push_copy_engine(struct channel *channel, unsigned subchannel, uint64_t from_va,
                             uint64_t to_va, const struct rectangle *part) {
    PUSH(channel, subchannel, COPY_FROM, HIGH(from_va), LOW(from_va), HIGH(to_va), LOW(to_va),
         part->from_pitch, part->to_pitch, part->line_bytes, part->lines);
    PUSH(channel, subchannel, EXEC, EXEC_SOURCE_LINEAR | EXEC_DESTINATION_LINEAR);
}

void engine_copy(struct channel *channel, const struct engine *engine, uint64_t from_va,
                 uint64_t to_va, const struct rectangle *rectangle) {
    bool is_m2mf = engine == &engines[M2MF];
    uint32_t max_lines = is_m2mf ? M2MF_MAX_LINES : COPY_MAX_LINES;
    struct rectangle part = *rectangle;
    from_va += part.from_offset;
    to_va += part.to_offset;
    for (uint32_t left = rectangle->lines; left; left -= part.lines) {
        part.lines = left < max_lines ? left : max_lines;
        (is_m2mf ? push_m2mf : push_copy_engine)(channel, engine->subchannel, from_va, to_va,
                                                 &part);
        from_va += (uint64_t)part.lines * part.from_pitch;
        to_va += (uint64_t)part.lines * part.to_pitch;
    }
}

void m2mf_inline(struct channel *channel, uint64_t to_va, const void *data, uint32_t bytes) {
    unsigned subchannel = engines[M2MF].subchannel;
    uint32_t words[512] = {0};
    unsigned count = (bytes + 3) / 4;
    if (count > sizeof words / sizeof *words) {
        report_fatal("%u bytes inline are too many", bytes);
    }
    memcpy(words, data, bytes);
    PUSH(channel, subchannel, M2MF_TO, HIGH(to_va), LOW(to_va));
    PUSH(channel, subchannel, M2MF_LINES, bytes, 1);
    PUSH(channel, subchannel, EXEC,
         EXEC_FLUSH | EXEC_DESTINATION_LINEAR | EXEC_SOURCE_LINEAR | EXEC_INLINE);
    push_methods(channel, subchannel, M2MF_DATA, words, count, false);
}

void push_semaphore_acquire(struct channel *channel, uint64_t gpu_va, uint32_t value) {
    PUSH(channel, 0, SEMAPHORE_ADDRESS, HIGH(gpu_va), LOW(gpu_va), value,
         SEMAPHORE_ACQUIRE_EQUAL | SEMAPHORE_ACQUIRE_SWITCH);
}

void push_nop(struct channel *channel) {
    PUSH(channel, 0, NOP, 0);
}
