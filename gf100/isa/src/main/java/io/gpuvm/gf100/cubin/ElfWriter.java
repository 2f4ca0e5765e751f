package io.gpuvm.gf100.cubin;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Builds an ELF file in nvcc's order: header, section headers, contents of sections, program
/// headers.
final class ElfWriter {
    /// Index of the symbol table, for [Section#link].
    static final int SYMBOL_TABLE = 3;

    private static final int ALIGNMENT = 4;
    private static final int MAX_SECTIONS = ElfSymbol.FIRST_RESERVED - 1;
    private static final int ABI = 0x33;
    private static final int ABI_VERSION = 4;

    /// Type of NVIDIA's program header for the sections of a function.
    private static final int SEGMENT_OF_FUNCTION = 0x60000000;

    private final ElfClass width;
    private final List<Section> sections = new ArrayList<>();
    private final List<Symbol> symbols = new ArrayList<>();
    private final List<Segment> segments = new ArrayList<>();
    private final Strings sectionNames = new Strings();
    private final Strings symbolNames = new Strings();

    ElfWriter(ElfClass width) {
        this.width = width;
        add("", ElfSection.NULL, 0, 0);
        add(".shstrtab", ElfSection.STRTAB, 0, 1);
        add(".strtab", ElfSection.STRTAB, 0, 1);
        add(".symtab", ElfSection.SYMTAB, 0, ALIGNMENT);
        sections.get(SYMBOL_TABLE).link = SYMBOL_TABLE - 1;
        symbols.add(new Symbol(0, 0, 0, 0, 0, 0));
    }

    /// Returns the section for symbols that lie in no section.
    Section nothing() {
        return sections.getFirst();
    }

    /// Returns the name of a section.
    String name(Section section) {
        return sectionNames.get(section.name);
    }

    /// Adds a section without links, size and contents, which the caller sets later.
    Section addSection(String name, int type, long flags) {
        return add(name, type, flags, ALIGNMENT);
    }

    private Section add(String name, int type, long flags, int alignment) {
        if (sections.size() == MAX_SECTIONS) {
            throw new IllegalStateException(
                    "sections=" + (MAX_SECTIONS + 1) + ", limit=" + MAX_SECTIONS);
        }
        Section section = new Section();
        section.index = sections.size();
        section.name = sectionNames.add(name);
        section.type = type;
        section.flags = flags;
        section.alignment = alignment;
        sections.add(section);
        return section;
    }

    /// Adds a symbol and returns its index. All local symbols must be added before the first global
    /// symbol.
    int addSymbol(
            String name, int type, int binding, int other, Section in, long value, long bytes) {
        int info = binding << 4 | type;
        symbols.add(new Symbol(symbolNames.add(name), value, bytes, info, other, in.index));
        if (binding == ElfSymbol.LOCAL) {
            sections.get(SYMBOL_TABLE).info = symbols.size();
        }
        return symbols.size() - 1;
    }

    /// Declares that the sections from `first` to `last` belong to a function.
    void addSegment(Section first, Section last, int flags) {
        segments.add(new Segment(first, last, flags));
    }

    byte[] write(int flags) {
        sections.get(1).contents = sectionNames.toBytes();
        sections.get(2).contents = symbolNames.toBytes();
        sections.get(SYMBOL_TABLE).contents = symbolTable();
        long end = width.header.length() + (long) sections.size() * width.section.length();
        for (Section section : sections) {
            section.offset = align(end, section.alignment);
            end = section.offset + section.contents.length;
        }
        long segmentsAt = align(end, ALIGNMENT);
        long total = segmentsAt + (long) segments.size() * width.segmentBytes;
        ByteBuffer file =
                ByteBuffer.allocate(Math.toIntExact(total)).order(ByteOrder.LITTLE_ENDIAN);
        header(file, segmentsAt, flags);
        sections.forEach(section -> section(file, section));
        sections.forEach(section -> {
            file.position((int) section.offset);
            file.put(section.contents);
        });
        file.position((int) segmentsAt);
        segments.forEach(segment -> segment(file, segment));
        return file.array();
    }

    private void header(ByteBuffer file, long segmentsAt, int flags) {
        file.put(new byte[] {0x7f, 'E', 'L', 'F', (byte) width.code, 1, 1, ABI, ABI_VERSION});
        file.position(16);
        file.putShort((short) ElfFile.EXECUTABLE).putShort((short) ElfFile.MACHINE).putInt(1);
        word(file, 0);
        word(file, segments.isEmpty() ? 0 : segmentsAt);
        word(file, width.header.length());
        file.putInt(flags);
        file.putShort((short) width.header.length());
        file.putShort((short) width.segmentBytes).putShort((short) segments.size());
        file.putShort((short) width.section.length()).putShort((short) sections.size());
        file.putShort((short) 1);
    }

    private void section(ByteBuffer file, Section section) {
        boolean none = section.type == ElfSection.NULL;
        file.putInt(section.name).putInt(section.type);
        word(file, section.flags);
        word(file, 0);
        word(file, none ? 0 : section.offset);
        word(file, section.bytes());
        file.putInt(section.link).putInt(section.info);
        word(file, section.alignment);
        word(file, section.index == SYMBOL_TABLE ? width.symbolBytes() : section.entryBytes);
    }

    private void segment(ByteBuffer file, Segment segment) {
        long memory = 0;
        for (int i = segment.first.index; i <= segment.last.index; i++) {
            memory += sections.get(i).bytes();
        }
        long stored = segment.last.offset + segment.last.contents.length - segment.first.offset;
        file.putInt(SEGMENT_OF_FUNCTION);
        if (width == ElfClass.ELF64) {
            file.putInt(segment.flags);
        }
        word(file, segment.first.offset);
        word(file, 0);
        word(file, 0);
        word(file, stored);
        word(file, Math.max(stored, memory));
        if (width == ElfClass.ELF32) {
            file.putInt(segment.flags);
        }
        word(file, ALIGNMENT);
    }

    private byte[] symbolTable() {
        ByteBuffer table =
                ByteBuffer.allocate(symbols.size() * width.symbolBytes())
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (Symbol symbol : symbols) {
            table.putInt(symbol.name);
            if (width == ElfClass.ELF32) {
                table.putInt((int) symbol.value).putInt((int) symbol.bytes);
            }
            table.put((byte) symbol.info).put((byte) symbol.other);
            table.putShort((short) symbol.section);
            if (width == ElfClass.ELF64) {
                table.putLong(symbol.value).putLong(symbol.bytes);
            }
        }
        return table.array();
    }

    private void word(ByteBuffer file, long value) {
        if (width == ElfClass.ELF32) {
            file.putInt((int) value);
        } else {
            file.putLong(value);
        }
    }

    private static long align(long offset, int alignment) {
        return alignment == 0 ? offset : (offset + alignment - 1) / alignment * alignment;
    }

    /// Section under construction.
    static final class Section {
        int index;
        int link;
        int info;
        int alignment;

        /// Size of an entry of a table in bytes, or 0.
        int entryBytes;

        byte[] contents = {};

        /// Size in memory of a section without contents, in bytes.
        long memoryBytes;

        private int name;
        private int type;
        private long flags;
        private long offset;

        private long bytes() {
            return type == ElfSection.NOBITS ? memoryBytes : contents.length;
        }

        void contents(MemorySegment bytes) {
            contents = bytes.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private record Symbol(int name, long value, long bytes, int info, int other, int section) {}

    private record Segment(Section first, Section last, int flags) {}

    private static final class Strings {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Strings() {
            bytes.write(0);
        }

        int add(String name) {
            if (name.isEmpty()) {
                return 0;
            }
            int offset = bytes.size();
            bytes.writeBytes(name.getBytes(StandardCharsets.UTF_8));
            bytes.write(0);
            return offset;
        }

        String get(int at) {
            byte[] all = bytes.toByteArray();
            int end = at;
            while (all[end] != 0) {
                end++;
            }
            return new String(all, at, end - at, StandardCharsets.UTF_8);
        }

        byte[] toBytes() {
            return bytes.toByteArray();
        }
    }
}
