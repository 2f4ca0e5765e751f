package io.gpuvm.gf100.cubin;

import java.util.List;

/// Contents of an ELF file for CUDA, validated as ELF but not interpreted.
///
/// Every section lies in the file, every name in its string table, every symbol in an existing
/// section, and every relocation in a section that it can patch. Immutable; the memory use is
/// limited to a small multiple of the file's size.
///
/// @param type `ET_...`: [#EXECUTABLE], or [#RELOCATABLE] for a file that is not yet linked
/// @param flags architectures and width of addresses, see [Cubin]
/// @param abiVersion version of the rules for the meaning of sections
/// @param segments number of program headers, which the reader validates and discards, because
///   cubins are loaded by sections
public record ElfFile(
        ElfClass width,
        int type,
        int flags,
        int abiVersion,
        int segments,
        List<ElfSection> sections,
        List<ElfSymbol> symbols,
        List<ElfRelocation> relocations) {
    /// `EM_CUDA`.
    public static final int MACHINE = 190;

    public static final int RELOCATABLE = 1;
    public static final int EXECUTABLE = 2;

    public ElfFile {
        sections = List.copyOf(sections);
        symbols = List.copyOf(symbols);
        relocations = List.copyOf(relocations);
    }

    /// Reads a file and copies its contents.
    ///
    /// @throws CubinException if the file violates the format
    public static ElfFile read(byte[] file) {
        return new ElfReader(file.clone()).read();
    }

    /// Returns whether the bytes start with the header of an ELF file.
    public static boolean isElf(byte[] file) {
        return file.length >= 4
                && file[0] == 0x7f
                && file[1] == 'E'
                && file[2] == 'L'
                && file[3] == 'F';
    }
}
