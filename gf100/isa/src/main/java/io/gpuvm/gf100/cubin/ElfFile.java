package io.gpuvm.gf100.cubin;

import java.util.List;

/// Contents of an ELF file for CUDA, validated against ELF and not interpreted.
///
/// Every section lies in the file, every name in its string table, every symbol in a section that
/// exists and every relocation in a section that it can change. Immutable, and never larger than a
/// small multiple of the file.
///
/// @param type `ET_...`: [#EXECUTABLE], or [#RELOCATABLE] for a file that is not yet linked
/// @param flags architectures and width of addresses, see [Cubin]
/// @param abiVersion version of the rules for the meaning of sections
/// @param segments number of program headers. The reader checks that they lie in the file and
///   discards them: cubins load by sections
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

    /// Reads a file and copies it.
    ///
    /// @throws CubinException if the file violates the format
    public static ElfFile read(byte[] file) {
        return new ElfReader(file.clone()).read();
    }

    /// Returns whether the bytes start as an ELF file does.
    public static boolean isElf(byte[] file) {
        return file.length >= 4
                && file[0] == 0x7f
                && file[1] == 'E'
                && file[2] == 'L'
                && file[3] == 'F';
    }
}
