package io.gpuvm.ptx.cache;

import io.gpuvm.ptx.PtxOptions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/// Name of an entry of the cache: a hash of everything that determines the code.
///
/// @param name 64 hexadecimal digits
record CacheKey(String name) {
    /// @param compiler version of the compiler
    static CacheKey of(byte[] compiler, String source, PtxOptions options) {
        MessageDigest digest = Hashes.sha256();
        digest.update(compiler);
        digest.update((byte) options.maxRegisters());
        digest.update((byte) (options.optimize() ? 1 : 0));
        digest.update(source.getBytes(StandardCharsets.UTF_8));
        return new CacheKey(HexFormat.of().formatHex(digest.digest()));
    }
}
