package io.gpuvm.ptx.build;

import io.gpuvm.gf100.cubin.CubinRelocation;
import io.gpuvm.gf100.cubin.Location;
import io.gpuvm.gf100.cubin.RelocationType;
import io.gpuvm.ptx.build.FunctionCompiler.CompiledFunction;
import io.gpuvm.ptx.check.PtxFunctionHeader;
import io.gpuvm.ptx.check.PtxReference;
import io.gpuvm.ptx.check.PtxSpace;
import io.gpuvm.ptx.check.PtxSymbol;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.check.PtxVariable;
import io.gpuvm.ptx.emit.Emitter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Creates the relocations of a program: addresses in code and in initial values.
final class Relocations {
    /// Name of the symbol at the start of the constant bank.
    private static final String CONSTANTS = "$constants";

    private final Program program;
    private final ModuleLayout layout;
    private final Map<String, Location> locations = new HashMap<>();
    private final List<CubinRelocation> relocations = new ArrayList<>();

    Relocations(Program program, ModuleLayout layout, List<CompiledFunction> compiled) {
        this.program = program;
        this.layout = layout;
        for (CompiledFunction each : compiled) {
            String name = program.name(each.source().header());
            locations.put(name, new Location(Location.Part.CODE, name, 0, 0));
        }
        for (PtxVariable variable : program.variables()) {
            Location location = layout.location(variable);
            if (location != null) {
                locations.put(program.name(variable), location);
            }
        }
        compiled.forEach(this::addCode);
        program.units().forEach(this::addData);
        addConstantWindow();
    }

    List<CubinRelocation> list() {
        return relocations;
    }

    private void addCode(CompiledFunction each) {
        String function = program.name(each.source().header());
        for (Emitter.Reference reference : each.code().references()) {
            Location place = new Location(Location.Part.CODE, function, 0, reference.offset());
            if (reference.callee() != null) {
                add(place, RelocationType.ABS32_26, reference.callee(), 0);
                continue;
            }
            String symbol = reference.address().symbol();
            Location target = locations.get(symbol);
            boolean isFunction = target != null && target.part() == Location.Part.CODE;
            RelocationType type =
                    isFunction
                            ? RelocationType.ABS32_26
                            : reference.address().upper()
                                    ? RelocationType.ABS32_HI_26
                                    : RelocationType.ABS32_LO_26;
            add(place, type, symbol, reference.address().addend());
        }
    }

    private void addData(SourceUnit unit) {
        for (PtxVariable variable : unit.module().variables()) {
            if (program.definition(variable) != variable
                    && program.definition(variable).references() != variable.references()) {
                continue;
            }
            Location start = layout.location(variable);
            if (start != null) {
                merged(unit, variable)
                        .forEach(reference -> addData(unit, variable, start, reference));
            }
        }
    }

    private void addData(
            SourceUnit unit, PtxVariable variable, Location start, PtxReference reference) {
        PtxSymbol symbol = program.find(unit, reference.symbol());
        if (symbol instanceof PtxVariable target && target.space() == PtxSpace.SHARED) {
            LinkErrors.add(
                    unit,
                    variable,
                    "initial value of %s: the address of %s differs between kernels"
                            .formatted(variable.name(), target.name()));
            return;
        }
        if (symbol instanceof PtxVariable target && target.type().kind() == PtxType.Kind.OPAQUE) {
            LinkErrors.add(
                    unit,
                    variable,
                    "initial value of %s: %s is not in memory"
                            .formatted(variable.name(), target.name()));
            return;
        }
        add(
                new Location(
                        start.part(),
                        start.function(),
                        start.bank(),
                        start.offset() + reference.offset()),
                type(symbol, reference),
                program.name(symbol),
                reference.addend());
    }

    private static RelocationType type(PtxSymbol symbol, PtxReference reference) {
        boolean isWide = reference.bytes() == Long.BYTES;
        boolean isConstant =
                symbol instanceof PtxVariable variable && variable.space() == PtxSpace.CONST;
        if (reference.generic() && isConstant) {
            return isWide ? RelocationType.G64 : RelocationType.G32;
        }
        if (symbol instanceof PtxFunctionHeader) {
            return isWide ? RelocationType.FUNC_DESC_64 : RelocationType.FUNC_DESC_32;
        }
        return isWide ? RelocationType.DATA_64 : RelocationType.DATA_32;
    }

    /// Returns the references of a variable, of which those to all bytes of an address in turn
    /// become one.
    private static List<PtxReference> merged(SourceUnit unit, PtxVariable variable) {
        List<PtxReference> all = variable.references();
        List<PtxReference> merged = new ArrayList<>();
        for (int i = 0; i < all.size(); ) {
            PtxReference first = all.get(i);
            if (first.bytes() != 1) {
                merged.add(first);
                i++;
                continue;
            }
            int count = run(all, i);
            int bytes = unit.module().addressBits() / Byte.SIZE;
            if (count < bytes) {
                LinkErrors.add(
                        unit,
                        variable,
                        "initial value of %s: bytes of the address of %s=%d, expected all %d in order"
                                .formatted(variable.name(), first.symbol(), count, bytes));
                return List.of();
            }
            merged.add(
                    new PtxReference(
                            first.offset(),
                            bytes,
                            first.symbol(),
                            first.addend(),
                            first.generic(),
                            0));
            i += bytes;
        }
        return merged;
    }

    /// Returns the number of bytes of one address that follow one another, from the lowest.
    private static int run(List<PtxReference> all, int from) {
        PtxReference first = all.get(from);
        int count = 0;
        while (count < Long.BYTES && from + count < all.size()) {
            PtxReference next = all.get(from + count);
            boolean follows =
                    next.bytes() == 1
                            && next.shift() == count * Byte.SIZE
                            && next.offset() == first.offset() + count
                            && next.symbol().equals(first.symbol())
                            && next.addend() == first.addend();
            if (!follows) {
                break;
            }
            count++;
        }
        return count;
    }

    private void addConstantWindow() {
        if (layout.constantWindow() >= 0) {
            relocations.add(
                    new CubinRelocation(
                            ModuleLayout.constant(layout.constantWindow()),
                            RelocationType.G64,
                            CONSTANTS,
                            ModuleLayout.constant(0),
                            0,
                            false));
        }
    }

    private void add(Location place, RelocationType type, String symbol, long addend) {
        relocations.add(
                new CubinRelocation(place, type, symbol, locations.get(symbol), addend, false));
    }
}
