package io.gpuvm.gf100.cubin;

/// Widths of ELF files, with the offset of each field.
///
/// Source: the System V ABI, chapters 4 and 5, and its 64-bit supplement; `elf.h`.
public enum ElfClass {
    ELF32(1, 4, new Header(52, 28, 32, 36, 40), new SectionHeader(40, 8, 16, 20, 24, 28, 32), 32),
    ELF64(2, 8, new Header(64, 32, 40, 48, 52), new SectionHeader(64, 8, 24, 32, 40, 44, 48), 56);

    /// Value of the file's fifth byte.
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

    /// @param addend whether relocations have an explicit addend
    int relocationBytes(boolean addend) {
        return wordBytes * (addend ? 3 : 2);
    }

    /// Offsets in the file's header. Five 16-bit fields follow [#bytes], the size of the header:
    /// size and number of segments, size and number of sections, and the index of the section that
    /// contains names.
    record Header(int length, int segments, int sections, int flags, int bytes) {}

    /// Offsets in a section's header. Name and type are the first fields; the size of an entry
    /// follows `alignment`.
    record SectionHeader(
            int length, int flags, int offset, int size, int link, int info, int alignment) {}

    /// Returns a word of this class's width.
    long word(FileBytes bytes, long offset) {
        return this == ELF32 ? bytes.u32(offset) : bytes.u63(offset);
    }
}
