package io.gpuvm.gf100.cubin;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Fatbin: container in which nvcc delivers the same module for several architectures, as cubins
/// and as PTX, text for a compiler.
///
/// ```text
///   header   magic 32, version 16, bytes of the header 16, bytes of all entries 64
///   entry    see FatbinEntry
///   entry    ...
/// ```
///
/// Source: jiegec/fatbinary and n-eiling/cuda-fatbin-decompression, which read such files.
final class Fatbin {
    private static final long MAGIC = 0xba55ed50L;
    private static final int HEADER_SIZE = 6;
    private static final int SIZE = 8;

    /// Maximum number of entries, several times the number of architectures.
    private static final int MAX_ENTRIES = 1024;

    private Fatbin() {}

    static boolean isFatbin(byte[] file) {
        return file.length >= Integer.BYTES && bytes(file).u32(0) == MAGIC;
    }

    private static FileBytes bytes(byte[] file) {
        return new FileBytes("fatbin", MemorySegment.ofArray(file).asReadOnly());
    }

    /// Returns the file's cubin for sm_20, or the cubin for sm_21 if the file has none for sm_20.
    ///
    /// @throws CubinException if the file contains no readable cubin
    static byte[] cubin(byte[] file) {
        List<FatbinEntry> entries = entries(bytes(file));
        FatbinEntry best = null;
        for (FatbinEntry entry : entries) {
            boolean fits = entry.kind() == FatbinEntry.CUBIN && isKnown(entry);
            if (fits && (best == null || entry.architecture() < best.architecture())) {
                best = entry;
            }
        }
        if (best == null) {
            throw new CubinException(
                    entries.stream().anyMatch(Fatbin::couldBeCompiled)
                            ? CubinException.Kind.ONLY_PTX
                            : CubinException.Kind.OTHER_ARCHITECTURE,
                    "fatbin: images=" + entries + ", expected sm_20 or sm_21");
        }
        return best.image();
    }

    private static boolean isKnown(FatbinEntry entry) {
        return Cubin.isKnown((int) entry.architecture());
    }

    /// Returns whether a compiler could translate an image to code for a GF100.
    private static boolean couldBeCompiled(FatbinEntry entry) {
        return entry.kind() == FatbinEntry.PTX && entry.architecture() <= Cubin.NEWEST_ARCHITECTURE;
    }

    /// Returns the entries with code, in the order of the file.
    private static List<FatbinEntry> entries(FileBytes file) {
        FileBytes all = file.slice("fatbin entries", file.u16(HEADER_SIZE), file.u63(SIZE));
        List<FatbinEntry> found = new ArrayList<>();
        int count = 0;
        for (long at = 0; at < all.bytes(); ) {
            count++;
            if (count > MAX_ENTRIES) {
                throw CubinException.at("fatbin", "entries", count, MAX_ENTRIES);
            }
            FatbinEntry entry = FatbinEntry.read(all, at);
            if (entry.kind() == FatbinEntry.CUBIN || entry.kind() == FatbinEntry.PTX) {
                found.add(entry);
            }
            at += entry.bytes();
        }
        return found;
    }
}
