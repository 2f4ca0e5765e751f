package io.gpuvm.gf100.classes;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// Class 9039, memory to memory: copies rectangles of bytes between linear and block-linear memory,
/// or from the push buffer.
///
/// Sources: envytools `rnndb/graph/gf100_m2mf.xml`; nouveau `nouveau_bo9039.c`.
public final class M2mfClass {
    public static final int NOP = 0x100;
    public static final int NOTIFY = 0x104;

    /// Waits until all earlier work is complete.
    public static final int SERIALIZE = 0x110;

    public static final int PM_TRIGGER = 0x140;

    /// Block shape of the source if it is block-linear; see [BlockLinear].
    public static final int TILE_MODE_IN = 0x204;

    public static final int TILE_WIDTH_IN = 0x208;
    public static final int TILE_HEIGHT_IN = 0x20c;
    public static final int TILE_DEPTH_IN = 0x210;
    public static final int TILE_POSITION_IN_Z = 0x214;

    /// Block shape of the destination if it is block-linear.
    public static final int TILE_MODE_OUT = 0x220;

    public static final int TILE_WIDTH_OUT = 0x224;
    public static final int TILE_HEIGHT_OUT = 0x228;
    public static final int TILE_DEPTH_OUT = 0x22c;
    public static final int TILE_POSITION_OUT_Z = 0x230;

    public static final int OFFSET_OUT_HIGH = 0x238;
    public static final int OFFSET_OUT_LOW = 0x23c;

    /// First of the methods of unknown effect; their data is stored.
    public static final int UNKNOWN_FIRST = 0x240;

    public static final int UNKNOWN_LAST = 0x2fc;

    /// Starts a transfer.
    public static final int EXEC = 0x300;

    /// The bytes to write follow as [#DATA].
    public static final BitField EXEC_PUSH = bit(0);

    public static final BitField EXEC_LINEAR_IN = bit(4);
    public static final BitField EXEC_LINEAR_OUT = bit(8);

    /// Writes a query at completion if the field is not 0.
    public static final BitField EXEC_QUERY = bits(13, 12);

    /// The query is 4 bytes, without the timestamp.
    public static final BitField EXEC_QUERY_SHORT = bit(20);

    /// Four bytes of a transfer started with [#EXEC_PUSH]; each line starts with a new word.
    public static final int DATA = 0x304;

    public static final int UNKNOWN_308 = 0x308;

    public static final int OFFSET_IN_HIGH = 0x30c;
    public static final int OFFSET_IN_LOW = 0x310;

    /// Distance between lines in bytes, for linear memory.
    public static final int PITCH_IN = 0x314;

    public static final int PITCH_OUT = 0x318;

    /// Number of bytes in a line.
    public static final int LINE_LENGTH = 0x31c;

    public static final int LINE_COUNT = 0x320;

    /// Largest line length that drivers use: Mesa `nvc0_transfer.c`, nouveau `nouveau_bo9039.c`.
    /// The hardware's limit is unknown.
    public static final int USUAL_MAX_LINE_LENGTH = 1 << 17;

    /// Largest line count that drivers use; same sources.
    public static final int USUAL_MAX_LINE_COUNT = 2047;

    public static final int QUERY_ADDRESS_HIGH = 0x32c;
    public static final int QUERY_ADDRESS_LOW = 0x330;
    public static final int QUERY_SEQUENCE = 0x334;

    public static final int CONDITION_ADDRESS_HIGH = 0x338;
    public static final int CONDITION_ADDRESS_LOW = 0x33c;
    public static final int CONDITION_MODE = 0x340;

    /// Start of the rectangle in block-linear memory: x in bytes, y in lines.
    public static final int POSITION_IN_X = 0x344;

    public static final int POSITION_IN_Y = 0x348;
    public static final int POSITION_OUT_X = 0x34c;
    public static final int POSITION_OUT_Y = 0x350;

    private M2mfClass() {}
}
