package io.gpuvm.gf100.cubin;

import java.util.ArrayList;
import java.util.List;

/// Reads the symbols and relocations of a file whose sections have been read.
final class ElfSymbolReader {
    private final ElfClass width;
    private final List<ElfSection> sections;
    private final long namesLimit;
    private final RecordCount records;

    /// @param namesLimit maximum number of bytes of the names of all symbols
    /// @param records number of records of the file
    ElfSymbolReader(
            ElfClass width, List<ElfSection> sections, long namesLimit, RecordCount records) {
        this.width = width;
        this.sections = sections;
        this.namesLimit = namesLimit;
        this.records = records;
    }

    List<ElfSymbol> symbols() {
        List<ElfSymbol> symbols = new ArrayList<>();
        ElfSection table = symbolTable();
        if (table == null) {
            return symbols;
        }
        ElfSection strings = other(table, table.link(), ElfSection.STRTAB);
        StringTable names = new StringTable(strings.bytes(), namesLimit);
        FileBytes entries = table.bytes();
        int number = entries(entries, width.symbolBytes());
        records.add(entries.name(), number);
        for (int i = 0; i < number; i++) {
            symbols.add(symbol(entries, i, names));
        }
        return symbols;
    }

    private ElfSection symbolTable() {
        ElfSection found = null;
        for (ElfSection section : sections) {
            if (section.type() == ElfSection.SYMTAB) {
                if (found != null) {
                    throw CubinException.at("file", "symbol tables", 2, 1);
                }
                found = section;
            }
        }
        return found;
    }

    private ElfSymbol symbol(FileBytes table, int index, StringTable names) {
        long at = (long) index * width.symbolBytes();
        boolean narrow = width == ElfClass.ELF32;
        long info = at + (narrow ? 12 : 4);
        int section = table.u16(info + 2);
        if (section >= sections.size() && section < ElfSymbol.FIRST_RESERVED) {
            throw CubinException.at(
                    table.name() + " symbol " + index, "section", section, sections.size() - 1);
        }
        return new ElfSymbol(
                index,
                names.name(table.u32(at)),
                width.word(table, at + (narrow ? 4 : 8)),
                width.word(table, at + (narrow ? 8 : 16)),
                table.u8(info) & 0xf,
                table.u8(info) >> 4,
                table.u8(info + 1),
                section);
    }

    List<ElfRelocation> relocations(int symbols) {
        List<ElfRelocation> relocations = new ArrayList<>();
        for (ElfSection section : sections) {
            if (section.type() == ElfSection.REL || section.type() == ElfSection.RELA) {
                other(section, section.link(), ElfSection.SYMTAB);
                ElfSection target = other(section, section.info(), -1);
                boolean addend = section.type() == ElfSection.RELA;
                FileBytes table = section.bytes();
                int bytes = width.relocationBytes(addend);
                int number = entries(table, bytes);
                records.add(table.name(), number);
                for (int i = 0; i < number; i++) {
                    relocations.add(relocation(table, (long) i * bytes, addend, target, symbols));
                }
            }
        }
        return relocations;
    }

    private ElfRelocation relocation(
            FileBytes table, long at, boolean addend, ElfSection target, int symbols) {
        long offset = width.word(table, at);
        if (offset >= target.sizeBytes()) {
            throw CubinException.at(table.name(), "offset", offset, target.sizeBytes() - 1);
        }
        long info = at + width.wordBytes;
        boolean narrow = width == ElfClass.ELF32;
        long symbol = narrow ? table.u32(info) >> 8 : table.u32(info + 4);
        if (symbol >= symbols) {
            throw CubinException.at(table.name(), "symbol", symbol, symbols - 1);
        }
        int type = (int) (narrow ? table.u8(info) : table.u32(info));
        long added = addend ? addend(table, info + width.wordBytes) : 0;
        return new ElfRelocation(target.index(), offset, (int) symbol, type, added, !addend);
    }

    /// Reads an addend, the only signed word.
    private long addend(FileBytes table, long at) {
        return width == ElfClass.ELF32
                ? (int) table.u32(at)
                : table.u32(at) | table.u32(at + 4) << Integer.SIZE;
    }

    private static int entries(FileBytes table, int entryBytes) {
        if (table.bytes() % entryBytes != 0) {
            throw CubinException.at(
                    table.name(), "bytes", table.bytes(), "a multiple of " + entryBytes);
        }
        return (int) (table.bytes() / entryBytes);
    }

    /// Returns the section to which another section refers by index.
    ///
    /// @param type required type, -1 for any
    private ElfSection other(ElfSection by, int index, int type) {
        if (index < 0 || index >= sections.size()) {
            throw CubinException.at(by.name(), "section", index, sections.size() - 1);
        }
        ElfSection found = sections.get(index);
        if (type >= 0 && found.type() != type) {
            throw new CubinException(
                    by.name()
                            + ": type of section "
                            + index
                            + "="
                            + found.type()
                            + ", expected="
                            + type);
        }
        return found;
    }
}
