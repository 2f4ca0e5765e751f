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
    private final Callees callees;
    private final TextureUse textures;
    private final Map<PtxFunction, SourceUnit> units = new IdentityHashMap<>();

    CubinBuilder(Program program, Layouts layouts, List<CompiledFunction> compiled) {
        this.program = program;
        this.layouts = layouts;
        this.compiled = compiled;
        callees = Callees.of(compiled);
        textures = new TextureUse(program, compiled);
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
                most(each, each.registers(), callees.registers),
                most(each, each.barriers(), callees.barriers),
                isKernel ? layouts.shared().bytes(source) : 0,
                hasStack ? 0 : each.frameBytes(),
                stack,
                ConstantSection.PARAMETERS,
                parameterBytes,
                parameters,
                banks,
                layouts.textures().textures(textures.slots(source)),
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
    ///
    /// @param ofCallees maximum of all functions that can be called
    private static int most(CompiledFunction each, int own, int ofCallees) {
        return each.hasStack() ? Math.max(own, ofCallees) : own;
    }

    /// Returns the bytes of stack that a function and its callees need, if no function calls
    /// itself; the sum of all frames is an upper bound.
    private int stackBytes(CompiledFunction each) {
        long bytes = callees.frameBytes + (isKernel(each) ? each.frameBytes() : 0);
        return (int) Math.min(bytes, CubinFunction.MAX_LOCAL_BYTES);
    }

    /// Returns the size of the warp's call and divergence stack, 0 if the multiprocessor's own
    /// entries suffice: a region has an entry for its join and one for the threads that wait for
    /// their turn, and a call has one for its return.
    private int callStackUnits(CompiledFunction each) {
        long entries = (long) ENTRIES_PER_REGION * each.nesting();
        if (each.hasStack()) {
            entries = isKernel(each) ? entries + callees.entries : callees.entries - 1;
        }
        return entries <= OWN_ENTRIES ? 0 : (int) ((entries + 1) / ENTRIES_PER_UNIT);
    }

    private static boolean isKernel(CompiledFunction each) {
        return each.source().header().kernel();
    }

    /// Resources of all functions that can be called.
    ///
    /// @param registers maximum number of registers
    /// @param barriers maximum number of barriers
    /// @param frameBytes sum of the frames in bytes
    /// @param entries sum of the entries of the call and divergence stack
    private record Callees(int registers, int barriers, long frameBytes, long entries) {
        static Callees of(List<CompiledFunction> compiled) {
            int registers = 0;
            int barriers = 0;
            long frameBytes = 0;
            long entries = 0;
            for (CompiledFunction each : compiled) {
                if (!isKernel(each)) {
                    registers = Math.max(registers, each.registers());
                    barriers = Math.max(barriers, each.barriers());
                    frameBytes += each.frameBytes();
                    entries += (long) ENTRIES_PER_REGION * each.nesting() + 1;
                }
            }
            return new Callees(registers, barriers, frameBytes, entries);
        }
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
