package io.gpuvm.gf100.cubin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Mapping from a file's sections and symbols to parts of the module and locations in these parts.
final class CubinParts {
    private final ElfFile file;

    /// Start of a section's part of the module, by index of the section.
    private final Map<Integer, Location> starts = new HashMap<>();

    /// Location of a common symbol, by index of the symbol.
    private final Map<Integer, Location> commons = new HashMap<>();

    CubinParts(ElfFile file) {
        this.file = file;
    }

    void add(ElfSection section, Location.Part part, String function, int bank) {
        starts.put(section.index(), new Location(part, function, bank, 0));
    }

    /// Returns the start of a section's part, or null if the section is not part of the module.
    Location start(ElfSection section) {
        return starts.get(section.index());
    }

    void addCommon(ElfSymbol symbol, Location place) {
        commons.put(symbol.index(), place);
    }

    boolean has(Location.Part part) {
        return starts.values().stream().anyMatch(start -> start.part() == part);
    }

    List<CubinRelocation> relocations() {
        List<CubinRelocation> found = new ArrayList<>();
        for (ElfRelocation relocation : file.relocations()) {
            Location start = starts.get(relocation.section());
            // Sections for debuggers are not loaded, and are not validated.
            if (start != null) {
                found.add(relocation(relocation, start.plus(relocation.offset())));
            }
        }
        return found;
    }

    private CubinRelocation relocation(ElfRelocation relocation, Location place) {
        ElfSection section = file.sections().get(relocation.section());
        String where = section.name() + "+" + place.offset();
        RelocationType type = RelocationType.of(relocation.type());
        if (type == null) {
            throw CubinException.at(
                    where, "relocation type", relocation.type(), "a type for data or sm_20 code");
        }
        if (place.offset() > section.contents().byteSize() - type.placeBytes()) {
            throw CubinException.at(
                    where,
                    "end of relocation",
                    place.offset() + type.placeBytes(),
                    section.contents().byteSize());
        }
        ElfSymbol symbol = file.symbols().get(relocation.symbol());
        return new CubinRelocation(
                place,
                type,
                nameOf(symbol),
                target(symbol, where),
                relocation.addend(),
                relocation.inPlace());
    }

    private String nameOf(ElfSymbol symbol) {
        boolean nameless = symbol.name().isEmpty() && symbol.section() < file.sections().size();
        return nameless ? file.sections().get(symbol.section()).name() : symbol.name();
    }

    /// Returns a symbol's location, or null if another file must define the symbol.
    private Location target(ElfSymbol symbol, String where) {
        return switch (symbol.section()) {
            case 0 -> isOptional(symbol) ? absolute(0) : null;
            case ElfSymbol.ABSOLUTE -> absolute(symbol.value());
            case ElfSymbol.COMMON -> commons.get(symbol.index());
            default -> inSection(symbol, where);
        };
    }

    /// Returns whether a symbol may be undefined: a weak symbol, or symbol 0, to which relocations
    /// without a symbol refer.
    private static boolean isOptional(ElfSymbol symbol) {
        return symbol.index() == 0 || symbol.binding() == ElfSymbol.WEAK;
    }

    private static Location absolute(long value) {
        return new Location(Location.Part.ABSOLUTE, "", 0, value);
    }

    private Location inSection(ElfSymbol symbol, String where) {
        Location start = starts.get(symbol.section());
        if (start == null) {
            throw CubinException.at(
                    where + " to " + nameOf(symbol),
                    "section",
                    symbol.section(),
                    "a loaded section");
        }
        long limit = file.sections().get(symbol.section()).sizeBytes();
        if (symbol.value() > limit) {
            throw CubinException.at("symbol " + nameOf(symbol), "offset", symbol.value(), limit);
        }
        return start.plus(symbol.value());
    }
}
