package io.gpuvm.gf100.classes;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// Positions of the fields of a texture header, the eight words that describe a texture. Contains
/// only the fields of textures in linear memory, which [LinearTexture] interprets.
///
/// Sources: envytools `rnndb/graph/g80_texture.xml`, domain TIC, and `rnndb/g80_defs.xml`; Mesa
/// `nvc0_tex.c`.
public final class TextureHeader {
    public static final int WORDS = 8;
    public static final int BYTES = WORDS * Integer.BYTES;

    static final int FORMAT_WORD = 0;
    static final BitField LAYOUT = bits(5, 0);

    /// Types of channels R, G, B, A.
    static final BitField[] TYPES = {bits(8, 6), bits(11, 9), bits(14, 12), bits(17, 15)};

    /// Sources of components x, y, z, w.
    static final BitField[] SOURCES = {bits(20, 18), bits(23, 21), bits(26, 24), bits(29, 27)};

    static final int ADDRESS_LOW_WORD = 1;

    static final int SHAPE_WORD = 2;
    static final BitField ADDRESS_HIGH = bits(7, 0);
    static final BitField SRGB = bit(10);
    static final BitField SHAPE = bits(17, 14);
    static final int SHAPE_BUFFER = 6;
    static final BitField LINEAR = bit(18);

    static final int WIDTH_WORD = 4;

    /// Number of texels in a line.
    static final BitField WIDTH = bits(29, 0);

    private TextureHeader() {}
}
