package io.gpuvm.gf100.cubin;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// Writes a module's relocations: a section for each section that the loader patches, and symbols
/// for targets that no function or variable represents.
final class RelocationWriter {
    private static final String WITH_ADDEND = ".rela";
    private static final String WITHOUT_ADDEND = ".rel";
    private static final int TYPE_BITS_32 = 8;

    /// Target of a relocation; the location is null if another module defines the symbol.
    private record Target(String name, Location location) {}

    /// Section of relocations.
    private record Key(ElfWriter.Section patched, boolean inPlace) {}

    private final Cubin cubin;
    private final ElfWriter file;
    private final Map<Target, Integer> symbols = new LinkedHashMap<>();

    RelocationWriter(Cubin cubin, ElfWriter file) {
        this.cubin = cubin;
        this.file = file;
    }

    /// Records the index of a symbol.
    void onSymbol(String name, Location location, int index) {
        symbols.put(new Target(name, location), index);
    }

    private static Target target(CubinRelocation relocation) {
        return new Target(relocation.symbol(), relocation.target());
    }

    /// Adds symbols for targets that are neither functions nor variables.
    ///
    /// @param sections section of a location
    void addLocalSymbols(Function<Location, ElfWriter.Section> sections) {
        Set<Target> named = named();
        for (CubinRelocation relocation : cubin.relocations()) {
            Location location = relocation.target();
            if (location == null || isAbsolute(location) || named.contains(target(relocation))) {
                continue;
            }
            symbols.computeIfAbsent(
                    target(relocation),
                    one ->
                            file.addSymbol(
                                    one.name,
                                    0,
                                    ElfSymbol.LOCAL,
                                    0,
                                    sections.apply(location),
                                    location.offset(),
                                    0));
        }
    }

    private static boolean isAbsolute(Location location) {
        return location.part() == Location.Part.ABSOLUTE;
    }

    /// Returns the targets that functions and variables represent.
    private Set<Target> named() {
        Set<Target> named = new HashSet<>();
        cubin.functions()
                .forEach(function -> named.add(new Target(function.name(), function.location())));
        cubin.symbols().forEach(symbol -> named.add(new Target(symbol.name(), symbol.location())));
        return named;
    }

    /// Adds symbols that another module must define.
    void addUndefinedSymbols() {
        for (CubinRelocation relocation : cubin.relocations()) {
            if (relocation.target() == null) {
                symbols.computeIfAbsent(
                        target(relocation),
                        one ->
                                file.addSymbol(
                                        one.name, 0, ElfSymbol.GLOBAL, 0, file.nothing(), 0, 0));
            }
        }
    }

    /// Adds the sections of relocations, after all symbols.
    ///
    /// @param sections section of a location
    void addSections(Function<Location, ElfWriter.Section> sections) {
        Map<Key, List<CubinRelocation>> groups = new LinkedHashMap<>();
        for (CubinRelocation relocation : cubin.relocations()) {
            Key key = new Key(sections.apply(relocation.place()), relocation.inPlace());
            groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(relocation);
        }
        groups.forEach(this::addSection);
    }

    private void addSection(Key key, List<CubinRelocation> relocations) {
        boolean addend = !key.inPlace;
        ElfWriter.Section section =
                file.addSection(
                        (addend ? WITH_ADDEND : WITHOUT_ADDEND) + file.name(key.patched),
                        addend ? ElfSection.RELA : ElfSection.REL,
                        0);
        section.link = ElfWriter.SYMBOL_TABLE;
        section.info = key.patched.index;
        section.entryBytes = cubin.width().relocationBytes(addend);
        ByteBuffer table =
                ByteBuffer.allocate(section.entryBytes * relocations.size())
                        .order(ByteOrder.LITTLE_ENDIAN);
        relocations.forEach(relocation -> put(table, relocation));
        section.contents = table.array();
    }

    private void put(ByteBuffer table, CubinRelocation relocation) {
        boolean absolute = relocation.target() != null && isAbsolute(relocation.target());
        int symbol = absolute ? 0 : symbols.get(target(relocation));
        int type = relocation.type().number();
        long addend = relocation.addend() + (absolute ? relocation.target().offset() : 0);
        if (cubin.width() == ElfClass.ELF64) {
            table.putLong(relocation.place().offset());
            table.putLong((long) symbol << Integer.SIZE | type);
            if (!relocation.inPlace()) {
                table.putLong(addend);
            }
        } else {
            table.putInt((int) relocation.place().offset());
            table.putInt(symbol << TYPE_BITS_32 | type);
            if (!relocation.inPlace()) {
                table.putInt((int) addend);
            }
        }
    }
}
