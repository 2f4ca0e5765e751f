package io.gpuvm.gf100.cubin;

import java.lang.foreign.ValueLayout;

/// Entry of a [Fatbin]: an image of the module for one architecture.
///
/// ```text
///   kind 16, ... 16, bytes of the header 32, bytes of the payload 64,
///   compressed bytes 32, ... 64, architecture 32,
///   ... 64, flags 64,
///   ... 64, uncompressed bytes 64; then the payload, padded to a multiple of 8 bytes
/// ```
///
/// Sources: jiegec/fatbinary and n-eiling/cuda-fatbin-decompression for the fields, vosen/ZLUDA for
/// the flag of zstd.
///
/// @param kind [#PTX], [#CUBIN] or another kind, which is ignored
/// @param architecture 20 for sm_20 or compute_20
/// @param flags bits that describe the payload
/// @param header header of the entry
/// @param payload image, possibly compressed
record FatbinEntry(int kind, long architecture, long flags, FileBytes header, FileBytes payload) {
    static final int PTX = 1;
    static final int CUBIN = 2;

    /// Maximum size of an image in bytes, which bounds the memory that a compressed file can
    /// occupy.
    static final int MAX_IMAGE_BYTES = 32 << 20;

    static final int HEADER_SIZE = 4;
    static final int SIZE = 8;
    private static final int COMPRESSED_SIZE = 16;
    static final int ARCHITECTURE = 28;
    static final int FLAGS = 40;
    private static final int UNCOMPRESSED_SIZE = 56;

    /// Minimum size of a header in bytes.
    private static final int HEADER_BYTES = 48;

    /// Size of a header with all fields, in bytes.
    static final int WHOLE_HEADER_BYTES = 64;

    private static final long FLAGS_COMPRESSED = 0xf000;

    /// Reads the entry at an offset.
    ///
    /// @param entries all entries of the file
    static FatbinEntry read(FileBytes entries, long at) {
        String name = "fatbin entry at " + at;
        FileBytes fixed = entries.slice(name, at, HEADER_BYTES);
        long headerBytes = fixed.u32(HEADER_SIZE);
        if (headerBytes < HEADER_BYTES) {
            throw CubinException.at(name, "header bytes", headerBytes, "at least " + HEADER_BYTES);
        }
        return new FatbinEntry(
                fixed.u16(0),
                fixed.u32(ARCHITECTURE),
                fixed.u63(FLAGS),
                entries.slice(name, at, headerBytes),
                entries.slice(name, at + headerBytes, fixed.u63(SIZE)));
    }

    /// Returns the total length in bytes.
    long bytes() {
        return header.bytes() + payload.bytes();
    }

    /// Returns the image.
    ///
    /// @throws CubinException if the image is too large, damaged, or compressed by an unknown
    ///   method
    byte[] image() {
        if ((flags & FLAGS_COMPRESSED) == 0) {
            return checked(payload).segment().toArray(ValueLayout.JAVA_BYTE);
        }
        ImageCompression method = ImageCompression.of(flags & FLAGS_COMPRESSED);
        if (method == null) {
            throw new CubinException(
                    "fatbin: %s has compression=%#x, expected %s"
                            .formatted(this, flags & FLAGS_COMPRESSED, ImageCompression.known()));
        }
        long bytes = header.u63(UNCOMPRESSED_SIZE);
        if (bytes > MAX_IMAGE_BYTES) {
            throw CubinException.at(header.name(), "uncompressed bytes", bytes, MAX_IMAGE_BYTES);
        }
        FileBytes compressed = payload.slice(header.name(), 0, header.u32(COMPRESSED_SIZE));
        return method.decompress(checked(compressed), (int) bytes);
    }

    private static FileBytes checked(FileBytes image) {
        if (image.bytes() > MAX_IMAGE_BYTES) {
            throw CubinException.at(image.name(), "bytes", image.bytes(), MAX_IMAGE_BYTES);
        }
        return image;
    }

    /// Returns the name of the image in messages: `sm_35`, or `PTX for sm_50`.
    @Override
    public String toString() {
        return (kind == PTX ? "PTX for sm_" : "sm_") + architecture;
    }
}
