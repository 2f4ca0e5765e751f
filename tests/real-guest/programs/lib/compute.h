// Compute class of the GF100, and launches of kernels in machine code. Sources: envytools
// rnndb/graph/gf100_compute.xml, envydis/gf100.c; Mesa
// src/gallium/drivers/nouveau/nvc0/nvc0_compute.c.
#pragma once

#include "nouveau.h"

enum { COMPUTE_CLASS = 0x90c0, COMPUTE_SUBCHANNEL = 1, WARP = 32 };

// Creates the compute object on a channel and binds it.
void compute_bind(const struct nouveau *gpu, struct channel *channel);

// Launch of blocks of one warp each.
struct launch {
    uint64_t code_va;      // the kernel, a multiple of 256
    uint64_t constants_va; // 4 KiB for constant bank 0, a multiple of 256
    uint32_t blocks;
    uint32_t registers;
    const uint32_t *constants; // written to the bank before the launch, in words
    unsigned constant_count;
};

// Adds a launch to the channel's submission. The caller must declare the buffers.
void compute_launch(struct channel *channel, const struct launch *launch);
