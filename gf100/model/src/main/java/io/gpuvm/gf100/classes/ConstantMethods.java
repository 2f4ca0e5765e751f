package io.gpuvm.gf100.classes;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// Methods common to 3D (9097) and compute (90c0) that locate a constant buffer and write words to
/// it from the push buffer. Each class has a separate method that binds the buffer to a bank.
///
/// Sources: envytools `rnndb/graph/gf100_3d.xml`, `rnndb/graph/gf100_compute.xml`; Mesa
/// `nvc0_transfer.c`.
public final class ConstantMethods {
    /// Size in bytes, up to [#MAX_BYTES].
    public static final int SIZE = 0x2380;

    public static final int ADDRESS_HIGH = 0x2384;

    /// Low half of the address, a multiple of [#ALIGNMENT_BYTES].
    public static final int ADDRESS_LOW = 0x2388;

    /// Position of the next word, in bytes from the start; advances by 4 with each word.
    public static final int POSITION = 0x238c;

    /// First of sixteen equivalent methods, each of which writes one word.
    public static final int DATA_FIRST = 0x2390;

    public static final int DATA_LAST = 0x23cc;

    /// Flag in the data of the compute method: binds the described buffer; if clear, unbinds the
    /// bank.
    public static final BitField COMPUTE_BIND_VALID = bit(0);

    public static final BitField COMPUTE_BIND_INDEX = bits(12, 8);

    /// Flag in the data of the corresponding method for a 3D stage.
    public static final BitField THREED_BIND_VALID = bit(0);

    public static final BitField THREED_BIND_INDEX = bits(8, 4);

    /// Number of banks. NVIDIA's compiler stores literals in bank 16 (`.nv.constant16` of its
    /// binaries).
    public static final int BANKS = 18;

    /// Maximum size of a bank, in bytes.
    public static final int MAX_BYTES = 0x10000;

    public static final int ALIGNMENT_BYTES = 0x100;

    private ConstantMethods() {}
}
