package io.gpuvm.ptx.build;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.CubinRelocation;
import io.gpuvm.gf100.cubin.DataSymbol;
import io.gpuvm.gf100.cubin.ElfClass;
import io.gpuvm.gf100.cubin.InfoAttribute;
import io.gpuvm.gf100.cubin.InfoRecord;
import io.gpuvm.gf100.cubin.KernelParameter;
import io.gpuvm.gf100.cubin.LineTable;
import io.gpuvm.gf100.cubin.Location;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.ptx.build.FunctionCompiler.CompiledFunction;
import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxLaunchBounds;
import io.gpuvm.ptx.check.PtxParameter;
import io.gpuvm.ptx.check.PtxSourceLine;
import io.gpuvm.ptx.check.PtxVariable;
import io.gpuvm.ptx.emit.Emitter;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/// Builds the cubin of a program from the machine code of its functions.
final class CubinBuilder {
    private static final int ARCHITECTURE = 20;

    private static final int ENTRIES_PER_REGION = 2;
    private static final int ENTRIES_PER_UNIT = 2;

    /// Number of entries of the divergence stack that need no memory: fewer than the 32 that
    /// hardware is assumed to have.
    private static final int OWN_ENTRIES = 16;

    private final Program program;
    private final Layouts layouts;
    private final List<CompiledFunction> compiled;
    private final Map<PtxFunction, SourceUnit> units = new IdentityHashMap<>();

    CubinBuilder(Program program, Layouts layouts, List<CompiledFunction> compiled) {
        this.program = program;
        this.layouts = layouts;
        this.compiled = compiled;
        for (SourceUnit unit : program.units()) {
            unit.module().functions().forEach(function -> units.put(function, unit));
        }
    }

    Cubin build() {
        List<ConstantSection> constants = new ArrayList<>();
        if (layouts.module().hasConstants()) {
            constants.add(new ConstantSection(ConstantSection.USER, layouts.module().constants()));
        }
        List<CubinRelocation> relocations =
                new Relocations(program, layouts.module(), compiled).list();
        return new Cubin(
                ARCHITECTURE,
                ARCHITECTURE,
                program.addressBits() == Long.SIZE ? ElfClass.ELF64 : ElfClass.ELF32,
                compiled.stream().map(this::function).toList(),
                constants,
                layouts.module().zeroBytes(),
                layouts.module().globals(),
                layouts.module().globalAlignment(),
                symbols(),
                relocations,
                compiled.stream().map(this::lines).filter(table -> !table.isEmpty()).toList());
    }

    private List<DataSymbol> symbols() {
        List<DataSymbol> symbols = new ArrayList<>();
        for (PtxVariable variable : program.variables()) {
            Location location = layouts.module().location(variable);
            if (location == null) {
                continue;
            }
            DataSymbol.Space space =
                    switch (location.part()) {
                        case CONSTANT -> DataSymbol.Space.CONSTANT;
                        case GLOBAL -> DataSymbol.Space.GLOBAL;
                        default -> DataSymbol.Space.GLOBAL_INIT;
                    };
            symbols.add(
                    new DataSymbol(
                            program.name(variable),
                            space,
                            location.bank(),
                            location.offset(),
                            variable.bytes()));
        }
        return symbols;
    }

    private CubinFunction function(CompiledFunction each) {
        PtxFunction source = each.source();
        ByteBuffer bytes =
                ByteBuffer.allocate(each.code().words().length * InstructionTable.INSTRUCTION_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (long word : each.code().words()) {
            bytes.putLong(word);
        }
        boolean isKernel = source.header().kernel();
        List<KernelParameter> parameters = new ArrayList<>();
        int parameterBytes = 0;
        List<ConstantSection> banks = new ArrayList<>();
        if (isKernel) {
            for (PtxParameter parameter : source.header().signature().parameters()) {
                parameters.add(
                        new KernelParameter(
                                parameters.size(), parameter.offset(), (int) parameter.bytes()));
            }
            parameterBytes = source.header().signature().parameterBytes() + 3 & -4;
            banks.add(
                    new ConstantSection(
                            ConstantSection.DRIVER,
                            MemorySegment.ofArray(
                                    new byte[ConstantSection.PARAMETERS + parameterBytes])));
        }
        boolean hasStack = each.hasStack();
        CubinFunction.Stack stack =
                new CubinFunction.Stack(
                        hasStack ? each.frameBytes() : 0,
                        hasStack ? stackBytes(each) : 0,
                        callStackUnits(each));
        return new CubinFunction(
                program.name(source.header()),
                isKernel,
                MemorySegment.ofArray(bytes.array()),
                most(each, CompiledFunction::registers),
                most(each, CompiledFunction::barriers),
                isKernel ? layouts.shared().bytes(source) : 0,
                hasStack ? 0 : each.frameBytes(),
                stack,
                ConstantSection.PARAMETERS,
                parameterBytes,
                parameters,
                banks,
                List.of(),
                blockSizes(source.bounds()));
    }

    private static List<InfoRecord> blockSizes(PtxLaunchBounds bounds) {
        List<InfoRecord> records = new ArrayList<>();
        addSizes(records, InfoAttribute.MAX_THREADS, bounds.maxThreads());
        addSizes(records, InfoAttribute.REQNTID, bounds.requiredThreads());
        return records;
    }

    private static void addSizes(
            List<InfoRecord> records, InfoAttribute attribute, List<Integer> sizes) {
        if (!sizes.isEmpty()) {
            int[] words = new int[CubinFunction.DIMENSIONS];
            Arrays.setAll(words, i -> i < sizes.size() ? sizes.get(i) : 1);
            records.add(InfoRecord.of(attribute, words));
        }
    }

    /// Returns the number of a resource that a launch needs: a called function may need more than
    /// its caller.
    private int most(CompiledFunction each, ToIntFunction<CompiledFunction> resource) {
        if (!each.hasStack()) {
            return resource.applyAsInt(each);
        }
        return compiled.stream()
                .filter(other -> other == each || !other.source().header().kernel())
                .mapToInt(resource)
                .max()
                .orElseThrow();
    }

    /// Returns the bytes of stack that a function and its callees need, if no function calls
    /// itself; the sum of all frames is an upper bound.
    private int stackBytes(CompiledFunction each) {
        long bytes = each.frameBytes();
        for (CompiledFunction other : compiled) {
            if (other != each && !other.source().header().kernel()) {
                bytes += other.frameBytes();
            }
        }
        return (int) Math.min(bytes, CubinFunction.MAX_LOCAL_BYTES);
    }

    /// Returns the size of the warp's call and divergence stack, 0 if the multiprocessor's own
    /// entries suffice: a region has an entry for its join and one for the threads that wait for
    /// their turn, and a call has one for its return.
    private int callStackUnits(CompiledFunction each) {
        int entries = ENTRIES_PER_REGION * each.nesting();
        for (CompiledFunction other : compiled) {
            if (each.hasStack() && other != each && !other.source().header().kernel()) {
                entries += ENTRIES_PER_REGION * other.nesting() + 1;
            }
        }
        return entries <= OWN_ENTRIES ? 0 : (entries + 1) / ENTRIES_PER_UNIT;
    }

    /// Returns the source lines of a function's instructions. The number of a line is that of the
    /// PTX instruction, from 1.
    private LineTable lines(CompiledFunction each) {
        Map<Integer, String> files = units.get(each.source()).module().files();
        List<LineTable.Row> rows = new ArrayList<>();
        PtxSourceLine last = null;
        for (Emitter.Line line : each.code().lines()) {
            PtxSourceLine found = each.source().code().get(line.line() - 1).line();
            if (!found.equals(last)) {
                last = found;
                rows.add(
                        new LineTable.Row(
                                line.offset(),
                                files.getOrDefault(found.file(), ""),
                                found.line(),
                                found.column()));
            }
        }
        return new LineTable(program.name(each.source().header()), rows);
    }
}
