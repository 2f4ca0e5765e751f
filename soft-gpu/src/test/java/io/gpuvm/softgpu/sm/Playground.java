package io.gpuvm.softgpu.sm;

import io.gpuvm.softgpu.sm.code.Rows;

/// What random kernels find around them: where memory is, and which registers lead there.
///
/// Each warp has a part of every memory for itself, so that it does not matter which one runs
/// first. Registers from [#FIRST_OWN] on lead to that part and are left alone by arithmetic.
final class Playground {
    /// Most warps of a block.
    static final int WARPS = 4;

    static final int REGISTERS = 62;

    /// Global memory: the word at 4 GiB * n is in the first warp's part, so that a carry matters.
    static final long GLOBAL = 0x12_ffff_e000L;

    /// The same memory, where an address of 32 bits reaches it.
    static final int GLOBAL_LOW = 0x5000_0000;

    static final int WARP_GLOBAL_BYTES = 0x4000;
    static final int GLOBAL_BYTES = WARPS * WARP_GLOBAL_BYTES;

    /// A page that can only be read lies behind it, then there is nothing.
    static final long READ_ONLY = GLOBAL + GLOBAL_BYTES;

    static final long NOTHING = 0x15_0000_0000L;

    /// Local memory of a thread that ends at the top of the window.
    static final int LOCAL_TOP_BYTES = 64;

    static final int WARP_SHARED_BYTES = 0x400;

    /// Shared memory that all warps use, a word for each thread, between barriers.
    static final int EXCHANGE = WARPS * WARP_SHARED_BYTES;

    static final int EXCHANGE_BYTES = WARPS * Rows.LANES * Integer.BYTES;
    static final int SHARED_BYTES = EXCHANGE + EXCHANGE_BYTES;

    /// Constant banks that there are, and words of each.
    static final int BANK = 0;

    static final int OTHER_BANK = 3;
    static final int UNBOUND_BANK = 9;
    static final int BANK_WORDS = 256;

    /// Offsets in [#BANK] of [#GLOBAL]'s words.
    static final int GLOBAL_AT = 0x20;

    /// Slot of the only texture.
    static final int TEXTURE = 1;

    /// Registers that arithmetic writes, but for those that only get what all lanes have alike.
    static final int WORK = 32;

    /// The latter.
    static final int UNIFORM = 32;

    static final int UNIFORM_END = 36;
    static final int FIRST_OWN = UNIFORM_END;

    /// Pairs with addresses of global memory that are multiples of 16, 8 and 4.
    static final int GLOBAL_16 = 36;

    static final int GLOBAL_8 = 38;
    static final int GLOBAL_4 = 40;

    /// Pair that code computes; multiples of 16.
    static final int COMPUTED = 42;

    static final int SHARED_16 = 44;
    static final int SHARED_4 = 45;
    static final int COMPUTED_SHARED = 46;

    /// Local addresses, multiples of 16.
    static final int LOCAL = 47;

    static final int LOCAL_LANES = 48;

    /// Addresses of 32 bits, multiples of 16.
    static final int LOW_GLOBAL = 49;

    static final int LOW_SHARED = 50;
    static final int LOW_LOCAL = 51;

    /// Offsets in constant banks, multiples of 16.
    static final int CONSTANT = 52;

    /// Where the warp's parts of global, and of shared, memory start.
    static final int GLOBAL_START = 53;

    static final int SHARED_START = 54;

    /// Number of the thread.
    static final int THREAD = 55;

    /// Rounds left of loops in loops.
    static final int FIRST_COUNTER = 56;

    static final int COUNTERS = 4;

    /// For what is needed for a moment.
    static final int SCRATCH = 60;

    /// Pair.
    static final int SCRATCH_WIDE = 60;

    private Playground() {}
}
