package io.gpuvm.cuda.service;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// Responses to the successful requests of one virtual machine to compile and link modules, by the
/// SHA-256 of the requests. In memory only, so that virtual machines share no files. Confined to
/// the thread of the links.
final class LinkCache {
    private static final float LOAD_FACTOR = 0.75f;
    private static final int FIRST_CAPACITY = 16;

    /// Estimate of the memory of a response's key and entry.
    static final int BYTES_OF_ENTRY = 256;

    private final long maxBytes;

    /// Responses in the order of their last use.
    private final Map<String, byte[]> responses =
            new LinkedHashMap<>(FIRST_CAPACITY, LOAD_FACTOR, true);

    private long bytes;

    /// @param maxBytes maximum memory of the responses; those that were used least recently are
    ///   removed
    LinkCache(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// Returns the key of a request.
    static String keyOf(byte[] request) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(request);
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /// Returns the response to a request, or null.
    byte[] find(String key) {
        return responses.get(key);
    }

    /// Adds a response, unless it is longer than the limit.
    void add(String key, byte[] response) {
        if (bytesOf(response) > maxBytes) {
            return;
        }
        byte[] previous = responses.put(key, response);
        bytes += bytesOf(response) - (previous == null ? 0 : bytesOf(previous));
        for (Iterator<byte[]> i = responses.values().iterator(); bytes > maxBytes; ) {
            bytes -= bytesOf(i.next());
            i.remove();
        }
    }

    private static long bytesOf(byte[] response) {
        return response.length + (long) BYTES_OF_ENTRY;
    }
}
