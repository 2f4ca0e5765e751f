#include "compute.h"

#include "report.h"

#include <string.h>

enum {
    SET_OBJECT = 0x000,
    LOCAL_POSITIVE = 0x204, // local below, local above, call stack
    SHARED_BASE = 0x214,
    GRID = 0x238, // y << 16 | x, z
    SHARED_BYTES = 0x24c, // shared, threads, barriers
    REGISTERS = 0x2c0,
    CACHE_SPLIT = 0x308,
    CACHE_SPLIT_SHARED_48K = 3,
    LAUNCH = 0x368,
    BLOCK = 0x3ac, // y << 16 | x, z
    ENTRY = 0x3b4,
    LOCAL_BASE = 0x77c,
    CODE_ADDRESS = 0x1608, // high, low
    BANK_BIND = 0x1694,    // index << 8 | valid
    FLUSH = 0x1698,
    FLUSH_CODE = 1 << 0,
    FLUSH_CONSTANTS = 1 << 12,
    BANK_BYTES = 0x2380, // bytes, address high, low, position
    BANK_DATA = 0x2390,
};

void compute_bind(const struct nouveau *gpu, struct channel *channel) {
    int error = channel_object(gpu, channel, COMPUTE_CLASS, COMPUTE_CLASS);
    if (error) {
        report_fatal("a compute object on channel %d: %s", channel->id, strerror(error));
    }
    PUSH(channel, COMPUTE_SUBCHANNEL, SET_OBJECT, COMPUTE_CLASS);
}

void compute_launch(struct channel *channel, const struct launch *launch) {
    const unsigned s = COMPUTE_SUBCHANNEL;
    PUSH(channel, s, SHARED_BASE, 0xfe000000);
    PUSH(channel, s, LOCAL_BASE, 0xff000000);
    PUSH(channel, s, CACHE_SPLIT, CACHE_SPLIT_SHARED_48K);
    PUSH(channel, s, LOCAL_POSITIVE, 0, 0, 0);
    PUSH(channel, s, CODE_ADDRESS, HIGH(launch->code_va), LOW(launch->code_va));
    PUSH(channel, s, ENTRY, 0);
    PUSH(channel, s, BANK_BYTES, 4096, HIGH(launch->constants_va), LOW(launch->constants_va), 0);
    push_methods(channel, s, BANK_DATA, launch->constants, launch->constant_count, false);
    PUSH(channel, s, BANK_BIND, 1);
    PUSH(channel, s, FLUSH, FLUSH_CODE | FLUSH_CONSTANTS);
    PUSH(channel, s, SHARED_BYTES, 0, WARP, 0);
    PUSH(channel, s, REGISTERS, launch->registers);
    PUSH(channel, s, BLOCK, 1 << 16 | WARP, 1);
    PUSH(channel, s, GRID, 1 << 16 | launch->blocks, 1);
    PUSH(channel, s, LAUNCH, 0x1000);
}
