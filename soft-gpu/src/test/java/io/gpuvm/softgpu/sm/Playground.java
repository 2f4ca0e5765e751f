package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.code.Rows;

/// Environment of random kernels: addresses of memory, and the registers that hold them.
///
/// Each warp has a separate part of every memory, so that the order of warps does not matter.
/// Registers from [#FIRST_OWN] on contain addresses in that part; arithmetic does not change these
/// registers.
final class Playground {
    /// Maximum number of warps in a block.
    static final int WARPS = 4;

    static final int REGISTERS = 62;

    /// Start of global memory. A multiple of 4 GiB is in the first warp's part, so that carries
    /// matter.
    static final long GLOBAL = 0x12_ffff_e000L;

    /// Second address of global memory, which fits into 32 bits.
    static final int GLOBAL_LOW = 0x5000_0000;

    static final int WARP_GLOBAL_BYTES = 0x4000;
    static final int GLOBAL_BYTES = WARPS * WARP_GLOBAL_BYTES;

    /// Address of the read-only page after global memory; unmapped addresses follow.
    static final long READ_ONLY = GLOBAL + GLOBAL_BYTES;

    static final long NOTHING = 0x15_0000_0000L;

    /// Size of a thread's local memory that ends at the top of the window.
    static final int LOCAL_TOP_BYTES = 64;

    static final int WARP_SHARED_BYTES = 0x400;

    /// Start of the shared memory that all warps use between barriers, a word for each thread.
    static final int EXCHANGE = WARPS * WARP_SHARED_BYTES;

    static final int EXCHANGE_BYTES = WARPS * Rows.LANES * Integer.BYTES;
    static final int SHARED_BYTES = EXCHANGE + EXCHANGE_BYTES;

    /// Number of the first bound constant bank.
    static final int BANK = 0;

    /// Number of the other bound constant bank.
    static final int OTHER_BANK = 3;

    static final int UNBOUND_BANK = 9;
    static final int BANK_WORDS = 256;

    /// Offset in [#BANK] of the address [#GLOBAL], lower word first.
    static final int GLOBAL_AT = 0x20;

    /// Slot of the only texture.
    static final int TEXTURE = 1;

    /// Number of registers that arithmetic writes, apart from those with values equal in all lanes.
    static final int WORK = 32;

    /// First of the registers with values that are equal in all lanes.
    static final int UNIFORM = 32;

    /// Number after the last of the registers with values that are equal in all lanes.
    static final int UNIFORM_END = 36;

    static final int FIRST_OWN = UNIFORM_END;

    /// First register of a pair with addresses of global memory, multiples of 16.
    static final int GLOBAL_16 = 36;

    /// First register of a pair with addresses of global memory, multiples of 8.
    static final int GLOBAL_8 = 38;

    /// First register of a pair with addresses of global memory, multiples of 4.
    static final int GLOBAL_4 = 40;

    /// First register of a pair with an address that the code computes, a multiple of 16.
    static final int COMPUTED = 42;

    static final int SHARED_16 = 44;
    static final int SHARED_4 = 45;
    static final int COMPUTED_SHARED = 46;

    /// Register with local addresses, multiples of 16.
    static final int LOCAL = 47;

    static final int LOCAL_LANES = 48;

    /// Register with 32-bit addresses of global memory, multiples of 16.
    static final int LOW_GLOBAL = 49;

    static final int LOW_SHARED = 50;
    static final int LOW_LOCAL = 51;

    /// Register with offsets in constant banks, multiples of 16.
    static final int CONSTANT = 52;

    /// Register with the start of the warp's part of global memory.
    static final int GLOBAL_START = 53;

    /// Register with the start of the warp's part of shared memory.
    static final int SHARED_START = 54;

    /// Register with the number of the thread.
    static final int THREAD = 55;

    /// First of the registers with the remaining iterations of nested loops.
    static final int FIRST_COUNTER = 56;

    static final int COUNTERS = 4;

    /// Register for temporary values.
    static final int SCRATCH = 60;

    /// First register of a pair for temporary values.
    static final int SCRATCH_WIDE = 60;

    private Playground() {}
}
