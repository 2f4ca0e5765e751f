package io.gpuvm.gf100.cubin;

/// The two widths of ELF: where each field lies in each.
///
/// Source: the System V ABI, chapters 4 and 5, and its 64-bit supplement; `elf.h`.
public enum ElfClass {
    ELF32(1, 4, new Header(52, 28, 32, 36, 40), new SectionHeader(40, 8, 16, 20, 24, 28, 32), 32),
    ELF64(2, 8, new Header(64, 32, 40, 48, 52), new SectionHeader(64, 8, 24, 32, 40, 44, 48), 56);

    /// What the file's fifth byte says.
    final int code;

    /// Bytes of an address, of an offset and of a size.
    final int wordBytes;

    final Header header;
    final SectionHeader section;
    final int segmentBytes;

    ElfClass(int code, int wordBytes, Header header, SectionHeader section, int segmentBytes) {
        this.code = code;
        this.wordBytes = wordBytes;
        this.header = header;
        this.section = section;
        this.segmentBytes = segmentBytes;
    }

    int symbolBytes() {
        return this == ELF32 ? 16 : 24;
    }

    /// @param addend whether relocations have one of their own
    int relocationBytes(boolean addend) {
        return wordBytes * (addend ? 3 : 2);
    }

    /// Offsets in the file's header; after [#bytes], which is its own size, come segments' size and
    /// number, sections' size and number, and the index of the section with names, 16 bits each.
    record Header(int length, int segments, int sections, int flags, int bytes) {}

    /// Offsets in a section's header: name and type come first, `alignment` is followed by the size
    /// of an entry.
    record SectionHeader(
            int length, int flags, int offset, int size, int link, int info, int alignment) {}

    /// A word of the width of this class.
    long word(FileBytes bytes, long offset) {
        return this == ELF32 ? bytes.u32(offset) : bytes.u63(offset);
    }
}
