package io.gpuvm.gf100.cubin;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Reads an ELF file for CUDA and validates every field.
///
/// Source: the System V ABI, chapters 4 and 5; LLVM's `BinaryFormat/ELF.h` for the machine.
final class ElfReader {
    private static final int IDENT_CLASS = 4;
    private static final int IDENT_DATA = 5;
    private static final int IDENT_ABI_VERSION = 8;
    private static final int LITTLE_ENDIAN_DATA = 1;
    private static final int TYPE = 16;
    private static final int MACHINE = 18;

    // Pairs of the size and the number of table entries follow the size of the header.
    private static final int SEGMENT_SIZE = 2;
    private static final int SEGMENTS = 4;
    private static final int SECTION_SIZE = 6;
    private static final int SECTIONS = 8;
    private static final int NAMES = 10;

    /// Maximum number of bytes of names for each byte of the file. ELF allows a name to share the
    /// bytes at the end of another name, so a valid file may exceed a factor of 1.
    private static final int NAMES_PER_BYTE = 4;

    /// Maximum number of bytes of names, of sections or of symbols.
    private static final long NAMES_LIMIT = 16 << 20;

    private final RecordCount records = new RecordCount();
    private final FileBytes file;
    private ElfClass width;

    ElfReader(byte[] file) {
        this.file = new FileBytes("file", MemorySegment.ofArray(file).asReadOnly());
    }

    ElfFile read() {
        identify();
        int counts = width.header.bytes();
        expect("header bytes", file.u16(counts), width.header.length());
        checkSegments();
        List<ElfSection> sections = sections();
        ElfSymbolReader symbolReader = new ElfSymbolReader(width, sections, namesLimit(), records);
        List<ElfSymbol> symbols = symbolReader.symbols();
        return new ElfFile(
                width,
                file.u16(TYPE),
                (int) file.u32(width.header.flags()),
                file.u8(IDENT_ABI_VERSION),
                file.u16(counts + SEGMENTS),
                sections,
                symbols,
                symbolReader.relocations(symbols.size()));
    }

    /// Checks the identification, except for ELF's version: newer toolkits write their own version
    /// to this field.
    private void identify() {
        byte[] start = new byte[(int) Math.min(file.bytes(), ElfClass.ELF32.header.length())];
        MemorySegment.copy(file.segment(), 0, MemorySegment.ofArray(start), 0, start.length);
        if (!ElfFile.isElf(start)) {
            throw new CubinException("file: not an ELF file");
        }
        width = file.u8(IDENT_CLASS) == ElfClass.ELF32.code ? ElfClass.ELF32 : ElfClass.ELF64;
        expect("class", file.u8(IDENT_CLASS), width.code);
        expect("data encoding", file.u8(IDENT_DATA), LITTLE_ENDIAN_DATA);
        expect("machine", file.u16(MACHINE), ElfFile.MACHINE);
        int type = file.u16(TYPE);
        if (type != ElfFile.RELOCATABLE && type != ElfFile.EXECUTABLE) {
            throw CubinException.at("file", "type", type, "1 or 2");
        }
    }

    private void checkSegments() {
        int counts = width.header.bytes();
        int number = file.u16(counts + SEGMENTS);
        if (number == 0) {
            return;
        }
        expect("segment header bytes", file.u16(counts + SEGMENT_SIZE), width.segmentBytes);
        FileBytes table =
                file.slice(
                        "program headers",
                        width.word(file, width.header.segments()),
                        (long) number * width.segmentBytes);
        for (int i = 0; i < number; i++) {
            long at = (long) i * width.segmentBytes;
            // Type and, in the wide form, flags precede the offset; two addresses precede the
            // sizes.
            long offset = width.word(table, at + width.wordBytes);
            long bytes = width.word(table, at + 4L * width.wordBytes);
            if (bytes > 0) {
                file.slice("segment " + i, offset, bytes);
            }
        }
    }

    private List<ElfSection> sections() {
        int counts = width.header.bytes();
        int number = file.u16(counts + SECTIONS);
        if (number == 0) {
            throw CubinException.at("file", "sections", number, "1 to 65535");
        }
        expect("section header bytes", file.u16(counts + SECTION_SIZE), width.section.length());
        FileBytes table =
                file.slice(
                        "section headers",
                        width.word(file, width.header.sections()),
                        (long) number * width.section.length());
        int namesIndex = file.u16(counts + NAMES);
        if (namesIndex >= number) {
            throw CubinException.at("file", "section of names", namesIndex, number - 1);
        }
        records.add("section headers", number);
        StringTable names = new StringTable(contents("names", table, namesIndex), namesLimit());
        List<ElfSection> sections = new ArrayList<>(number);
        for (int i = 0; i < number; i++) {
            sections.add(section(table, i, names));
        }
        checkOverlap(table, sections);
        return sections;
    }

    private long namesLimit() {
        return Math.min(NAMES_LIMIT, NAMES_PER_BYTE * file.bytes());
    }

    /// Checks that sections do not overlap, which also prevents a small file from declaring
    /// sections with a large total size.
    private void checkOverlap(FileBytes table, List<ElfSection> sections) {
        long[][] spans = new long[sections.size()][];
        for (ElfSection section : sections) {
            long bytes = section.contents().byteSize();
            long field = (long) section.index() * width.section.length() + width.section.offset();
            spans[section.index()] = new long[] {bytes > 0 ? width.word(table, field) : 0, bytes};
        }
        Arrays.sort(spans, Comparator.comparingLong(span -> span[0]));
        long end = 0;
        for (long[] span : spans) {
            if (span[1] > 0 && span[0] < end) {
                throw CubinException.at("file", "section at offset", span[0], "at least " + end);
            }
            end = Math.max(end, span[0] + span[1]);
        }
    }

    private ElfSection section(FileBytes table, int index, StringTable names) {
        ElfClass.SectionHeader header = width.section;
        long at = (long) index * header.length();
        String name = names.name(table.u32(at));
        FileBytes contents = contents(name, table, index);
        return new ElfSection(
                index,
                name,
                (int) table.u32(at + 4),
                width.word(table, at + header.flags()),
                width.word(table, at + header.size()),
                (int) table.u32(at + header.link()),
                (int) table.u32(at + header.info()),
                alignment(name, width.word(table, at + header.alignment())),
                contents.segment());
    }

    private static long alignment(String name, long alignment) {
        if ((alignment & alignment - 1) != 0) {
            throw CubinException.at(name, "alignment", alignment, "a power of two");
        }
        return Math.max(1, alignment);
    }

    private FileBytes contents(String name, FileBytes table, int index) {
        long at = (long) index * width.section.length();
        int type = (int) table.u32(at + 4);
        String part = "section " + index + " " + name;
        long bytes = width.word(table, at + width.section.size());
        // A section without bytes in the file may have any offset.
        if (type == ElfSection.NULL || type == ElfSection.NOBITS || bytes == 0) {
            return file.slice(part, 0, 0);
        }
        return file.slice(part, width.word(table, at + width.section.offset()), bytes);
    }

    private static void expect(String name, long value, long only) {
        if (value != only) {
            throw new CubinException("file: " + name + "=" + value + ", expected=" + only);
        }
    }
}
