package io.gpuvm.gf100.classes;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// 9097, 3D: the methods that are looked at. [ThreedMethods] has all of them; those that it shares
/// with compute are [ConstantMethods] and [QueryMethods].
///
/// Sources: envytools `rnndb/graph/gf100_3d.xml`, `rnndb/g80_defs.xml`; Mesa `nvc0_surface.c`.
public final class ThreedClass {
    public static final int RENDER_TARGETS = 8;

    /// The first render target; the methods below are offsets from it.
    public static final int RT = 0x0800;

    public static final int RT_STRIDE = 0x40;
    public static final int RT_ADDRESS_HIGH = 0x00;
    public static final int RT_ADDRESS_LOW = 0x04;

    /// Width in pixels; the distance of lines in bytes if the target is linear.
    public static final int RT_HORIZONTAL = 0x08;

    public static final int RT_VERTICAL = 0x0c;

    /// A code of [ColorFormat], 0 for no target.
    public static final int RT_FORMAT = 0x10;

    /// A tile mode of [BlockLinear] with the two flags that follow.
    public static final int RT_TILE_MODE = 0x14;

    public static final BitField TILE_MODE_LINEAR = bit(12);

    /// Layers are the third dimension of one block-linear surface, instead of surfaces at a
    /// distance.
    public static final BitField TILE_MODE_VOLUME = bit(16);

    /// Number of the last layer plus 1.
    public static final int RT_ARRAY_MODE = 0x18;

    public static final BitField ARRAY_LAYERS = bits(15, 0);

    /// Distance of layers, in units of 4 bytes.
    public static final int RT_LAYER_STRIDE = 0x1c;

    /// The layer that layer 0 of a clear is.
    public static final int RT_BASE_LAYER = 0x20;

    /// Pixels that a viewport covers: start and extent.
    public static final int VIEWPORT_HORIZONTAL = 0x0c00;

    public static final int VIEWPORT_VERTICAL = 0x0c04;

    /// Eight rectangles of two methods, which [#CLIP_RECTANGLES_ENABLE] switches on.
    public static final int CLIP_RECTANGLE_HORIZONTAL = 0x0d00;

    public static final int CLIP_RECTANGLE_VERTICAL = 0x0d04;
    public static final int CLIP_RECTANGLE_STRIDE = 8;
    public static final int CLIP_RECTANGLES = 8;

    /// Parts of methods that say from where to where.
    public static final BitField MINIMUM = bits(15, 0);

    public static final BitField MAXIMUM = bits(31, 16);

    /// Parts of methods that say from where how far.
    public static final BitField START = bits(15, 0);

    public static final BitField EXTENT = bits(31, 16);

    /// Four floats, or integers for a target of integers.
    public static final int CLEAR_COLOR = 0x0d80;

    public static final int CLEAR_DEPTH = 0x0d90;
    public static final int CLEAR_STENCIL = 0x0da0;

    public static final int SCISSOR_ENABLE = 0x0e00;
    public static final int SCISSOR_HORIZONTAL = 0x0e04;
    public static final int SCISSOR_VERTICAL = 0x0e08;

    public static final int ZETA_ADDRESS_HIGH = 0x0fe0;
    public static final int ZETA_ADDRESS_LOW = 0x0fe4;

    /// A code of [ZetaFormat].
    public static final int ZETA_FORMAT = 0x0fe8;

    public static final int ZETA_TILE_MODE = 0x0fec;
    public static final int ZETA_LAYER_STRIDE = 0x0ff0;

    /// Start and extent of what can be drawn to; always in force.
    public static final int SCREEN_SCISSOR_HORIZONTAL = 0x0ff4;

    public static final int SCREEN_SCISSOR_VERTICAL = 0x0ff8;

    /// Which other limits a clear respects.
    public static final int CLEAR_FLAGS = 0x10f8;

    public static final BitField CLEAR_FLAGS_STENCIL_MASK = bit(0);
    public static final BitField CLEAR_FLAGS_SCISSOR = bit(8);
    public static final BitField CLEAR_FLAGS_VIEWPORT = bit(12);

    public static final int ZETA_HORIZONTAL = 0x1228;
    public static final int ZETA_VERTICAL = 0x122c;
    public static final int ZETA_ARRAY_MODE = 0x1230;

    public static final int STENCIL_MASK = 0x139c;

    public static final int ZETA_ENABLE = 0x1538;

    /// Address of the query that decides whether anything is drawn, a multiple of 16.
    public static final int CONDITION_ADDRESS_HIGH = 0x1550;

    public static final int CONDITION_ADDRESS_LOW = 0x1554;
    public static final int CONDITION_MODE = 0x1558;
    public static final int CONDITION_NEVER = 0;
    public static final int CONDITION_ALWAYS = 1;

    /// The query's result is not 0.
    public static final int CONDITION_NON_ZERO = 2;

    /// Value and result of two queries, one behind the other, are the same.
    public static final int CONDITION_EQUAL = 3;

    public static final int CONDITION_NOT_EQUAL = 4;

    /// Into how many samples a pixel is cut: [#samplesX] and [#samplesY].
    public static final int MULTISAMPLE_MODE = 0x15d0;

    /// Ends what a driver draws with one begin.
    public static final int VERTEX_END = 0x1614;

    public static final int ZETA_BASE_LAYER = 0x179c;

    public static final int CLIP_RECTANGLES_ENABLE = 0x194c;
    public static final int CLIP_RECTANGLES_MODE = 0x1950;

    /// What lies in at least one rectangle is drawn.
    public static final int CLIP_INSIDE_ANY = 0;

    /// What lies in none is drawn.
    public static final int CLIP_OUTSIDE_ALL = 1;

    /// Clears.
    public static final int CLEAR_BUFFERS = 0x19d0;

    public static final BitField CLEAR_BUFFERS_DEPTH = bit(0);
    public static final BitField CLEAR_BUFFERS_STENCIL = bit(1);

    /// Red, green, blue, alpha from the lowest bit on.
    public static final BitField CLEAR_BUFFERS_COLOR = bits(5, 2);

    public static final BitField CLEAR_BUFFERS_RT = bits(9, 6);
    public static final BitField CLEAR_BUFFERS_LAYER = bits(20, 10);

    /// Binds a constant buffer to a stage: five methods at a distance.
    public static final int CONSTANT_BIND = 0x2410;

    public static final int CONSTANT_BIND_STRIDE = 0x20;
    public static final int STAGES = 5;

    private static final int NO_MODE = -1;

    /// For each multisample mode, the logarithms of samples in x (low half) and in y.
    private static final int[] SAMPLE_SHIFTS = {
        0x00, 0x01, 0x11, 0x12, 0x12, 0x01, 0x22, NO_MODE, 0x11, 0x11, 0x12, 0x12
    };

    private static final BitField SHIFT_X = bits(3, 0);
    private static final BitField SHIFT_Y = bits(7, 4);

    private ThreedClass() {}

    /// A method of a render target.
    ///
    /// @param index below [#RENDER_TARGETS]
    /// @param offset of the method in the target's, [#RT_FORMAT] for instance
    public static int rt(int index, int offset) {
        return RT + index * RT_STRIDE + offset;
    }

    /// Whether a multisample mode is one of the hardware's.
    public static boolean isMultisampleMode(int mode) {
        return mode >= 0 && mode < SAMPLE_SHIFTS.length && SAMPLE_SHIFTS[mode] != NO_MODE;
    }

    /// Logarithm of the samples that lie side by side in a pixel of a multisample mode.
    public static int samplesX(int mode) {
        return SHIFT_X.get(SAMPLE_SHIFTS[mode]);
    }

    /// Logarithm of the samples that lie above each other.
    public static int samplesY(int mode) {
        return SHIFT_Y.get(SAMPLE_SHIFTS[mode]);
    }
}
