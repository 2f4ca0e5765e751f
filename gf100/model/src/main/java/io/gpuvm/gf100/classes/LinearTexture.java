package io.gpuvm.gf100.classes;

/// Texture of a single line of texels in linear memory, read by index. Immutable.
///
/// A channel is an integer, a 32- or 16-bit float, or an 8- or 16-bit normalized number
/// ([NumericFormat#UNORM], [NumericFormat#SNORM]).
public final class LinearTexture {
    /// Maximum number of components of a fetch.
    public static final int COMPONENTS = 4;

    /// Maximum number of texels; CUDA's limit for sm_20.
    public static final int MAX_TEXELS = 1 << 27;

    private static final int ADDRESS_BITS = 40;

    /// Types, indexed by their code in the header.
    private static final NumericFormat[] TYPES = {
        null,
        NumericFormat.SNORM,
        NumericFormat.UNORM,
        NumericFormat.SINT,
        NumericFormat.UINT,
        null,
        null,
        NumericFormat.FLOAT
    };

    private final TexelLayout layout;
    private final NumericFormat[] encodings;
    private final TexelSource[] sources;
    private final long gpuVa;
    private final int texels;

    private LinearTexture(
            TexelLayout layout,
            NumericFormat[] encodings,
            TexelSource[] sources,
            long gpuVa,
            int texels) {
        this.layout = layout;
        this.encodings = encodings;
        this.sources = sources;
        this.gpuVa = gpuVa & -layout.bytes();
        this.texels = texels;
    }

    /// Returns a texture whose components are the texel's channels. A component without a channel
    /// reads as 0, except the fourth, which reads as 1.
    ///
    /// @param encoding encoding of every channel
    /// @param gpuVa address of the first texel, a multiple of the texel's size
    /// @param texels number of texels, at most [#MAX_TEXELS]
    /// @throws IllegalArgumentException if the layout does not support the encoding, or the address
    ///   or the number of texels is invalid
    public static LinearTexture of(
            TexelLayout layout, NumericFormat encoding, long gpuVa, long texels) {
        if (!has(layout, encoding)) {
            throw new IllegalArgumentException(
                    "layout=%s, encoding=%s, expected a supported combination"
                            .formatted(layout, encoding));
        }
        if (gpuVa < 0 || gpuVa >> ADDRESS_BITS != 0 || gpuVa % layout.bytes() != 0) {
            throw new IllegalArgumentException(
                    "gpuVa=%#x, expected a multiple of %d below 2^%d"
                            .formatted(gpuVa, layout.bytes(), ADDRESS_BITS));
        }
        if (texels < 0 || texels > MAX_TEXELS) {
            throw new IllegalArgumentException(
                    "texels=%d, expected 0 to %d".formatted(texels, MAX_TEXELS));
        }
        NumericFormat[] encodings = new NumericFormat[COMPONENTS];
        TexelSource[] sources = new TexelSource[COMPONENTS];
        for (int i = 0; i < COMPONENTS; i++) {
            encodings[i] = encoding;
            sources[i] = i < layout.channels() ? TexelSource.ofChannel(i) : TexelSource.ZERO;
        }
        if (layout.channels() < COMPONENTS) {
            sources[COMPONENTS - 1] =
                    encoding.isInteger() ? TexelSource.ONE_INTEGER : TexelSource.ONE_FLOAT;
        }
        return new LinearTexture(layout, encodings, sources, gpuVa, (int) texels);
    }

    /// Returns the texture that a header describes, or null if the header is invalid or describes
    /// another kind of texture.
    ///
    /// @param words the [TextureHeader#WORDS] words of the header
    public static LinearTexture read(int[] words) {
        int format = words[TextureHeader.FORMAT_WORD];
        int shape = words[TextureHeader.SHAPE_WORD];
        TexelLayout layout = TexelLayout.of(TextureHeader.LAYOUT.get(format));
        if (layout == null
                || TextureHeader.SHAPE.get(shape) != TextureHeader.SHAPE_BUFFER
                || !TextureHeader.LINEAR.isSet(shape)
                || TextureHeader.SRGB.isSet(shape)) {
            return null;
        }
        NumericFormat[] encodings = new NumericFormat[COMPONENTS];
        TexelSource[] sources = new TexelSource[COMPONENTS];
        for (int i = 0; i < COMPONENTS; i++) {
            encodings[i] = TYPES[TextureHeader.TYPES[i].get(format)];
            sources[i] = TexelSource.of(TextureHeader.SOURCES[i].get(format));
            if (sources[i] == null || i < layout.channels() && !has(layout, encodings[i])) {
                return null;
            }
        }
        long high = TextureHeader.ADDRESS_HIGH.get(shape);
        long low = Integer.toUnsignedLong(words[TextureHeader.ADDRESS_LOW_WORD]);
        int texels = TextureHeader.WIDTH.get(words[TextureHeader.WIDTH_WORD]);
        return new LinearTexture(layout, encodings, sources, high << Integer.SIZE | low, texels);
    }

    private static boolean has(TexelLayout layout, NumericFormat encoding) {
        return switch (encoding) {
            case UINT, SINT -> true;
            case UNORM, SNORM -> layout.bits() < Integer.SIZE;
            case FLOAT -> layout.bits() > Byte.SIZE;
            case SRGB -> false;
            case null -> false;
        };
    }

    /// Returns the header, [TextureHeader#WORDS] words.
    public int[] words() {
        int format = TextureHeader.LAYOUT.of(layout.code());
        for (int i = 0; i < COMPONENTS; i++) {
            format |= TextureHeader.TYPES[i].of(code(encodings[i]));
            format |= TextureHeader.SOURCES[i].of(sources[i].code());
        }
        int[] words = new int[TextureHeader.WORDS];
        words[TextureHeader.FORMAT_WORD] = format;
        words[TextureHeader.ADDRESS_LOW_WORD] = (int) gpuVa;
        words[TextureHeader.SHAPE_WORD] =
                TextureHeader.ADDRESS_HIGH.of((int) (gpuVa >>> Integer.SIZE))
                        | TextureHeader.SHAPE.of(TextureHeader.SHAPE_BUFFER)
                        | TextureHeader.LINEAR.mask();
        words[TextureHeader.WIDTH_WORD] = TextureHeader.WIDTH.of(texels);
        return words;
    }

    private static int code(NumericFormat encoding) {
        for (int i = 0; i < TYPES.length; i++) {
            if (TYPES[i] == encoding) {
                return i;
            }
        }
        return 0;
    }

    public TexelLayout layout() {
        return layout;
    }

    /// Returns the address of the first texel.
    public long gpuVa() {
        return gpuVa;
    }

    /// Returns the number of texels.
    public int texels() {
        return texels;
    }

    /// Returns the source of a component. A channel that the layout does not have reads as 0.
    ///
    /// @param component below [#COMPONENTS]
    public TexelSource source(int component) {
        return sources[component];
    }

    /// Returns whether the stored bits of a channel are identical to the channel's value.
    public boolean isPlain() {
        return layout.bits() == Integer.SIZE;
    }

    /// Returns the value of a channel: a float or an integer.
    ///
    /// @param channel channel of the layout
    /// @param stored bits of the channel, at bit 0; higher bits are ignored
    public int decode(int channel, int stored) {
        int bits = layout.bits();
        return encodings[channel].decode(stored & (1L << bits) - 1, bits);
    }
}
