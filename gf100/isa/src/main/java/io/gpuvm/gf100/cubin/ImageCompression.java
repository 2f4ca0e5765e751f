package io.gpuvm.gf100.cubin;

import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.zstd.ZstdDecompressor;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/// Method by which nvcc compresses an image in a fatbin.
enum ImageCompression {
    /// A block of LZ4 without a frame: nvcc of CUDA 7 to 11.
    LZ4(0x2000, Lz4Decompressor::new),
    /// Frames of Zstandard: newer nvcc.
    ZSTD(0x8000, ZstdDecompressor::new);

    private final long flag;
    private final Supplier<Decompressor> decompressor;

    ImageCompression(long flag, Supplier<Decompressor> decompressor) {
        this.flag = flag;
        this.decompressor = decompressor;
    }

    /// Returns the method that a flag denotes, or null if the flag is unknown.
    static ImageCompression of(long flag) {
        return Arrays.stream(values())
                .filter(method -> method.flag == flag)
                .findFirst()
                .orElse(null);
    }

    /// Returns the known methods and their flags, for messages.
    static String known() {
        List<String> all =
                Arrays.stream(values())
                        .map(method -> "%s (%#x)".formatted(method, method.flag))
                        .toList();
        return String.join(" or ", all);
    }

    /// Decompresses an image.
    ///
    /// @param bytes length of the image according to the file
    /// @throws CubinException if the data is damaged, or does not have this length
    byte[] decompress(FileBytes compressed, int bytes) {
        byte[] input = compressed.segment().toArray(ValueLayout.JAVA_BYTE);
        byte[] image = new byte[bytes];
        int written;
        try {
            written = decompressor.get().decompress(input, 0, input.length, image, 0, bytes);
        } catch (RuntimeException e) {
            // The library documents one exception for damaged input; its bounds checks throw
            // others.
            throw new CubinException(
                    "%s: %s data is damaged, compressed bytes=%d, uncompressed bytes=%d: %s"
                            .formatted(
                                    compressed.name(), this, input.length, bytes, e.getMessage()));
        }
        if (written != bytes) {
            throw new CubinException(
                    "%s: uncompressed bytes=%d, expected=%d"
                            .formatted(compressed.name(), written, bytes));
        }
        return image;
    }
}
