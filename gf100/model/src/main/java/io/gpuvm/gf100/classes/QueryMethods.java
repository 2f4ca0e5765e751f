package io.gpuvm.gf100.classes;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// Methods common to 3D (9097) and compute (90c0) that write a record to memory after all earlier
/// work is complete.
///
/// Sources: envytools `rnndb/graph/gf100_3d.xml`, `rnndb/graph/gf100_compute.xml`; Mesa
/// `nvc0_query_hw.c`.
public final class QueryMethods {
    public static final int ADDRESS_HIGH = 0x1b00;

    /// Low half of the address, a multiple of 4.
    public static final int ADDRESS_LOW = 0x1b04;

    public static final int SEQUENCE = 0x1b08;

    /// Writes the record.
    public static final int GET = 0x1b0c;

    public static final BitField GET_MODE = bits(1, 0);
    public static final int MODE_WRITE = 0;

    /// Waits for a value in memory instead of writing a record.
    public static final int MODE_SYNC = 1;

    public static final int MODE_WRITE_AFTER = 2;
    public static final int MODE_WRITE_AND_INTERRUPT = 3;

    /// Raises the engine's non-stall interrupt.
    public static final BitField GET_INTERRUPT = bit(20);

    /// Counter of the query, for 3D.
    public static final BitField GET_SELECT = bits(27, 23);

    public static final int SELECT_ZERO = 0x00;
    public static final int SELECT_SAMPLES = 0x02;

    /// Writes only the first 4 bytes.
    public static final BitField GET_SHORT = bit(28);

    private QueryMethods() {}
}
