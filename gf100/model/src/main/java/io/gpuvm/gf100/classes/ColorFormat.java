package io.gpuvm.gf100.classes;

import static io.gpuvm.gf100.classes.NumericFormat.FLOAT;
import static io.gpuvm.gf100.classes.NumericFormat.SINT;
import static io.gpuvm.gf100.classes.NumericFormat.SNORM;
import static io.gpuvm.gf100.classes.NumericFormat.SRGB;
import static io.gpuvm.gf100.classes.NumericFormat.UINT;
import static io.gpuvm.gf100.classes.NumericFormat.UNORM;

/// Formats of colour render targets and of 2D surfaces. Components are named from the lowest bit
/// upwards; X denotes unused bits.
///
/// Source: envytools `rnndb/g80_defs.xml`, `G80_SURFACE_FORMAT`, without the formats of unknown
/// layout.
public enum ColorFormat {
    RGBA32_FLOAT(0xc0, FLOAT, "R32 G32 B32 A32"),
    RGBA32_SINT(0xc1, SINT, "R32 G32 B32 A32"),
    RGBA32_UINT(0xc2, UINT, "R32 G32 B32 A32"),
    RGBX32_FLOAT(0xc3, FLOAT, "R32 G32 B32 X32"),
    RGBX32_SINT(0xc4, SINT, "R32 G32 B32 X32"),
    RGBX32_UINT(0xc5, UINT, "R32 G32 B32 X32"),
    RGBA16_UNORM(0xc6, UNORM, "R16 G16 B16 A16"),
    RGBA16_SNORM(0xc7, SNORM, "R16 G16 B16 A16"),
    RGBA16_SINT(0xc8, SINT, "R16 G16 B16 A16"),
    RGBA16_UINT(0xc9, UINT, "R16 G16 B16 A16"),
    RGBA16_FLOAT(0xca, FLOAT, "R16 G16 B16 A16"),
    RG32_FLOAT(0xcb, FLOAT, "R32 G32"),
    RG32_SINT(0xcc, SINT, "R32 G32"),
    RG32_UINT(0xcd, UINT, "R32 G32"),
    RGBX16_FLOAT(0xce, FLOAT, "R16 G16 B16 X16"),
    BGRA8_UNORM(0xcf, UNORM, "B8 G8 R8 A8"),
    BGRA8_SRGB(0xd0, SRGB, "B8 G8 R8 A8"),
    RGB10_A2_UNORM(0xd1, UNORM, "R10 G10 B10 A2"),
    RGB10_A2_UINT(0xd2, UINT, "R10 G10 B10 A2"),
    RGBA8_UNORM(0xd5, UNORM, "R8 G8 B8 A8"),
    RGBA8_SRGB(0xd6, SRGB, "R8 G8 B8 A8"),
    RGBA8_SNORM(0xd7, SNORM, "R8 G8 B8 A8"),
    RGBA8_SINT(0xd8, SINT, "R8 G8 B8 A8"),
    RGBA8_UINT(0xd9, UINT, "R8 G8 B8 A8"),
    RG16_UNORM(0xda, UNORM, "R16 G16"),
    RG16_SNORM(0xdb, SNORM, "R16 G16"),
    RG16_SINT(0xdc, SINT, "R16 G16"),
    RG16_UINT(0xdd, UINT, "R16 G16"),
    RG16_FLOAT(0xde, FLOAT, "R16 G16"),
    BGR10_A2_UNORM(0xdf, UNORM, "B10 G10 R10 A2"),
    R11G11B10_FLOAT(0xe0, FLOAT, "R11 G11 B10"),
    R32_SINT(0xe3, SINT, "R32"),
    R32_UINT(0xe4, UINT, "R32"),
    R32_FLOAT(0xe5, FLOAT, "R32"),
    BGRX8_UNORM(0xe6, UNORM, "B8 G8 R8 X8"),
    BGRX8_SRGB(0xe7, SRGB, "B8 G8 R8 X8"),
    B5G6R5_UNORM(0xe8, UNORM, "B5 G6 R5"),
    BGR5_A1_UNORM(0xe9, UNORM, "B5 G5 R5 A1"),
    RG8_UNORM(0xea, UNORM, "R8 G8"),
    RG8_SNORM(0xeb, SNORM, "R8 G8"),
    RG8_SINT(0xec, SINT, "R8 G8"),
    RG8_UINT(0xed, UINT, "R8 G8"),
    R16_UNORM(0xee, UNORM, "R16"),
    R16_SNORM(0xef, SNORM, "R16"),
    R16_SINT(0xf0, SINT, "R16"),
    R16_UINT(0xf1, UINT, "R16"),
    R16_FLOAT(0xf2, FLOAT, "R16"),
    R8_UNORM(0xf3, UNORM, "R8"),
    R8_SNORM(0xf4, SNORM, "R8"),
    R8_SINT(0xf5, SINT, "R8"),
    R8_UINT(0xf6, UINT, "R8"),
    A8_UNORM(0xf7, UNORM, "A8"),
    BGR5_X1_UNORM(0xf8, UNORM, "B5 G5 R5 X1"),
    RGBX8_UNORM(0xf9, UNORM, "R8 G8 B8 X8"),
    RGBX8_SRGB(0xfa, SRGB, "R8 G8 B8 X8");

    private static final int CODES = 0x100;
    private static final ColorFormat[] BY_CODE = new ColorFormat[CODES];

    static {
        for (ColorFormat format : values()) {
            BY_CODE[format.code] = format;
        }
    }

    private final int code;
    private final PixelLayout layout;

    ColorFormat(int code, NumericFormat encoding, String channels) {
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
    public static ColorFormat of(int code) {
        return code >= 0 && code < CODES ? BY_CODE[code] : null;
    }
}
