package io.gpuvm.ptx.cache;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinException;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Compiler that keeps its results in a folder of the user. Without access to this folder, it
/// compiles each source again. Any thread.
public final class CachedCompiler {
    /// Maximum size of all files of a user's cache in bytes.
    public static final long USER_BYTES = 256L << 20;

    private static final String OWN_FOLDER = "GPUVM_PTX_CACHE";
    private static final String CACHE_HOME = "XDG_CACHE_HOME";

    private final CubinCache cache;

    /// Version of the compiler; null until it is needed.
    private volatile byte[] version;

    /// @param folder folder of the cache, for one user and one program's trust: whoever writes to
    ///   it decides on the code
    /// @param maxBytes maximum number of bytes of all files
    public CachedCompiler(Path folder, long maxBytes) {
        cache = new CubinCache(folder, maxBytes);
    }

    /// Returns the compiler with the cache of this process's user.
    public static CachedCompiler ofUser() {
        return new CachedCompiler(
                folder(System.getenv(), System.getProperty("user.home")), USER_BYTES);
    }

    /// Returns the folder of a user: `$GPUVM_PTX_CACHE`, else `gpuvm/ptx` in `$XDG_CACHE_HOME`,
    /// else `gpuvm/ptx` in `.cache` of the user's home. Variables without an absolute path have no
    /// effect, as the XDG Base Directory Specification requires.
    static Path folder(Map<String, String> environment, String home) {
        String own = environment.getOrDefault(OWN_FOLDER, "");
        if (own.startsWith("/")) {
            return Path.of(own);
        }
        String given = environment.getOrDefault(CACHE_HOME, "");
        Path caches = given.startsWith("/") ? Path.of(given) : Path.of(home, ".cache");
        return caches.resolve("gpuvm").resolve("ptx");
    }

    /// Compiles a module as [PtxCompiler#compile(String, PtxOptions)] does, or takes it from the
    /// cache. A result from the cache has neither warnings nor resources.
    public PtxResult compile(String source, PtxOptions options) {
        CacheKey key = key(source, options);
        Cubin known = key == null ? null : find(key);
        if (known != null) {
            return new PtxResult(known, List.of(), List.of(), null);
        }
        PtxResult result = PtxCompiler.compile(source, options);
        if (key != null && result.isCompiled()) {
            add(key, result.cubin());
        }
        return result;
    }

    /// Returns the key, or null if the version of the compiler is unknown.
    private CacheKey key(String source, PtxOptions options) {
        try {
            if (version == null) {
                version = CompilerVersion.read();
            }
            return CacheKey.of(version, source, options);
        } catch (IOException _) {
            return null;
        }
    }

    private Cubin find(CacheKey key) {
        try {
            byte[] cubin = cache.find(key);
            return cubin == null ? null : Cubin.read(cubin);
        } catch (IOException | UnsupportedOperationException | CubinException _) {
            return null;
        }
    }

    private void add(CacheKey key, Cubin cubin) {
        try {
            cache.add(key, cubin.toBytes());
        } catch (IOException | UnsupportedOperationException _) {
            // The cache only saves time.
        }
    }
}
