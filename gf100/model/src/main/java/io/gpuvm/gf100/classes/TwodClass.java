package io.gpuvm.gf100.classes;

import io.gpuvm.gf100.reg.BitField;
import java.util.List;

/// Class 902d, 2D: the interpreted methods, and the list of all methods.
///
/// Sources: envytools `rnndb/graph/g80_2d.xml`; Mesa `nvc0_surface.c`.
public final class TwodClass {
    /// All methods of the class on a GF100, except those of [MacroMethods].
    public static final List<MethodRange> ALL =
            List.of(
                    MethodRange.of(0x0100, 0x0110),
                    MethodRange.one(0x0124),
                    MethodRange.of(0x0130, 0x0140),
                    MethodRange.of(0x0150, 0x0154),
                    MethodRange.of(0x0200, 0x054c),
                    MethodRange.of(0x0580, 0x058c),
                    MethodRange.one(0x05e0),
                    MethodRange.of(0x0600, 0x081c),
                    MethodRange.of(0x0838, 0x0860),
                    MethodRange.one(0x0870),
                    MethodRange.of(0x0880, 0x088c),
                    MethodRange.of(0x08b0, 0x095c),
                    MethodRange.of(0x3400, 0x35fc));

    /// First method of the destination surface. [#FORMAT] to [#ADDRESS_LOW] are offsets from this
    /// method and from [#SOURCE].
    public static final int TARGET = 0x0200;

    /// First method of the source surface.
    public static final int SOURCE = 0x0230;

    /// Code of a [ColorFormat].
    public static final int FORMAT = 0x00;

    public static final int LINEAR = 0x04;

    /// Tile mode; see [BlockLinear].
    public static final int TILE_MODE = 0x08;

    /// Layer of a block-linear target.
    public static final int LAYER = 0x10;

    public static final int PITCH = 0x14;

    /// Width in pixels, at most [#MAX_SIZE].
    public static final int WIDTH = 0x18;

    public static final int HEIGHT = 0x1c;
    public static final int MAX_SIZE = 0x10000;
    public static final int ADDRESS_HIGH = 0x20;
    public static final int ADDRESS_LOW = 0x24;

    public static final int CONDITION_ADDRESS_HIGH = 0x0264;
    public static final int CONDITION_ADDRESS_LOW = 0x0268;
    public static final int CONDITION_MODE = 0x026c;

    public static final int CLIP_X = 0x0280;
    public static final int CLIP_Y = 0x0284;
    public static final int CLIP_WIDTH = 0x0288;
    public static final int CLIP_HEIGHT = 0x028c;
    public static final int CLIP_ENABLE = 0x0290;
    public static final int COLOR_KEY_ENABLE = 0x029c;

    /// Factors of [#OPERATION_COPY_MULTIPLIED], one byte each: blue, green, red, alpha, from the
    /// lowest byte upwards.
    public static final int BETA4 = 0x02a8;

    public static final BitField BETA4_BLUE = BitField.bits(7, 0);
    public static final BitField BETA4_GREEN = BitField.bits(15, 8);
    public static final BitField BETA4_RED = BitField.bits(23, 16);
    public static final BitField BETA4_ALPHA = BitField.bits(31, 24);

    public static final int OPERATION = 0x02ac;
    public static final int OPERATION_COPY = 3;
    public static final int OPERATION_COPY_MULTIPLIED = 5;

    /// First of the ignored methods, which draw shapes from their corners, and images from the push
    /// buffer.
    public static final int SHAPE_POINT = 0x05e0;

    public static final int SHAPE_FIRST = 0x0600;
    public static final int SHAPE_LAST = 0x07fc;
    public static final int IMAGE_FIRST = 0x0838;
    public static final int IMAGE_LAST = 0x0860;

    public static final int BLIT_CONTROL = 0x088c;
    public static final BitField BLIT_CONTROL_BILINEAR = BitField.bit(4);

    public static final int BLIT_TARGET_X = 0x08b0;
    public static final int BLIT_TARGET_Y = 0x08b4;
    public static final int BLIT_WIDTH = 0x08b8;
    public static final int BLIT_HEIGHT = 0x08bc;

    /// Step in the source for each target pixel: the fraction in units of 2^-32, then whole pixels.
    public static final int BLIT_STEP_X_FRACTION = 0x08c0;

    public static final int BLIT_STEP_X = 0x08c4;
    public static final int BLIT_STEP_Y_FRACTION = 0x08c8;
    public static final int BLIT_STEP_Y = 0x08cc;

    /// Start of the source: the fraction in units of 2^-32, then whole pixels.
    public static final int BLIT_SOURCE_X_FRACTION = 0x08d0;

    public static final int BLIT_SOURCE_X = 0x08d4;
    public static final int BLIT_SOURCE_Y_FRACTION = 0x08d8;

    /// Starts the blit.
    public static final int BLIT_SOURCE_Y = 0x08dc;

    private TwodClass() {}
}
