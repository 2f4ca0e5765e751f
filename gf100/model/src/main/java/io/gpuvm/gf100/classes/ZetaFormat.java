package io.gpuvm.gf100.classes;

import static io.gpuvm.gf100.classes.NumericFormat.FLOAT;
import static io.gpuvm.gf100.classes.NumericFormat.UNORM;

/// Formats of depth and stencil buffers. Components are named from the lowest bit upwards; X and C
/// (coverage) denote ignored bits.
///
/// Source: envytools `rnndb/g80_defs.xml`, `G80_ZETA_FORMAT`.
public enum ZetaFormat {
    Z32_FLOAT(0x0a, FLOAT, "Z32"),
    Z16_UNORM(0x13, UNORM, "Z16"),
    S8_Z24_UNORM(0x14, UNORM, "S8 Z24"),
    Z24_X8_UNORM(0x15, UNORM, "Z24 X8"),
    Z24_S8_UNORM(0x16, UNORM, "Z24 S8"),
    Z24_C8_UNORM(0x18, UNORM, "Z24 C8"),
    Z32_S8_X24_FLOAT(0x19, FLOAT, "Z32 S8 X24"),
    Z24_X8_S8_C8_X16_UNORM(0x1d, UNORM, "Z24 X8 S8 C8 X16"),
    Z32_X8_C8_X16_FLOAT(0x1e, FLOAT, "Z32 X8 C8 X16"),
    Z32_S8_C8_X16_FLOAT(0x1f, FLOAT, "Z32 S8 C8 X16");

    private static final ZetaFormat[] ALL = values();

    private final int code;
    private final PixelLayout layout;

    ZetaFormat(int code, NumericFormat encoding, String channels) {
        this.code = code;
        this.layout = new PixelLayout(encoding, channels);
    }

    /// Returns the format's code in the data of methods.
    public int code() {
        return code;
    }

    public PixelLayout layout() {
        return layout;
    }

    /// Returns the format with the given code, or null if the code is unknown.
    public static ZetaFormat of(int code) {
        for (ZetaFormat format : ALL) {
            if (format.code == code) {
                return format;
            }
        }
        return null;
    }
}
