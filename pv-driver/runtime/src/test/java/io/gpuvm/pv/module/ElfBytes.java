package io.gpuvm.pv.module;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Builder of ELF files for CUDA, byte by byte, from the System V ABI alone, so that independent
/// code tests the reader.
///
/// The order of calls determines the index of each section. All other properties of the file can
/// vary; see [#scattered], [#oneStringTable] and [#explicitAddends].
final class ElfBytes {
    static final int PROGBITS = 1;
    static final int SYMTAB = 2;
    static final int STRTAB = 3;
    static final int RELA = 4;
    static final int NOBITS = 8;
    static final int REL = 9;
    static final int ALLOC = 2;
    static final int WRITE = 1;
    static final int EXECINSTR = 4;

    static final int NOTYPE = 0;
    static final int OBJECT = 1;
    static final int FUNC = 2;
    static final int SECTION = 3;
    static final int LOCAL = 0;
    static final int GLOBAL = 1;
    static final int WEAK = 2;
    static final int ENTRY = 0x10;
    static final int ABS = 0xfff1;
    static final int COMMON = 0xfff2;

    private final boolean wide;
    private final List<Section> sections = new ArrayList<>();
    private final List<Symbol> symbols = new ArrayList<>();
    private final Map<Integer, List<Relocation>> relocations = new TreeMap<>();
    private int flags = 20 | 20 << 16;
    private int type = 2;
    private Random scatter;
    private boolean oneStringTable;
    private boolean explicitAddends;

    static final class Section {
        private final String name;
        private final int type;
        private long flags;
        private byte[] contents;
        private long size;
        private int link;
        private int info;
        private long alignment = 4;
        private long entryBytes;
        private int nameOffset;
        private long offset;

        private Section(String name, int type, byte[] contents) {
            this.name = name;
            this.type = type;
            this.contents = contents;
            this.size = contents.length;
        }

        Section flags(long value) {
            flags = value;
            return this;
        }

        Section info(int value) {
            info = value;
            return this;
        }

        Section alignment(long value) {
            alignment = value;
            return this;
        }
    }

    private record Symbol(
            String name, int type, int binding, int other, int section, long value, long size) {}

    private record Relocation(long offset, int symbol, int type, long addend) {}

    /// @param wide true for ELF64, false for ELF32
    ElfBytes(boolean wide) {
        this.wide = wide;
        section("", 0).alignment(0);
        symbol("", NOTYPE, LOCAL, 0, 0, 0, 0);
    }

    ElfBytes flags(int value) {
        flags = value;
        return this;
    }

    /// Sets the file's type to `ET_REL`.
    ElfBytes relocatable() {
        type = 1;
        return this;
    }

    /// Writes contents in any order, with gaps, and the section table among them.
    ElfBytes scattered(long seed) {
        scatter = new Random(seed);
        return this;
    }

    /// Puts names of sections and symbols into one section.
    ElfBytes oneStringTable() {
        oneStringTable = true;
        return this;
    }

    /// Writes relocations with explicit addends, instead of addends in the relocated fields.
    ElfBytes explicitAddends() {
        explicitAddends = true;
        return this;
    }

    Section section(String name, int kind, byte... contents) {
        Section section = new Section(name, kind, contents);
        sections.add(section);
        return section;
    }

    Section words(String name, int kind, int... words) {
        return section(name, kind, bytes(words));
    }

    Section empty(String name, long size) {
        Section section = section(name, NOBITS);
        section.size = size;
        return section.flags(ALLOC | WRITE);
    }

    int index(Section section) {
        return sections.indexOf(section);
    }

    int symbol(String name, int kind, int binding, int other, int section, long value, long size) {
        symbols.add(new Symbol(name, kind, binding, other, section, value, size));
        return symbols.size() - 1;
    }

    /// @param addend addend, written to the relocated field (a whole word of data) or, with
    ///   explicit addends, to the relocation
    ElfBytes relocate(Section section, long offset, int symbol, int kind, long addend) {
        relocations
                .computeIfAbsent(index(section), _ -> new ArrayList<>())
                .add(new Relocation(offset, symbol, kind, addend));
        return this;
    }

    static byte[] bytes(int... words) {
        ByteBuffer buffer = little(words.length * 4);
        for (int word : words) {
            buffer.putInt(word);
        }
        return buffer.array();
    }

    static byte[] bytes(long... words) {
        ByteBuffer buffer = little(words.length * 8);
        for (long word : words) {
            buffer.putLong(word);
        }
        return buffer.array();
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Builds the file. Called once.
    byte[] build() {
        int symtab = sections.size() + relocations.size();
        relocations.forEach((target, list) -> addRelocations(target, list, symtab));
        Section symbolTable = section(".symtab", SYMTAB).alignment(8);
        Section names = section(".shstrtab", STRTAB).alignment(1);
        Section strings = oneStringTable ? names : section(".strtab", STRTAB).alignment(1);
        Strings sectionNames = new Strings();
        Strings symbolNames = oneStringTable ? sectionNames : new Strings();
        contents(symbolTable, symbolTable(symbolNames));
        symbolTable.link = index(strings);
        symbolTable.info = 1;
        symbolTable.entryBytes = wide ? 24 : 16;
        sections.forEach(one -> one.nameOffset = sectionNames.add(one.name));
        contents(strings, symbolNames.toBytes());
        contents(names, sectionNames.toBytes());
        return file(index(names));
    }

    private static void contents(Section section, byte[] bytes) {
        section.contents = bytes;
        section.size = bytes.length;
    }

    private void addRelocations(int target, List<Relocation> list, int symtab) {
        Section place = sections.get(target);
        ByteBuffer table = little(list.size() * (wide ? 8 : 4) * (explicitAddends ? 3 : 2));
        for (Relocation one : list) {
            word(table, one.offset);
            word(table, wide ? (long) one.symbol << 32 | one.type : one.symbol << 8 | one.type);
            if (explicitAddends) {
                word(table, one.addend);
            } else if (one.addend != 0) {
                little(place.contents.length);
                ByteBuffer.wrap(place.contents)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt((int) one.offset, (int) one.addend);
            }
        }
        Section added =
                section(
                        (explicitAddends ? ".rela" : ".rel") + place.name,
                        explicitAddends ? RELA : REL,
                        table.array());
        added.link = symtab;
        added.info = target;
        added.entryBytes = table.capacity() / list.size();
    }

    private byte[] symbolTable(Strings names) {
        ByteBuffer table = little(symbols.size() * (wide ? 24 : 16));
        for (Symbol one : symbols) {
            table.putInt(names.add(one.name));
            if (!wide) {
                table.putInt((int) one.value).putInt((int) one.size);
            }
            table.put((byte) (one.binding << 4 | one.type)).put((byte) one.other);
            table.putShort((short) one.section);
            if (wide) {
                table.putLong(one.value).putLong(one.size);
            }
        }
        return table.array();
    }

    private byte[] file(int namesIndex) {
        List<Section> order = new ArrayList<>(sections);
        if (scatter != null) {
            Collections.shuffle(order, scatter);
        }
        int headerBytes = wide ? 64 : 52;
        int entryBytes = wide ? 64 : 40;
        long end = headerBytes;
        long table = -1;
        for (Section one : order) {
            if (scatter != null && table < 0 && scatter.nextBoolean()) {
                table = align(end, 8);
                end = table + (long) sections.size() * entryBytes;
            }
            end = align(end + gap(), Math.max(1, one.alignment));
            one.offset = end;
            end += one.contents.length;
        }
        if (table < 0) {
            table = align(end, 8);
            end = table + (long) sections.size() * entryBytes;
        }
        ByteBuffer file = little((int) (end + gap()));
        if (scatter != null) {
            scatter.nextBytes(file.array());
        }
        header(file, table, entryBytes, namesIndex);
        for (int i = 0; i < sections.size(); i++) {
            sectionHeader(file.position((int) table + i * entryBytes), sections.get(i));
            file.put((int) sections.get(i).offset, sections.get(i).contents);
        }
        return file.array();
    }

    private int gap() {
        return scatter == null ? 0 : scatter.nextInt(100);
    }

    private static long align(long offset, long alignment) {
        return (offset + alignment - 1) / alignment * alignment;
    }

    private void header(ByteBuffer file, long table, int entryBytes, int namesIndex) {
        file.position(0).put(new byte[] {0x7f, 'E', 'L', 'F', (byte) (wide ? 2 : 1), 1, 1, 51});
        file.putLong(7).putShort((short) type).putShort((short) 190).putInt(1);
        word(file, 0);
        word(file, 0);
        word(file, table);
        file.putInt(flags).putShort((short) (wide ? 64 : 52)).putShort((short) 0);
        file.putShort((short) 0).putShort((short) entryBytes);
        file.putShort((short) sections.size()).putShort((short) namesIndex);
    }

    private void sectionHeader(ByteBuffer file, Section one) {
        file.putInt(one.nameOffset).putInt(one.type);
        word(file, one.flags);
        word(file, 0);
        word(file, one.offset);
        word(file, one.size);
        file.putInt(one.link).putInt(one.info);
        word(file, one.alignment);
        word(file, one.entryBytes);
    }

    private void word(ByteBuffer buffer, long value) {
        if (wide) {
            buffer.putLong(value);
        } else {
            buffer.putInt((int) value);
        }
    }

    /// String table that reuses the end of an existing string.
    private static final class Strings {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Strings() {
            bytes.write(0);
        }

        int add(String name) {
            String all = bytes.toString(StandardCharsets.ISO_8859_1);
            int known = all.indexOf(name + "\0");
            if (known >= 0) {
                return known;
            }
            bytes.writeBytes((name + "\0").getBytes(StandardCharsets.ISO_8859_1));
            return all.length();
        }

        byte[] toBytes() {
            return bytes.toByteArray();
        }
    }
}
