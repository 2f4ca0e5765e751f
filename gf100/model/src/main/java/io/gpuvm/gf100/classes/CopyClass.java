package io.gpuvm.gf100.classes;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// Classes 90b5 and 90b8, the copy engines: methods of the program that nouveau loads into their
/// falcons. The vendor's own program has different methods.
///
/// Sources: `nvkm/engine/ce/fuc/com.fuc`; nouveau `nouveau_bo90b5.c`.
public final class CopyClass {
    public static final int NOP = 0x100;
    public static final int PM_TRIGGER = 0x140;

    /// Block shape of the source if it is tiled; see [BlockLinear].
    public static final int SRC_TILE_MODE = 0x200;

    public static final int SRC_WIDTH = 0x204;
    public static final int SRC_HEIGHT = 0x208;
    public static final int SRC_DEPTH = 0x20c;
    public static final int SRC_Z = 0x210;
    public static final int SRC_X = 0x214;
    public static final int SRC_Y = 0x218;

    /// Block shape of the destination if it is tiled.
    public static final int DST_TILE_MODE = 0x220;

    public static final int DST_WIDTH = 0x224;
    public static final int DST_HEIGHT = 0x228;
    public static final int DST_DEPTH = 0x22c;
    public static final int DST_Z = 0x230;
    public static final int DST_X = 0x234;
    public static final int DST_Y = 0x238;

    /// Starts a copy.
    public static final int EXEC = 0x300;

    /// Elements consist of components that [#FORMAT] rearranges; if clear, an element is a byte.
    public static final BitField EXEC_FORMAT = bit(0);

    public static final BitField EXEC_SRC_LINEAR = bit(4);
    public static final BitField EXEC_DST_LINEAR = bit(8);

    /// Writes a query at completion.
    public static final BitField EXEC_QUERY = bit(12);

    /// The query is 4 bytes, without the timestamp.
    public static final BitField EXEC_QUERY_SHORT = bit(13);

    public static final int WRITE_CACHE_FLUSH = 0x304;

    public static final int SRC_ADDRESS_HIGH = 0x30c;
    public static final int SRC_ADDRESS_LOW = 0x310;
    public static final int DST_ADDRESS_HIGH = 0x314;
    public static final int DST_ADDRESS_LOW = 0x318;

    /// Distance between lines in bytes, for linear memory.
    public static final int SRC_PITCH = 0x31c;

    public static final int DST_PITCH = 0x320;

    /// Number of elements in a line.
    public static final int X_COUNT = 0x324;

    public static final int Y_COUNT = 0x328;

    /// Conversion of elements: four selectors, then sizes.
    public static final int FORMAT = 0x32c;

    /// Width of a selector; the selector of destination component 0 is in the lowest bits.
    public static final int FORMAT_SELECTOR_BITS = 4;

    public static final BitField FORMAT_SELECTOR = bits(3, 0);

    /// First selector of a constant; selectors 0 to 3 select a component of the source.
    public static final int SELECT_CONST0 = 4;

    public static final int SELECT_CONST1 = 5;

    /// First of the selectors that select zero.
    public static final int SELECT_ZERO = 6;

    /// Bytes in a component, minus 1.
    public static final BitField FORMAT_COMPONENT_BYTES = bits(17, 16);

    /// Components in an element, minus 1.
    public static final BitField FORMAT_SRC_COMPONENTS = bits(21, 20);

    public static final BitField FORMAT_DST_COMPONENTS = bits(25, 24);
    public static final int CONST0 = 0x330;
    public static final int CONST1 = 0x334;

    public static final int QUERY_ADDRESS_HIGH = 0x338;
    public static final int QUERY_ADDRESS_LOW = 0x33c;
    public static final int QUERY_COUNTER = 0x340;

    /// Valid bits of a tile mode; the constants that follow are the valid bits of the data of other
    /// methods. Any other bit causes an error.
    public static final int TILE_MODE_MASK = 0x00000fff;

    public static final int WIDTH_MASK = 0x0007ffff;
    public static final int HEIGHT_MASK = 0x00001fff;
    public static final int DEPTH_MASK = 0x000007ff;
    public static final int Z_MASK = 0x00000fff;
    public static final int ADDRESS_HIGH_MASK = 0x000000ff;
    public static final int PITCH_MASK = 0x0007ffff;
    public static final int X_COUNT_MASK = 0x0000ffff;
    public static final int Y_COUNT_MASK = 0x00001fff;
    public static final int FORMAT_MASK = 0x0333ffff;

    /// Interrupt with which the program reports an error.
    public static final BitField INTR_ERROR = bit(6);

    /// Error code in the word that reports the error (`nvkm/engine/ce/gt215.c`).
    public static final BitField ERROR_CODE = bits(15, 0);

    public static final BitField ERROR_METHOD = bits(26, 16).scaledBy(2);
    public static final BitField ERROR_SUBCHANNEL = bits(29, 27);

    /// Unknown method.
    public static final int ERROR_ILLEGAL_METHOD = 1;

    /// Unknown class, or invalid value.
    public static final int ERROR_INVALID_ENUM = 2;

    /// Bits that must be zero are set.
    public static final int ERROR_INVALID_BITFIELD = 3;

    private CopyClass() {}

    /// Returns nouveau's name for an error that the program reports.
    public static String errorName(int code) {
        return switch (code) {
            case ERROR_ILLEGAL_METHOD -> "ILLEGAL_MTHD";
            case ERROR_INVALID_ENUM -> "INVALID_ENUM";
            case ERROR_INVALID_BITFIELD -> "INVALID_BITFIELD";
            default -> "%#x".formatted(code);
        };
    }
}
