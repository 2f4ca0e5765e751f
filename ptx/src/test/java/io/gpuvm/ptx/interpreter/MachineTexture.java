package io.gpuvm.ptx.interpreter;

/// Texture of an interpreted program: texels in global memory that it reads by their index.
///
/// @param address address of the first texel
/// @param texels number of texels; the others read as zeros
/// @param channels number of channels of a texel
/// @param bits size of a channel in bits
public record MachineTexture(long address, int texels, int channels, int bits, Channel channel) {
    /// Contents of a channel.
    public enum Channel {
        SIGNED,
        UNSIGNED,
        /// Number of 16 or 32 bits.
        FLOAT,
        /// Signed fraction of the greatest integer of so many bits.
        SIGNED_FRACTION,
        /// Fraction of the greatest unsigned integer of so many bits.
        FRACTION
    }

    private static final int LAST_COMPONENT = 3;

    /// Returns a component of a texel. The last component is 1 if the texture does not have it.
    int component(MachineMemory memory, int texel, int component) {
        boolean isInteger = channel == Channel.SIGNED || channel == Channel.UNSIGNED;
        if (component >= channels) {
            int one = isInteger ? 1 : Float.floatToRawIntBits(1);
            return component == LAST_COMPONENT ? one : 0;
        }
        if (texel < 0 || texel >= texels) {
            return 0;
        }
        int bytes = bits / Byte.SIZE;
        long at = address - MachineMemory.GLOBAL + ((long) texel * channels + component) * bytes;
        return value(MachineMemory.read(memory.global, at, bytes));
    }

    private int value(long stored) {
        long signed = stored << Long.SIZE - bits >> Long.SIZE - bits;
        return switch (channel) {
            case SIGNED -> (int) signed;
            case UNSIGNED -> (int) stored;
            case FLOAT ->
                    bits == Float.SIZE
                            ? (int) stored
                            : Float.floatToRawIntBits(Float.float16ToFloat((short) stored));
            case SIGNED_FRACTION ->
                    fraction(Math.max(signed, 1 - (1L << bits - 1)), (1L << bits - 1) - 1);
            case FRACTION -> fraction(stored, (1L << bits) - 1);
        };
    }

    private static int fraction(long number, long greatest) {
        return Float.floatToRawIntBits((float) number / greatest);
    }
}
