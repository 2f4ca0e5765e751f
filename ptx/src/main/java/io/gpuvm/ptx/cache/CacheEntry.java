package io.gpuvm.ptx.cache;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/// Contents of a file of the cache: a mark, the hash of the cubin, the cubin.
final class CacheEntry {
    private static final byte[] MARK = "gpuvmptx".getBytes(StandardCharsets.US_ASCII);
    private static final int CUBIN = MARK.length + Hashes.BYTES;

    private CacheEntry() {}

    /// Returns the contents of a file.
    static byte[] of(byte[] cubin) {
        return ByteBuffer.allocate(CUBIN + cubin.length)
                .put(MARK)
                .put(Hashes.sha256().digest(cubin))
                .put(cubin)
                .array();
    }

    /// Returns the cubin in a file, or null if the file is damaged.
    static byte[] cubin(byte[] file) {
        if (file.length < CUBIN || !Arrays.equals(file, 0, MARK.length, MARK, 0, MARK.length)) {
            return null;
        }
        byte[] cubin = Arrays.copyOfRange(file, CUBIN, file.length);
        byte[] hash = Arrays.copyOfRange(file, MARK.length, CUBIN);
        return MessageDigest.isEqual(hash, Hashes.sha256().digest(cubin)) ? cubin : null;
    }
}
