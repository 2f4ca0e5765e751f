package io.gpuvm.gf100.classes;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// Class 9097, 3D: the interpreted methods. [ThreedMethods] lists all methods; the methods in
/// common with compute are in [ConstantMethods] and [QueryMethods].
///
/// Sources: envytools `rnndb/graph/gf100_3d.xml`, `rnndb/g80_defs.xml`; Mesa `nvc0_surface.c`.
public final class ThreedClass {
    public static final int RENDER_TARGETS = 8;

    /// First method of the first render target. The constants from [#RT_ADDRESS_HIGH] to
    /// [#RT_BASE_LAYER] are offsets from the first method of a target.
    public static final int RT = 0x0800;

    public static final int RT_STRIDE = 0x40;
    public static final int RT_ADDRESS_HIGH = 0x00;
    public static final int RT_ADDRESS_LOW = 0x04;

    /// Width in pixels; for a linear target, the distance between lines in bytes.
    public static final int RT_HORIZONTAL = 0x08;

    public static final int RT_VERTICAL = 0x0c;

    /// Code of a [ColorFormat]; 0 for no target.
    public static final int RT_FORMAT = 0x10;

    /// Tile mode of [BlockLinear], combined with the two flags that follow.
    public static final int RT_TILE_MODE = 0x14;

    public static final BitField TILE_MODE_LINEAR = bit(12);

    /// Layers are the third dimension of one block-linear surface, instead of separate surfaces.
    public static final BitField TILE_MODE_VOLUME = bit(16);

    /// Number of the last layer plus 1.
    public static final int RT_ARRAY_MODE = 0x18;

    public static final BitField ARRAY_LAYERS = bits(15, 0);

    /// Distance between layers, in units of 4 bytes.
    public static final int RT_LAYER_STRIDE = 0x1c;

    /// Layer of the target to which layer 0 of a clear refers.
    public static final int RT_BASE_LAYER = 0x20;

    /// Range of a viewport in pixels: start and extent.
    public static final int VIEWPORT_HORIZONTAL = 0x0c00;

    public static final int VIEWPORT_VERTICAL = 0x0c04;

    /// First of eight rectangles of two methods each, enabled by [#CLIP_RECTANGLES_ENABLE].
    public static final int CLIP_RECTANGLE_HORIZONTAL = 0x0d00;

    public static final int CLIP_RECTANGLE_VERTICAL = 0x0d04;
    public static final int CLIP_RECTANGLE_STRIDE = 8;
    public static final int CLIP_RECTANGLES = 8;

    /// Minimum, in the data of methods that set a range by minimum and maximum.
    public static final BitField MINIMUM = bits(15, 0);

    /// Maximum, in the data of the same methods.
    public static final BitField MAXIMUM = bits(31, 16);

    /// Start, in the data of methods that set a range by start and extent.
    public static final BitField START = bits(15, 0);

    /// Extent, in the data of the same methods.
    public static final BitField EXTENT = bits(31, 16);

    /// Four floats, or integers for an integer target.
    public static final int CLEAR_COLOR = 0x0d80;

    public static final int CLEAR_DEPTH = 0x0d90;
    public static final int CLEAR_STENCIL = 0x0da0;

    public static final int SCISSOR_ENABLE = 0x0e00;
    public static final int SCISSOR_HORIZONTAL = 0x0e04;
    public static final int SCISSOR_VERTICAL = 0x0e08;

    public static final int ZETA_ADDRESS_HIGH = 0x0fe0;
    public static final int ZETA_ADDRESS_LOW = 0x0fe4;

    /// Code of a [ZetaFormat].
    public static final int ZETA_FORMAT = 0x0fe8;

    public static final int ZETA_TILE_MODE = 0x0fec;
    public static final int ZETA_LAYER_STRIDE = 0x0ff0;

    /// Start and extent of the drawable area; always enabled.
    public static final int SCREEN_SCISSOR_HORIZONTAL = 0x0ff4;

    public static final int SCREEN_SCISSOR_VERTICAL = 0x0ff8;

    /// Additional limits that a clear respects.
    public static final int CLEAR_FLAGS = 0x10f8;

    public static final BitField CLEAR_FLAGS_STENCIL_MASK = bit(0);
    public static final BitField CLEAR_FLAGS_SCISSOR = bit(8);
    public static final BitField CLEAR_FLAGS_VIEWPORT = bit(12);

    public static final int ZETA_HORIZONTAL = 0x1228;
    public static final int ZETA_VERTICAL = 0x122c;
    public static final int ZETA_ARRAY_MODE = 0x1230;

    public static final int STENCIL_MASK = 0x139c;

    public static final int ZETA_ENABLE = 0x1538;

    /// Address of the query record that enables drawing, a multiple of 16.
    public static final int CONDITION_ADDRESS_HIGH = 0x1550;

    public static final int CONDITION_ADDRESS_LOW = 0x1554;
    public static final int CONDITION_MODE = 0x1558;
    public static final int CONDITION_NEVER = 0;
    public static final int CONDITION_ALWAYS = 1;

    /// The query's result is not 0.
    public static final int CONDITION_NON_ZERO = 2;

    /// Two consecutive query records have equal values and equal results.
    public static final int CONDITION_EQUAL = 3;

    public static final int CONDITION_NOT_EQUAL = 4;

    /// Number of samples in a pixel: [#samplesX] and [#samplesY].
    public static final int MULTISAMPLE_MODE = 0x15d0;

    /// Ends the drawing that a begin method started.
    public static final int VERTEX_END = 0x1614;

    public static final int ZETA_BASE_LAYER = 0x179c;

    public static final int CLIP_RECTANGLES_ENABLE = 0x194c;
    public static final int CLIP_RECTANGLES_MODE = 0x1950;

    /// Draws pixels that lie in at least one rectangle.
    public static final int CLIP_INSIDE_ANY = 0;

    /// Draws pixels that lie in no rectangle.
    public static final int CLIP_OUTSIDE_ALL = 1;

    /// Clears the selected buffers.
    public static final int CLEAR_BUFFERS = 0x19d0;

    public static final BitField CLEAR_BUFFERS_DEPTH = bit(0);
    public static final BitField CLEAR_BUFFERS_STENCIL = bit(1);

    /// Red, green, blue, alpha, from the lowest bit upwards.
    public static final BitField CLEAR_BUFFERS_COLOR = bits(5, 2);

    public static final BitField CLEAR_BUFFERS_RT = bits(9, 6);
    public static final BitField CLEAR_BUFFERS_LAYER = bits(20, 10);

    /// Binds a constant buffer to a stage: five methods at a fixed distance.
    public static final int CONSTANT_BIND = 0x2410;

    public static final int CONSTANT_BIND_STRIDE = 0x20;
    public static final int STAGES = 5;

    private static final int NO_MODE = -1;

    /// Binary logarithms of the numbers of samples in x (low half) and in y, by multisample mode.
    private static final int[] SAMPLE_SHIFTS = {
        0x00, 0x01, 0x11, 0x12, 0x12, 0x01, 0x22, NO_MODE, 0x11, 0x11, 0x12, 0x12
    };

    private static final BitField SHIFT_X = bits(3, 0);
    private static final BitField SHIFT_Y = bits(7, 4);

    private ThreedClass() {}

    /// Returns the number of a method of a render target.
    ///
    /// @param index index of the target, below [#RENDER_TARGETS]
    /// @param offset offset of the method within the target's methods, such as [#RT_FORMAT]
    public static int rt(int index, int offset) {
        return RT + index * RT_STRIDE + offset;
    }

    /// Returns whether the hardware supports a multisample mode.
    public static boolean isMultisampleMode(int mode) {
        return mode >= 0 && mode < SAMPLE_SHIFTS.length && SAMPLE_SHIFTS[mode] != NO_MODE;
    }

    /// Returns the binary logarithm of the number of samples per pixel in x, in the given
    /// multisample mode.
    public static int samplesX(int mode) {
        return SHIFT_X.get(SAMPLE_SHIFTS[mode]);
    }

    /// Returns the binary logarithm of the number of samples per pixel in y, in the given
    /// multisample mode.
    public static int samplesY(int mode) {
        return SHIFT_Y.get(SAMPLE_SHIFTS[mode]);
    }
}
