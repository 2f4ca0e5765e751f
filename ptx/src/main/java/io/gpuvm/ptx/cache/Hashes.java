package io.gpuvm.ptx.cache;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// Hash function of the cache.
final class Hashes {
    /// Length of a hash in bytes.
    static final int BYTES = 32;

    private Hashes() {}

    /// Returns a new computation of SHA-256.
    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
