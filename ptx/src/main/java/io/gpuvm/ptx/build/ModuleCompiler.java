package io.gpuvm.ptx.build;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.CubinRelocation;
import io.gpuvm.gf100.cubin.DataSymbol;
import io.gpuvm.gf100.cubin.ElfClass;
import io.gpuvm.gf100.cubin.KernelParameter;
import io.gpuvm.gf100.cubin.Location;
import io.gpuvm.gf100.cubin.RelocationType;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult.FunctionResources;
import io.gpuvm.ptx.build.FunctionCompiler.CompiledFunction;
import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxFunctionHeader;
import io.gpuvm.ptx.check.PtxLinkage;
import io.gpuvm.ptx.check.PtxModule;
import io.gpuvm.ptx.check.PtxParameter;
import io.gpuvm.ptx.check.PtxReference;
import io.gpuvm.ptx.check.PtxSpace;
import io.gpuvm.ptx.check.PtxVariable;
import io.gpuvm.ptx.emit.Emitter;
import io.gpuvm.ptx.emit.NestingException;
import io.gpuvm.ptx.lower.LoweringException;
import io.gpuvm.ptx.syntax.ErrorList;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Compiles a checked module to a cubin.
public final class ModuleCompiler {
    private static final int ARCHITECTURE = 20;

    private final PtxModule module;
    private final PtxOptions options;
    private final ErrorList errors;
    private final CompilationStop stop;
    private final ModuleLayout layout;
    private final List<CompiledFunction> compiled = new ArrayList<>();
    private final List<CubinRelocation> relocations = new ArrayList<>();
    private final Map<String, Location> locations = new HashMap<>();

    private ModuleCompiler(
            PtxModule module, PtxOptions options, ErrorList errors, CompilationStop stop) {
        this.module = module;
        this.options = options;
        this.errors = errors;
        this.stop = stop;
        this.layout = new ModuleLayout(module);
    }

    /// Module with the resources of its functions.
    public record CompiledModule(Cubin cubin, List<FunctionResources> resources) {}

    /// Compiles a module.
    ///
    /// @param errors receives errors
    /// @param stop conditions under which the compilation ends early
    /// @return module, or null if there was an error
    /// @throws CompilationStoppedException if the compilation ends early
    public static CompiledModule compile(
            PtxModule module, PtxOptions options, ErrorList errors, CompilationStop stop) {
        return new ModuleCompiler(module, options, errors, stop).compile();
    }

    private CompiledModule compile() {
        FunctionCompiler compiler = new FunctionCompiler(module, layout, stop);
        for (PtxFunction function : module.functions()) {
            compile(compiler, function);
        }
        if (errors.hasErrors()) {
            return null;
        }
        locate();
        List<CubinFunction> functions = new ArrayList<>();
        List<FunctionResources> resources = new ArrayList<>();
        for (CompiledFunction each : compiled) {
            functions.add(function(each));
            resources.add(resources(each));
        }
        addReferences();
        List<ConstantSection> constants = new ArrayList<>();
        if (layout.constantBytes() > 0) {
            constants.add(
                    new ConstantSection(
                            ConstantSection.USER,
                            layout.contents(module, PtxSpace.CONST, layout.constantBytes())));
        }
        Cubin cubin =
                new Cubin(
                        ARCHITECTURE,
                        ARCHITECTURE,
                        module.addressBits() == Long.SIZE ? ElfClass.ELF64 : ElfClass.ELF32,
                        functions,
                        constants,
                        layout.zeroBytes(),
                        layout.contents(module, PtxSpace.GLOBAL, layout.initializedBytes()),
                        layout.globalAlignment(),
                        symbols(),
                        relocations);
        return new CompiledModule(cubin, resources);
    }

    private void compile(FunctionCompiler compiler, PtxFunction function) {
        int limit = options.maxRegisters();
        if (function.bounds().maxRegisters() > 0) {
            limit = Math.clamp(function.bounds().maxRegisters(), PtxOptions.LEAST_REGISTERS, limit);
        }
        try {
            CompiledFunction result = compiler.compile(function, limit, options.optimize());
            if (result == null) {
                errors.error(
                        function.position(),
                        "function %s: registers=%d, expected more"
                                .formatted(function.name(), limit));
            } else {
                compiled.add(result);
            }
        } catch (LoweringException e) {
            errors.error(e.position(), e.getMessage());
        } catch (NestingException e) {
            errors.error(
                    function.position(),
                    "function %s: %s".formatted(function.name(), e.getMessage()));
        }
    }

    private void locate() {
        for (PtxFunction function : module.functions()) {
            locations.put(function.name(), new Location(Location.Part.CODE, function.name(), 0, 0));
        }
        for (PtxVariable variable : module.variables()) {
            switch (variable.space()) {
                case GLOBAL -> {
                    if (variable.linkage() != PtxLinkage.EXTERN) {
                        locations.put(variable.name(), global(variable));
                    }
                }
                case CONST ->
                        locations.put(
                                variable.name(),
                                new Location(
                                        Location.Part.CONSTANT,
                                        "",
                                        ConstantSection.USER,
                                        layout.constantOffset(variable)));
                default -> {}
            }
        }
    }

    private Location global(PtxVariable variable) {
        return new Location(
                ModuleLayout.isInitialized(variable)
                        ? Location.Part.GLOBAL_INIT
                        : Location.Part.GLOBAL,
                "",
                0,
                layout.globalOffset(variable));
    }

    private List<DataSymbol> symbols() {
        List<DataSymbol> symbols = new ArrayList<>();
        for (PtxVariable variable : module.variables()) {
            Location location = locations.get(variable.name());
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
                            variable.name(),
                            space,
                            location.bank(),
                            location.offset(),
                            variable.bytes()));
        }
        return symbols;
    }

    private void addReferences() {
        for (PtxVariable variable : module.variables()) {
            if (variable.space() != PtxSpace.GLOBAL && variable.space() != PtxSpace.CONST) {
                continue;
            }
            for (PtxReference reference : variable.references()) {
                Location start = locations.get(variable.name());
                Location place =
                        new Location(
                                start.part(),
                                start.function(),
                                start.bank(),
                                start.offset() + reference.offset());
                RelocationType type =
                        reference.bytes() == Long.BYTES
                                ? RelocationType.DATA_64
                                : RelocationType.DATA_32;
                relocations.add(
                        new CubinRelocation(
                                place,
                                type,
                                reference.symbol(),
                                locations.get(reference.symbol()),
                                reference.addend(),
                                false));
            }
        }
    }

    private CubinFunction function(CompiledFunction each) {
        PtxFunction source = each.source();
        addRelocations(each);
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
                hasStack
                        ? new CubinFunction.Stack(each.frameBytes(), stackBytes(each), 0)
                        : CubinFunction.Stack.NONE;
        return new CubinFunction(
                source.name(),
                isKernel,
                MemorySegment.ofArray(bytes.array()),
                registers(each),
                barriers(each),
                isKernel ? layout.sharedBytes(source) : 0,
                hasStack ? 0 : each.frameBytes(),
                stack,
                ConstantSection.PARAMETERS,
                parameterBytes,
                parameters,
                banks,
                List.of(),
                List.of());
    }

    private void addRelocations(CompiledFunction each) {
        for (Emitter.Reference reference : each.code().references()) {
            Location place =
                    new Location(Location.Part.CODE, each.source().name(), 0, reference.offset());
            if (reference.callee() != null) {
                relocations.add(relocation(place, RelocationType.ABS32_26, reference.callee(), 0));
                continue;
            }
            boolean isFunction =
                    locations.containsKey(reference.address().symbol())
                            && locations.get(reference.address().symbol()).part()
                                    == Location.Part.CODE;
            RelocationType type =
                    isFunction
                            ? RelocationType.ABS32_26
                            : reference.address().upper()
                                    ? RelocationType.ABS32_HI_26
                                    : RelocationType.ABS32_LO_26;
            relocations.add(
                    relocation(
                            place,
                            type,
                            reference.address().symbol(),
                            reference.address().addend()));
        }
    }

    private CubinRelocation relocation(
            Location place, RelocationType type, String symbol, long addend) {
        return new CubinRelocation(place, type, symbol, locations.get(symbol), addend, false);
    }

    /// Returns the number of registers of a launch: a called function may need more.
    private int registers(CompiledFunction each) {
        if (!each.hasStack()) {
            return each.registers();
        }
        return compiled.stream()
                .filter(other -> other == each || !other.source().header().kernel())
                .mapToInt(CompiledFunction::registers)
                .max()
                .orElseThrow();
    }

    private int barriers(CompiledFunction each) {
        if (!each.hasStack()) {
            return each.barriers();
        }
        return compiled.stream()
                .filter(other -> other == each || !other.source().header().kernel())
                .mapToInt(CompiledFunction::barriers)
                .max()
                .orElseThrow();
    }

    /// Returns the bytes of stack that a function and its callees need, if no function calls
    /// itself; the sum of all frames is an upper bound.
    private int stackBytes(CompiledFunction each) {
        int bytes = each.frameBytes();
        for (CompiledFunction other : compiled) {
            if (other != each && !other.source().header().kernel()) {
                bytes += other.frameBytes();
            }
        }
        return bytes;
    }

    private FunctionResources resources(CompiledFunction each) {
        PtxFunctionHeader header = each.source().header();
        boolean isKernel = header.kernel();
        return new FunctionResources(
                header.name(),
                isKernel,
                registers(each),
                isKernel ? layout.sharedBytes(each.source()) : 0,
                isKernel ? ConstantSection.PARAMETERS + header.signature().parameterBytes() : 0,
                each.frameBytes(),
                each.spills().bytes(),
                each.spills().storeBytes(),
                each.spills().loadBytes(),
                each.hasStack() ? each.frameBytes() : 0);
    }
}
