package io.gpuvm.cuda.service;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinException;
import io.gpuvm.gf100.cubin.ElfClass;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// Modules that sessions of one virtual machine have loaded, by SHA-256 of their images. The cache
/// computes the hashes, of bytes that no client can change. Any thread.
public final class ModuleCache {
    private static final float LOAD_FACTOR = 0.75f;
    private static final int FIRST_CAPACITY = 16;

    private record Entry(Cubin cubin, long bytes) {}

    private final long maxBytes;

    /// Entries in the order of their last use.
    private final Map<String, Entry> entries =
            new LinkedHashMap<>(FIRST_CAPACITY, LOAD_FACTOR, true);

    private long bytes;

    /// @param maxBytes maximum memory of the modules, after decompression; the cache removes the
    ///   modules that were used least recently
    public ModuleCache(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// Returns the module with a hash, or null.
    ///
    /// @param hash SHA-256 of the image, 32 bytes
    Cubin find(byte[] hash) {
        synchronized (entries) {
            Entry entry = entries.get(HexFormat.of().formatHex(hash));
            return entry == null ? null : entry.cubin;
        }
    }

    /// Reads a module, and adds it.
    ///
    /// @param image cubin or fatbin, which no other thread changes
    /// @param hash SHA-256 of the image according to the client
    /// @throws CubinException if the file is not a module for this GPU
    /// @throws CudaCallException [CudaResult#INVALID_VALUE] if the image has another hash,
    ///   [CudaResult#INVALID_IMAGE] if the module has pointers of 32 bits
    Cubin read(byte[] image, byte[] hash) {
        byte[] computed = sha256(image);
        if (!MessageDigest.isEqual(computed, hash)) {
            throw new CudaCallException(
                    CudaResult.INVALID_VALUE,
                    "image hash=%s, expected=%s"
                            .formatted(
                                    HexFormat.of().formatHex(hash),
                                    HexFormat.of().formatHex(computed)));
        }
        byte[] elf = Cubin.elf(image);
        Cubin cubin = Cubin.read(elf);
        if (cubin.width() != ElfClass.ELF64) {
            throw new CudaCallException(
                    CudaResult.INVALID_IMAGE, "module: bits of pointers=32, expected=64");
        }
        add(HexFormat.of().formatHex(hash), new Entry(cubin, bytesOf(cubin, elf.length)));
        return cubin;
    }

    /// Returns an estimate of the memory of a module.
    ///
    /// @param elfBytes length of the file, after decompression
    static long bytesOf(Cubin cubin, int elfBytes) {
        return elfBytes + ModuleParts.bytesOf(cubin);
    }

    private void add(String hash, Entry added) {
        if (added.bytes > maxBytes) {
            return;
        }
        synchronized (entries) {
            Entry previous = entries.put(hash, added);
            bytes += added.bytes - (previous == null ? 0 : previous.bytes);
            for (Iterator<Entry> i = entries.values().iterator(); bytes > maxBytes; ) {
                bytes -= i.next().bytes;
                i.remove();
            }
        }
    }

    private static byte[] sha256(byte[] image) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(image);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
