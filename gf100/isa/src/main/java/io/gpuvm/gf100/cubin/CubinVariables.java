package io.gpuvm.gf100.cubin;

import java.util.ArrayList;
import java.util.List;

/// Finds the variables of a file, and allocates space for variables without a section.
final class CubinVariables {
    private final ElfFile file;
    private final CubinParts parts;
    private long globalBytes;
    private int alignment = 1;

    /// @param globalBytes bytes of zero-initialized variables that have a section
    CubinVariables(ElfFile file, CubinParts parts, long globalBytes) {
        this.file = file;
        this.parts = parts;
        this.globalBytes = globalBytes;
    }

    /// Returns the variables, in the order of their symbols.
    List<DataSymbol> read() {
        List<DataSymbol> found = new ArrayList<>();
        for (ElfSymbol symbol : file.symbols()) {
            if (symbol.section() == ElfSymbol.COMMON) {
                found.add(common(symbol));
            } else if (symbol.type() == ElfSymbol.OBJECT
                    && symbol.section() != 0
                    && symbol.section() < ElfSymbol.FIRST_RESERVED) {
                DataSymbol data = inSection(symbol, file.sections().get(symbol.section()));
                if (data != null) {
                    found.add(data);
                }
            }
        }
        return found;
    }

    /// Returns the size in bytes of the zero-initialized variables, including variables without a
    /// section.
    long globalBytes() {
        return globalBytes;
    }

    /// Returns the maximum alignment of variables without a section.
    int alignment() {
        return alignment;
    }

    private DataSymbol common(ElfSymbol symbol) {
        String where = "symbol " + symbol.name();
        CubinFunction.check(where, "alignment", symbol.value(), Cubin.MAX_GLOBAL_ALIGNMENT);
        int wanted = Math.max(1, (int) symbol.value());
        if (Integer.bitCount(wanted) != 1) {
            throw CubinException.at(where, "alignment", wanted, "a power of two");
        }
        long offset = globalBytes + wanted - 1 & -wanted;
        CubinFunction.check(where, "bytes", symbol.sizeBytes(), Cubin.MAX_GLOBAL_BYTES - offset);
        globalBytes = offset + symbol.sizeBytes();
        alignment = Math.max(alignment, wanted);
        DataSymbol variable =
                new DataSymbol(
                        symbol.name(), DataSymbol.Space.GLOBAL, 0, offset, symbol.sizeBytes());
        parts.addCommon(symbol, variable.location());
        return variable;
    }

    /// Returns the variable, or null if the loader does not handle its location.
    private DataSymbol inSection(ElfSymbol symbol, ElfSection section) {
        Location start = parts.start(section);
        if (start == null || !start.function().isEmpty()) {
            return null;
        }
        DataSymbol.Space space =
                switch (start.part()) {
                    case CONSTANT -> DataSymbol.Space.CONSTANT;
                    case GLOBAL -> DataSymbol.Space.GLOBAL;
                    case GLOBAL_INIT -> DataSymbol.Space.GLOBAL_INIT;
                    default -> null;
                };
        if (space == null) {
            return null;
        }
        if (symbol.value() > section.sizeBytes() - symbol.sizeBytes()) {
            throw CubinException.at(
                    "symbol " + symbol.name(),
                    "end",
                    symbol.value() + symbol.sizeBytes(),
                    section.sizeBytes());
        }
        return new DataSymbol(
                symbol.name(), space, start.bank(), symbol.value(), symbol.sizeBytes());
    }
}
