package io.gpuvm.gf100.cubin;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
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
public final class Fatbin {
    static final long MAGIC = 0xba55ed50L;
    static final short VERSION = 1;
    static final short HEADER_BYTES = 16;
    private static final int ALIGNMENT = 8;
    private static final int HEADER_SIZE = 6;
    private static final int SIZE = 8;

    /// Maximum number of entries, several times the number of architectures.
    private static final int MAX_ENTRIES = 1024;

    private Fatbin() {}

    static boolean isFatbin(byte[] file) {
        return file.length >= Integer.BYTES && bytes(file).u32(0) == MAGIC;
    }

    /// Returns the fatbins in a section of an object file, where zeros may separate them.
    ///
    /// @throws CubinException if the section contains anything else
    public static List<byte[]> split(byte[] section) {
        FileBytes all = bytes(section);
        List<byte[]> found = new ArrayList<>();
        int at = 0;
        while (at < section.length) {
            if (section.length - at >= ALIGNMENT && all.u63(at) == 0) {
                at += ALIGNMENT;
                continue;
            }
            byte[] rest = Arrays.copyOfRange(section, at, section.length);
            if (!isFatbin(rest)) {
                throw new CubinException("section of fatbins: no fatbin at offset=" + at);
            }
            FileBytes file = bytes(rest);
            long bytes = file.u16(HEADER_SIZE) + file.u63(SIZE);
            file.slice("fatbin", 0, bytes);
            found.add(Arrays.copyOf(rest, (int) bytes));
            at += (int) ((bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
        }
        return found;
    }

    private static FileBytes bytes(byte[] file) {
        return new FileBytes("fatbin", MemorySegment.ofArray(file).asReadOnly());
    }

    /// Returns the file's cubin for sm_20, or the cubin for sm_21 if the file has none for sm_20.
    ///
    /// @throws CubinException if the file contains no readable cubin
    static byte[] cubin(byte[] file) {
        FatbinEntry best = best(file);
        if (best.kind() != FatbinEntry.CUBIN) {
            throw new CubinException(
                    CubinException.Kind.ONLY_PTX,
                    "fatbin: images=" + entries(bytes(file)) + ", expected sm_20 or sm_21");
        }
        return best.image();
    }

    /// Returns the entry for this GPU: a cubin, else PTX.
    ///
    /// @throws CubinException if the file has neither
    static FatbinEntry best(byte[] file) {
        List<FatbinEntry> entries = entries(bytes(file));
        FatbinEntry best = cubin(entries);
        if (best == null) {
            best = ptx(entries);
        }
        if (best == null) {
            throw new CubinException(
                    CubinException.Kind.OTHER_ARCHITECTURE,
                    "fatbin: images=" + entries + ", expected sm_20, sm_21 or PTX");
        }
        return best;
    }

    /// Returns the cubin for sm_20, else the cubin for sm_21; null if there is none.
    private static FatbinEntry cubin(List<FatbinEntry> entries) {
        FatbinEntry best = null;
        for (FatbinEntry entry : entries) {
            boolean fits = entry.kind() == FatbinEntry.CUBIN && isKnown(entry);
            if (fits && (best == null || entry.architecture() < best.architecture())) {
                best = entry;
            }
        }
        return best;
    }

    /// Returns the PTX for the newest architecture whose code this GPU executes, else the PTX for
    /// the oldest newer one; null if there is none.
    private static FatbinEntry ptx(List<FatbinEntry> entries) {
        FatbinEntry best = null;
        for (FatbinEntry entry : entries) {
            if (entry.kind() == FatbinEntry.PTX && (best == null || isBetter(entry, best))) {
                best = entry;
            }
        }
        return best;
    }

    private static boolean isBetter(FatbinEntry entry, FatbinEntry than) {
        return isNewer(than)
                ? entry.architecture() < than.architecture()
                : !isNewer(entry) && entry.architecture() > than.architecture();
    }

    private static boolean isNewer(FatbinEntry entry) {
        return entry.architecture() > Cubin.NEWEST_ARCHITECTURE;
    }

    private static boolean isKnown(FatbinEntry entry) {
        return Cubin.isKnown((int) entry.architecture());
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
