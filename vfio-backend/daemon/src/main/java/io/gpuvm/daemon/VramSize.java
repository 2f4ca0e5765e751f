package io.gpuvm.daemon;

import io.gpuvm.gf100.unit.Board;
import io.gpuvm.gf100.unit.ByteSize;

/// Requested size of a virtual machine's VRAM: a number of bytes, a percentage of the GPU's VRAM,
/// or [#EQUAL_PART].
///
/// @param bytes size in bytes ([Board#mibOf]); 0 if it is not requested in bytes
/// @param percent percentage, 1 to 100; 0 if it is not requested as a percentage
public record VramSize(long bytes, int percent) {
    /// An equal part of the VRAM that remains after all requested sizes.
    public static final VramSize EQUAL_PART = new VramSize(0, 0);

    private static final String PERCENT = "%";
    private static final int ALL = 100;
    private static final long MIB = 1L << 20;

    public VramSize {
        if (percent < 0 || percent > ALL) {
            throw new IllegalArgumentException("vram=%d%%, expected 1 to 100".formatted(percent));
        }
        if (bytes != 0) {
            Board.mibOf(bytes);
        }
    }

    /// Returns a size in bytes.
    static VramSize ofBytes(long bytes) {
        return new VramSize(bytes, 0);
    }

    /// Parses `256M` or `25%`.
    ///
    /// @throws IllegalArgumentException if the text is neither, or if the size is out of range
    static VramSize parse(String text) {
        if (!text.endsWith(PERCENT)) {
            return ofBytes(ByteSize.parse("vram", text));
        }
        String number = text.substring(0, text.length() - PERCENT.length());
        try {
            int percent = Integer.parseInt(number);
            if (percent > 0) {
                return new VramSize(0, percent);
            }
        } catch (NumberFormatException _) {
            // The message below names the value.
        }
        throw new IllegalArgumentException("vram=%s, expected 1%% to 100%%".formatted(text));
    }

    boolean isEqualPart() {
        return equals(EQUAL_PART);
    }

    /// Returns the size in bytes on a GPU, in whole MiB; 0 for [#EQUAL_PART].
    ///
    /// @param gpuBytes size of the GPU's VRAM
    /// @throws IllegalArgumentException if the size is out of range
    long of(long gpuBytes) {
        if (percent == 0) {
            return bytes;
        }
        long part = gpuBytes * percent / ALL / MIB * MIB;
        try {
            Board.mibOf(part);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "vram=%s of %d MiB: %s".formatted(this, gpuBytes / MIB, e.getMessage()), e);
        }
        return part;
    }

    /// Returns the size as the option's text.
    @Override
    public String toString() {
        if (percent > 0) {
            return percent + PERCENT;
        }
        return isEqualPart() ? "equal part" : bytes / MIB + "M";
    }
}
