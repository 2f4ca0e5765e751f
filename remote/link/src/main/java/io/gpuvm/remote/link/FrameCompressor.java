package io.gpuvm.remote.link;

import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Compression of the payloads of frames by LZ4, for all links of a loop. Confined to the loop's
/// thread.
///
/// A compressed payload has the length of the plain one (u32), a reserved u32, and one LZ4 block.
final class FrameCompressor {
    /// Bytes before the LZ4 block.
    static final int HEADER_BYTES = 8;

    /// Result of [#compress] for a payload that does not compress.
    static final int INCOMPRESSIBLE = 0;

    /// Minimum length of a payload that is compressed: shorter ones save less than a packet.
    static final int FEWEST_BYTES = 8 * 1024;

    /// Length of the sample from the middle of the longer part, whose compression decides on the
    /// payload.
    private static final int SAMPLE_BYTES = 2 * 1024;

    /// A result is used if the plain length is at least this multiple. Data that compresses less
    /// also compresses slowly: LZ4 then takes longer than TLS, and longer than a line of a few
    /// Gbit/s.
    private static final int FACTOR = 2;

    private final Lz4Compressor compressor = new Lz4Compressor();
    private final Lz4Decompressor decompressor = new Lz4Decompressor();
    private final byte[] plain = new byte[Wire.MOST_PAYLOAD];
    private final byte[] packed = new byte[compressor.maxCompressedLength(Wire.MOST_PAYLOAD)];
    private final MemorySegment plainSegment = MemorySegment.ofArray(plain);
    private final MemorySegment packedSegment = MemorySegment.ofArray(packed);

    /// Compresses a payload that consists of two parts.
    ///
    /// @return length of the LZ4 block in [#block()], or [#INCOMPRESSIBLE]
    int compress(
            MemorySegment first,
            long firstOffset,
            long firstBytes,
            MemorySegment second,
            long secondOffset,
            long secondBytes) {
        int bytes = (int) (firstBytes + secondBytes);
        if (bytes < FEWEST_BYTES) {
            return INCOMPRESSIBLE;
        }
        boolean isFirst = firstBytes > secondBytes;
        long middle =
                isFirst
                        ? firstOffset + (firstBytes - SAMPLE_BYTES) / 2
                        : secondOffset + (secondBytes - SAMPLE_BYTES) / 2;
        MemorySegment.copy(isFirst ? first : second, middle, plainSegment, 0, SAMPLE_BYTES);
        if (compressPlain(SAMPLE_BYTES) == INCOMPRESSIBLE) {
            return INCOMPRESSIBLE;
        }
        MemorySegment.copy(first, firstOffset, plainSegment, 0, firstBytes);
        MemorySegment.copy(second, secondOffset, plainSegment, firstBytes, secondBytes);
        return compressPlain(bytes);
    }

    /// Returns the memory with the result of [#compress].
    MemorySegment block() {
        return packedSegment;
    }

    /// Restores a payload.
    ///
    /// @param from native memory with an LZ4 block
    /// @param offset offset of the block
    /// @param bytes length of the block
    /// @param to native memory for the payload, with [Wire#MOST_PAYLOAD] bytes
    /// @param plainBytes length of the payload, at most [Wire#MOST_PAYLOAD]
    /// @throws ProtocolException if the block is invalid, or its content has another length
    void decompress(NativeBytes from, long offset, long bytes, NativeBytes to, int plainBytes)
            throws ProtocolException {
        ByteBuffer out = to.range(0, plainBytes);
        try {
            decompressor.decompress(from.range(offset, bytes), out);
        } catch (RuntimeException e) {
            throw new ProtocolException("compressed frame: invalid LZ4 block: " + e.getMessage());
        }
        if (out.position() != plainBytes) {
            throw new ProtocolException(
                    "compressed frame: content bytes=%d, expected=%d"
                            .formatted(out.position(), plainBytes));
        }
    }

    /// Compresses the beginning of [#plain].
    private int compressPlain(int bytes) {
        int got = compressor.compress(plain, 0, bytes, packed, 0, packed.length);
        return got + HEADER_BYTES <= bytes / FACTOR ? got : INCOMPRESSIBLE;
    }
}
