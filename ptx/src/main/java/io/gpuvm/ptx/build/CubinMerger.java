package io.gpuvm.ptx.build;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.CubinRelocation;
import io.gpuvm.gf100.cubin.DataSymbol;
import io.gpuvm.gf100.cubin.LineTable;
import io.gpuvm.gf100.cubin.Location;
import io.gpuvm.ptx.ir.Checkpoint;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Merges cubins to one. Variables are moved; the contents of a constant bank are not, since code
/// contains their offsets. Names without a definition in their cubin are resolved, except for
/// functions: compilers differ in the places of arguments.
public final class CubinMerger {
    /// Cubin as a part of the result.
    ///
    /// @param name name in messages
    public record Part(String name, Cubin cubin) {}

    private static final int MAX_PROBLEMS = 100;

    private final List<String> problems = new ArrayList<>();
    private final List<CubinFunction> functions = new ArrayList<>();
    private final List<DataSymbol> symbols = new ArrayList<>();
    private final List<LineTable> lines = new ArrayList<>();
    private final TreeMap<Integer, byte[]> banks = new TreeMap<>();

    /// Part and location that define a name.
    private record Definition(Part part, Location location) {}

    private final Map<String, Definition> definitions = new HashMap<>();

    /// Starts of the variables of a part.
    private record Start(long zeros, long initialized) {}

    private final Map<Part, Start> starts = new IdentityHashMap<>();
    private long zeros;
    private long initialized;
    private int alignment = 1;

    private CubinMerger() {}

    /// Result of a merge.
    ///
    /// @param cubin merged cubin, or null if there was a problem
    /// @param problems descriptions that begin with the name of a part
    public record Result(Cubin cubin, List<String> problems) {}

    /// Merges cubins.
    ///
    /// @param parts at least one
    public static Result merge(List<Part> parts) {
        CubinMerger merger = new CubinMerger();
        Cubin merged = merger.all(parts);
        return new Result(merger.problems.isEmpty() ? merged : null, merger.problems);
    }

    /// Adds a problem, unless there are enough.
    private void refuse(String problem) {
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(problem);
        }
    }

    private Cubin all(List<Part> parts) {
        Part first = parts.getFirst();
        for (Part part : parts) {
            Checkpoint.current().pass();
            if (part.cubin.width() != first.cubin.width()) {
                refuse(
                        "%s: width=%s, but %s of %s"
                                .formatted(
                                        part.name,
                                        part.cubin.width(),
                                        first.cubin.width(),
                                        first.name));
            }
            addVariables(part);
            part.cubin.constants().forEach(bank -> addBank(part, bank));
            for (CubinFunction function : part.cubin.functions()) {
                define(part, function.name(), function.location());
                functions.add(function);
            }
            lines.addAll(part.cubin.lines());
        }
        List<CubinRelocation> relocations = new ArrayList<>();
        for (Part part : parts) {
            Checkpoint.current().pass();
            for (CubinRelocation relocation : part.cubin.relocations()) {
                relocations.add(moved(part, relocation));
            }
        }
        if (!problems.isEmpty()) {
            return null;
        }
        List<ConstantSection> constants = new ArrayList<>();
        banks.forEach((index, contents) ->
                constants.add(new ConstantSection(index, MemorySegment.ofArray(contents))));
        return new Cubin(
                first.cubin.architecture(),
                first.cubin.virtualArchitecture(),
                first.cubin.width(),
                functions,
                constants,
                zeros,
                contents(parts),
                alignment,
                symbols,
                relocations,
                lines);
    }

    private void addVariables(Part part) {
        Cubin cubin = part.cubin;
        alignment = Math.max(alignment, cubin.globalAlignment());
        zeros = align(zeros, cubin.globalAlignment());
        initialized = align(initialized, cubin.globalAlignment());
        starts.put(part, new Start(zeros, initialized));
        zeros += cubin.globalBytes();
        initialized += cubin.globalInit().byteSize();
        for (DataSymbol symbol : cubin.symbols()) {
            Location location = moved(part, symbol.location());
            define(part, symbol.name(), location);
            symbols.add(
                    new DataSymbol(
                            symbol.name(),
                            symbol.space(),
                            symbol.bank(),
                            location.offset(),
                            symbol.sizeBytes()));
        }
    }

    private static long align(long offset, int alignment) {
        return offset + alignment - 1 & -alignment;
    }

    private void define(Part part, String name, Location location) {
        Definition earlier = definitions.putIfAbsent(name, new Definition(part, location));
        if (earlier != null) {
            refuse("%s: %s is defined in %s, too".formatted(part.name, name, earlier.part.name));
        }
    }

    /// Adds a bank; those of two parts must not both have contents in one place. A program that was
    /// compiled for a bank which is occupied at its start has zeros there.
    private void addBank(Part part, ConstantSection bank) {
        byte[] fresh = bank.contents().toArray(ValueLayout.JAVA_BYTE);
        byte[] known = banks.get(bank.index());
        if (known == null) {
            banks.put(bank.index(), fresh);
            return;
        }
        if (isZero(fresh, known.length)) {
            System.arraycopy(known, 0, fresh, 0, known.length);
            banks.put(bank.index(), fresh);
            return;
        }
        refuse(
                "%s: constant bank %d: bytes=%d, but another input has %d bytes there"
                        .formatted(part.name, bank.index(), fresh.length, known.length));
    }

    private static boolean isZero(byte[] bytes, int count) {
        for (int i = 0; i < count; i++) {
            if (i >= bytes.length || bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private MemorySegment contents(List<Part> parts) {
        Checkpoint.current().checkData(initialized);
        MemorySegment contents = MemorySegment.ofArray(new byte[Math.toIntExact(initialized)]);
        for (Part part : parts) {
            MemorySegment own = part.cubin.globalInit();
            MemorySegment.copy(own, 0, contents, starts.get(part).initialized, own.byteSize());
        }
        return contents;
    }

    private Location moved(Part part, Location location) {
        if (location == null) {
            return null;
        }
        long by =
                switch (location.part()) {
                    case GLOBAL -> starts.get(part).zeros;
                    case GLOBAL_INIT -> starts.get(part).initialized;
                    default -> 0;
                };
        return new Location(
                location.part(), location.function(), location.bank(), location.offset() + by);
    }

    private CubinRelocation moved(Part part, CubinRelocation relocation) {
        Location target = moved(part, relocation.target());
        if (target == null) {
            Definition definition = definitions.get(relocation.symbol());
            if (definition == null) {
                refuse("%s: %s is not defined".formatted(part.name, relocation.symbol()));
            } else if (definition.location.part() == Location.Part.CODE) {
                refuse(
                        "%s: function %s is in %s; calls between PTX and cubins are not supported"
                                .formatted(part.name, relocation.symbol(), definition.part.name));
            } else {
                target = definition.location;
            }
        }
        return new CubinRelocation(
                moved(part, relocation.place()),
                relocation.type(),
                relocation.symbol(),
                target,
                relocation.addend(),
                relocation.inPlace());
    }
}
