package io.gpuvm.gf100.classes;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// Methods that 3D (9097) and compute (90c0) have in common: which memory a constant buffer is, and
/// words that are written to it from the push buffer. How it becomes a bank of shaders, each class
/// says by a method of its own.
///
/// Sources: envytools `rnndb/graph/gf100_3d.xml`, `rnndb/graph/gf100_compute.xml`; Mesa
/// `nvc0_transfer.c`.
public final class ConstantMethods {
    /// Size in bytes, up to [#MAX_BYTES].
    public static final int SIZE = 0x2380;

    public static final int ADDRESS_HIGH = 0x2384;

    /// A multiple of [#ALIGNMENT_BYTES].
    public static final int ADDRESS_LOW = 0x2388;

    /// Where the next word goes, in bytes from the start; grows by 4 with each word.
    public static final int POSITION = 0x238c;

    /// Sixteen methods that do the same: write one word.
    public static final int DATA_FIRST = 0x2390;

    public static final int DATA_LAST = 0x23cc;

    /// Data of compute's way to bind the buffer that the methods above describe, or none.
    public static final BitField COMPUTE_BIND_VALID = bit(0);

    public static final BitField COMPUTE_BIND_INDEX = bits(12, 8);

    /// The same for a stage of 3D.
    public static final BitField THREED_BIND_VALID = bit(0);

    public static final BitField THREED_BIND_INDEX = bits(8, 4);

    /// Banks that can be bound. NVIDIA's compiler puts literals in bank 16 (`.nv.constant16` of its
    /// binaries).
    public static final int BANKS = 18;

    /// The size of a bank at the most.
    public static final int MAX_BYTES = 0x10000;

    public static final int ALIGNMENT_BYTES = 0x100;

    private ConstantMethods() {}
}
