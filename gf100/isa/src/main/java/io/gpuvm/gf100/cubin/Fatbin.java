package io.gpuvm.gf100.cubin;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Fatbin: container in which nvcc delivers the same module for several architectures, as cubins
/// and as text for a compiler.
///
/// ```text
///   header   magic 32, version 16, bytes of the header 16, bytes of all entries 64
///   entry    kind 16, ... 16, bytes of the entry's header 32, bytes of its payload 64,
///            ... 96, architecture 32, ... 64, flags 64, ...; then the payload
///   entry    ...
/// ```
///
/// Source: jiegec/fatbinary and n-eiling/cuda-fatbin-decompression, which read such files.
final class Fatbin {
    private static final long MAGIC = 0xba55ed50L;
    private static final int HEADER_SIZE = 6;
    private static final int SIZE = 8;

    private static final int ENTRY_HEADER_SIZE = 4;
    private static final int ENTRY_SIZE = 8;
    private static final int ENTRY_ARCHITECTURE = 28;
    private static final int ENTRY_FLAGS = 40;
    private static final int ENTRY_BYTES = 48;
    private static final int KIND_CUBIN = 2;
    private static final long FLAGS_COMPRESSED = 0xf000;

    private record Entry(long architecture, boolean compressed, FileBytes payload) {}

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
        List<Entry> entries = cubins(bytes(file));
        Entry best = null;
        List<Long> architectures = new ArrayList<>();
        for (Entry entry : entries) {
            architectures.add(entry.architecture);
            boolean known = Cubin.isKnown((int) entry.architecture);
            if (known && (best == null || entry.architecture < best.architecture)) {
                best = entry;
            }
        }
        if (best == null) {
            throw new CubinException(
                    "fatbin: architectures=" + architectures + ", expected 20 or 21");
        }
        if (best.compressed) {
            throw new CubinException(
                    "fatbin: cubin for sm_"
                            + best.architecture
                            + " is compressed, expected uncompressed");
        }
        return best.payload.segment().toArray(ValueLayout.JAVA_BYTE);
    }

    private static List<Entry> cubins(FileBytes file) {
        FileBytes rest = file.slice("fatbin entries", file.u16(HEADER_SIZE), file.u63(SIZE));
        List<Entry> found = new ArrayList<>();
        long at = 0;
        while (at < rest.bytes()) {
            String name = "fatbin entry at " + at;
            FileBytes header = rest.slice(name, at, ENTRY_BYTES);
            long headerBytes = header.u32(ENTRY_HEADER_SIZE);
            if (headerBytes < ENTRY_BYTES) {
                throw CubinException.at(
                        name, "header bytes", headerBytes, "at least " + ENTRY_BYTES);
            }
            FileBytes payload = rest.slice(name, at + headerBytes, header.u63(ENTRY_SIZE));
            if (header.u16(0) == KIND_CUBIN) {
                boolean compressed = (header.u63(ENTRY_FLAGS) & FLAGS_COMPRESSED) != 0;
                found.add(new Entry(header.u32(ENTRY_ARCHITECTURE), compressed, payload));
            }
            at += headerBytes + payload.bytes();
        }
        return found;
    }
}
