package io.gpuvm.gf100.cubin;

import java.lang.foreign.MemorySegment;

/// Section of an ELF file.
///
/// @param index index in the section table
/// @param type `SHT_...`
/// @param flags `SHF_...`, and NVIDIA's flags
/// @param sizeBytes size in bytes in GPU memory, also of a section without contents (`SHT_NOBITS`)
/// @param link index of another section; the meaning depends on the type
/// @param info 32 bits whose meaning depends on the type
/// @param alignment alignment of the address, a power of two
/// @param contents bytes in the file, read-only; empty for a section without contents
public record ElfSection(
        int index,
        String name,
        int type,
        long flags,
        long sizeBytes,
        int link,
        int info,
        long alignment,
        MemorySegment contents) {
    public static final int NULL = 0;
    public static final int PROGBITS = 1;
    public static final int SYMTAB = 2;
    public static final int STRTAB = 3;
    public static final int RELA = 4;
    public static final int NOBITS = 8;
    public static final int REL = 9;

    public static final int WRITE = 1;
    public static final int ALLOCATE = 2;
    public static final int EXECUTE = 4;

    FileBytes bytes() {
        return new FileBytes(name, contents);
    }
}
