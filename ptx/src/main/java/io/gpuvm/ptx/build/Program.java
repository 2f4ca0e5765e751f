package io.gpuvm.ptx.build;

import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxFunctionHeader;
import io.gpuvm.ptx.check.PtxLinkage;
import io.gpuvm.ptx.check.PtxModule;
import io.gpuvm.ptx.check.PtxSpace;
import io.gpuvm.ptx.check.PtxSymbol;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.check.PtxVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Modules with the names that they share resolved: each declaration has a definition, or none if
/// the loader has to find it.
///
/// A name with the linkage `.visible` has one definition, `.weak` gives way to another definition,
/// and of several `.common` declarations the largest is the definition. Other names are their
/// module's own; if several modules have the same name, all but the first are renamed.
final class Program {
    /// Definition of a name that modules share.
    private record Definition(SourceUnit unit, PtxSymbol symbol) {}

    private final List<SourceUnit> units;
    private final Map<String, Definition> shared = new LinkedHashMap<>();
    private final Map<PtxSymbol, PtxSymbol> definitions = new HashMap<>();
    private final Map<PtxSymbol, String> names = new HashMap<>();
    private final Map<SourceUnit, Map<String, PtxSymbol>> scopes = new IdentityHashMap<>();
    private final Set<PtxVariable> variables = new LinkedHashSet<>();
    private final Set<String> unresolved = new LinkedHashSet<>();

    private Program(List<SourceUnit> units) {
        this.units = List.copyOf(units);
    }

    /// Resolves the names of modules. Errors are added to the modules' lists.
    ///
    /// @param units at least one module, with addresses of the same width
    static Program of(List<SourceUnit> units) {
        Program program = new Program(units);
        units.forEach(program::define);
        program.rename();
        units.forEach(program::resolve);
        return program;
    }

    List<SourceUnit> units() {
        return units;
    }

    /// Returns the names without a definition that some module uses.
    Set<String> unresolved() {
        return unresolved;
    }

    int addressBits() {
        return units.getFirst().module().addressBits();
    }

    // Definitions.

    private static List<PtxSymbol> symbols(PtxModule module) {
        List<PtxSymbol> symbols = new ArrayList<>(module.headers());
        symbols.addAll(module.variables());
        return symbols;
    }

    static PtxLinkage linkage(PtxSymbol symbol) {
        return switch (symbol) {
            case PtxVariable variable -> variable.linkage();
            case PtxFunctionHeader header -> header.linkage();
        };
    }

    private static boolean isDefinition(PtxSymbol symbol) {
        return switch (symbol) {
            case PtxVariable variable -> variable.linkage() != PtxLinkage.EXTERN;
            case PtxFunctionHeader header -> header.defined();
        };
    }

    private void define(SourceUnit unit) {
        Map<String, PtxSymbol> scope = new HashMap<>();
        for (PtxSymbol symbol : symbols(unit.module())) {
            scope.put(symbol.name(), symbol);
            if (isDefinition(symbol) && linkage(symbol) != PtxLinkage.INTERNAL) {
                Definition fresh = new Definition(unit, symbol);
                Definition known = shared.putIfAbsent(symbol.name(), fresh);
                if (known != null) {
                    shared.put(symbol.name(), better(known, fresh));
                }
            }
        }
        scopes.put(unit, scope);
    }

    private static Definition better(Definition known, Definition fresh) {
        PtxLinkage first = linkage(known.symbol);
        PtxLinkage second = linkage(fresh.symbol);
        if (first == PtxLinkage.COMMON && second == PtxLinkage.COMMON) {
            return merged(known, fresh);
        }
        if (second == PtxLinkage.WEAK || second == PtxLinkage.COMMON) {
            return known;
        }
        if (first == PtxLinkage.WEAK || first == PtxLinkage.COMMON) {
            return fresh;
        }
        LinkErrors.add(
                fresh.unit,
                fresh.symbol,
                "%s is defined in %s, too".formatted(fresh.symbol.name(), known.unit.name()));
        return known;
    }

    /// Returns the larger of two common variables, with the stricter alignment.
    private static Definition merged(Definition known, Definition fresh) {
        PtxVariable first = (PtxVariable) known.symbol;
        PtxVariable second = (PtxVariable) fresh.symbol;
        boolean initial = second.initial().byteSize() > 0 || !second.references().isEmpty();
        PtxVariable chosen = second.bytes() > first.bytes() || initial ? second : first;
        int alignment = Math.max(first.alignment(), second.alignment());
        if (chosen.alignment() == alignment) {
            return chosen == first ? known : fresh;
        }
        PtxVariable aligned =
                new PtxVariable(
                        chosen.index(),
                        chosen.name(),
                        chosen.space(),
                        chosen.type(),
                        chosen.bytes(),
                        alignment,
                        chosen.linkage(),
                        chosen.role(),
                        chosen.initial(),
                        chosen.references(),
                        chosen.function());
        return new Definition(chosen == first ? known.unit : fresh.unit, aligned);
    }

    private static boolean isTexture(PtxSymbol symbol) {
        return symbol instanceof PtxVariable variable && variable.type() == PtxType.TEXREF;
    }

    /// Gives each definition its name in the program. A texture keeps its own.
    private void rename() {
        Set<String> used = new LinkedHashSet<>(shared.keySet());
        Map<String, SourceUnit> textures = new HashMap<>();
        shared.forEach((name, definition) -> textures.put(name, definition.unit));
        for (int i = 0; i < units.size(); i++) {
            for (PtxSymbol symbol : symbols(units.get(i).module())) {
                if (!isDefinition(symbol) || linkage(symbol) != PtxLinkage.INTERNAL) {
                    continue;
                }
                String name = symbol.name();
                if (isTexture(symbol)) {
                    SourceUnit other = textures.putIfAbsent(name, units.get(i));
                    if (other != null) {
                        LinkErrors.add(
                                units.get(i),
                                "texture %s is defined in %s, too: programs bind textures by their names"
                                        .formatted(name, other.name()));
                    }
                }
                for (int number = i; !used.add(name); number++) {
                    name = symbol.name() + "$" + number;
                }
                names.put(symbol, name);
            }
        }
        shared.forEach((name, definition) -> names.put(definition.symbol, name));
    }

    // Declarations.

    private void resolve(SourceUnit unit) {
        Set<String> used = Uses.names(unit.module());
        for (PtxSymbol symbol : symbols(unit.module())) {
            if (isDefinition(symbol) && linkage(symbol) == PtxLinkage.INTERNAL) {
                add(symbol);
                continue;
            }
            Definition definition = shared.get(symbol.name());
            if (definition != null) {
                resolve(unit, symbol, definition);
            } else if (used.contains(symbol.name()) && !isDynamic(symbol)) {
                unresolved.add(symbol.name());
            }
        }
    }

    private static boolean isDynamic(PtxSymbol symbol) {
        return symbol instanceof PtxVariable variable && variable.isDynamicShared();
    }

    private void resolve(SourceUnit unit, PtxSymbol symbol, Definition definition) {
        definitions.put(symbol, definition.symbol);
        String problem = difference(symbol, definition.symbol);
        if (problem != null) {
            LinkErrors.add(
                    unit,
                    symbol,
                    "%s: %s in %s".formatted(symbol.name(), problem, definition.unit.name()));
        }
        if (definition.unit == unit) {
            add(definition.symbol);
        }
    }

    private void add(PtxSymbol definition) {
        if (definition instanceof PtxVariable variable) {
            variables.add(variable);
        }
    }

    /// Returns the contradiction of a declaration to its definition, or null.
    private static String difference(PtxSymbol declaration, PtxSymbol definition) {
        if (declaration instanceof PtxVariable a && definition instanceof PtxVariable b) {
            return a.space() == b.space()
                    ? null
                    : "space=%s, but %s".formatted(a.space(), b.space());
        }
        if (declaration instanceof PtxFunctionHeader a
                && definition instanceof PtxFunctionHeader b) {
            return a.kernel() == b.kernel() && a.signature().agrees(b.signature())
                    ? null
                    : "other parameters than";
        }
        return "is a variable here and a function there, or vice versa,";
    }

    // Results.

    /// Returns the definition of a symbol, or the symbol itself if it has none or is no
    /// declaration.
    PtxSymbol definition(PtxSymbol symbol) {
        return definitions.getOrDefault(symbol, symbol);
    }

    PtxVariable definition(PtxVariable variable) {
        return definitions.getOrDefault(variable, variable) instanceof PtxVariable found
                ? found
                : variable;
    }

    /// Returns the name of a symbol in the program.
    String name(PtxSymbol symbol) {
        PtxSymbol definition = definition(symbol);
        return names.getOrDefault(definition, symbol.name());
    }

    /// Returns the symbol with a name in a module.
    PtxSymbol find(SourceUnit unit, String name) {
        return scopes.get(unit).get(name);
    }

    /// Returns the variables of all modules that have memory, each once.
    List<PtxVariable> variables() {
        return List.copyOf(variables);
    }

    /// Returns the functions of a module that the program contains.
    List<PtxFunction> functions(SourceUnit unit) {
        return unit.module().functions().stream()
                .filter(function -> definition(function.header()) == function.header())
                .toList();
    }

    /// Returns the functions of all modules that the program contains.
    List<PtxFunction> functions() {
        return units.stream().flatMap(unit -> functions(unit).stream()).toList();
    }

    /// Returns whether a module declares or defines a variable in a space.
    boolean hasVariables(PtxSpace space) {
        return units.stream()
                .flatMap(unit -> unit.module().variables().stream())
                .anyMatch(variable -> variable.space() == space);
    }
}
