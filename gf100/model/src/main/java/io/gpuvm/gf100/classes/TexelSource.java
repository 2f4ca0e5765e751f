package io.gpuvm.gf100.classes;

/// Source of a component of a fetched texel: a stored channel, or a constant.
///
/// Source: envytools `rnndb/g80_defs.xml`, G80_TIC_SOURCE.
public enum TexelSource {
    ZERO(0, -1, 0),
    R(2, 0, 0),
    G(3, 1, 0),
    B(4, 2, 0),
    A(5, 3, 0),
    ONE_INTEGER(6, -1, 1),
    ONE_FLOAT(7, -1, Float.floatToRawIntBits(1));

    private final int code;
    private final int channel;
    private final int constant;

    TexelSource(int code, int channel, int constant) {
        this.code = code;
        this.channel = channel;
        this.constant = constant;
    }

    /// Returns the source with the given code, or null if the code is unknown.
    static TexelSource of(int code) {
        for (TexelSource source : values()) {
            if (source.code == code) {
                return source;
            }
        }
        return null;
    }

    /// Returns the source for a channel.
    ///
    /// @param channel number of the channel, from 0
    static TexelSource ofChannel(int channel) {
        return values()[R.ordinal() + channel];
    }

    int code() {
        return code;
    }

    /// Returns the number of the channel, where red is 0; -1 for a constant.
    public int channel() {
        return channel;
    }

    /// Returns the register value for a constant; 0 for channels.
    public int constant() {
        return constant;
    }
}
