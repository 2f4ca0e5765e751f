package io.gpuvm.ptx.build;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.ptx.build.FunctionCompiler.CompiledFunction;
import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxFunctionHeader;
import io.gpuvm.ptx.check.PtxModule;
import io.gpuvm.ptx.emit.NestingException;
import io.gpuvm.ptx.ir.Checkpoint;
import io.gpuvm.ptx.lower.LoweringException;
import io.gpuvm.ptx.syntax.ErrorList;
import io.gpuvm.ptx.syntax.Quotation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Compiles checked modules to one cubin.
public final class ModuleCompiler {
    private final Program program;
    private final CompilationMode mode;
    private final Layouts layouts;
    private final List<CompiledFunction> compiled = new ArrayList<>();

    private ModuleCompiler(Program program, CompilationMode mode, int constantStart) {
        this.program = program;
        this.mode = mode;
        layouts = Layouts.of(program, constantStart);
    }

    /// Module with the resources of its functions.
    public record CompiledModule(Cubin cubin, List<FunctionResources> resources) {}

    /// Compiles a module that defines all names which it uses.
    ///
    /// @param errors receives errors
    /// @return module, or null if there was an error
    public static CompiledModule compile(PtxModule module, CompilationMode mode, ErrorList errors) {
        return compile(List.of(new SourceUnit("module", module, errors)), mode, 0, Set.of());
    }

    /// Compiles modules to one. Errors are added to the modules' lists.
    ///
    /// @param units at least one module, with addresses of the same width
    /// @param constantStart bytes at the start of constant memory that are not the program's
    /// @param others names that others than the modules define
    /// @return module, or null if there was an error
    public static CompiledModule compile(
            List<SourceUnit> units, CompilationMode mode, int constantStart, Set<String> others) {
        Program program = programOf(units);
        if (program == null) {
            return null;
        }
        refuse(program, others);
        return hasErrors(units) ? null : new ModuleCompiler(program, mode, constantStart).compile();
    }

    /// Adds an error for each name without a definition, to the first module that uses it.
    private static void refuse(Program program, Set<String> others) {
        Set<String> missing = new HashSet<>(program.unresolved());
        missing.removeAll(others);
        for (SourceUnit unit : program.units()) {
            if (missing.isEmpty()) {
                return;
            }
            for (String name : Uses.names(unit.module())) {
                if (missing.remove(name) && !unit.errors().isFull()) {
                    // The search for the position visits the whole module.
                    Checkpoint.current().pass();
                    unit.errors()
                            .error(
                                    Uses.position(unit.module(), name),
                                    Quotation.of(name) + " is not defined");
                }
            }
        }
    }

    /// Returns the program of modules and of the builtin functions that they use, or null if there
    /// was an error.
    private static Program programOf(List<SourceUnit> units) {
        List<SourceUnit> all = new ArrayList<>(units);
        while (true) {
            Program program = Program.of(all);
            if (hasErrors(all)) {
                return null;
            }
            List<String> builtins = program.unresolved().stream().filter(Builtins::isOne).toList();
            if (builtins.isEmpty()) {
                return program;
            }
            all.addAll(Builtins.units(builtins, program.addressBits()));
        }
    }

    private static boolean hasErrors(List<SourceUnit> units) {
        return units.stream().anyMatch(unit -> unit.errors().hasErrors());
    }

    private CompiledModule compile() {
        String problem = layouts.problem();
        if (problem != null) {
            LinkErrors.add(program.units().getFirst(), problem);
            return null;
        }
        FunctionCompiler compiler = new FunctionCompiler(layouts);
        for (SourceUnit unit : program.units()) {
            for (PtxFunction function : program.functions(unit)) {
                if (!unit.errors().isFull()) {
                    compile(compiler, unit, function);
                }
            }
        }
        if (hasErrors(program.units())) {
            return null;
        }
        Cubin cubin = new CubinBuilder(program, layouts, compiled).build();
        if (hasErrors(program.units())) {
            return null;
        }
        List<FunctionResources> resources = new ArrayList<>();
        for (int i = 0; i < compiled.size(); i++) {
            resources.add(resources(compiled.get(i), cubin.functions().get(i)));
        }
        return new CompiledModule(cubin, resources);
    }

    private void compile(FunctionCompiler compiler, SourceUnit unit, PtxFunction function) {
        int limit = mode.maxRegisters();
        int bound = function.bounds().registers();
        if (bound > 0 && bound < limit) {
            limit = Math.max(bound, CompilationMode.LEAST_REGISTERS);
        }
        try {
            check(function);
            CompiledFunction result =
                    compiler.compile(unit.module(), function, limit, mode.optimize());
            if (result == null) {
                throw new ResourceException(
                        "function %s: registers=%d, expected more"
                                .formatted(function.name(), limit));
            }
            if (result.frameBytes() > CubinFunction.MAX_LOCAL_BYTES) {
                throw new ResourceException(
                        "function %s: bytes of local memory with spilled registers=%d, limit=%d"
                                .formatted(
                                        function.name(),
                                        result.frameBytes(),
                                        CubinFunction.MAX_LOCAL_BYTES));
            }
            compiled.add(result);
        } catch (LoweringException e) {
            unit.errors().error(e.position(), e.getMessage());
        } catch (NestingException e) {
            unit.errors()
                    .error(
                            function.position(),
                            "function %s: %s".formatted(function.name(), e.getMessage()));
        }
    }

    private void check(PtxFunction function) {
        if (function.header().kernel()) {
            int bytes = layouts.shared().bytes(function);
            if (bytes > CubinFunction.MAX_SHARED_BYTES) {
                throw new LoweringException(
                        function.position(),
                        "function %s: bytes of shared memory=%d, limit=%d"
                                .formatted(function.name(), bytes, CubinFunction.MAX_SHARED_BYTES));
            }
        }
    }

    private static FunctionResources resources(CompiledFunction each, CubinFunction built) {
        PtxFunctionHeader header = each.source().header();
        boolean isKernel = header.kernel();
        return new FunctionResources(
                built.name(),
                isKernel,
                built.registers(),
                built.sharedBytes(),
                isKernel ? ConstantSection.PARAMETERS + header.signature().parameterBytes() : 0,
                each.frameBytes(),
                each.spills().bytes(),
                each.spills().storeBytes(),
                each.spills().loadBytes(),
                each.hasStack() ? each.frameBytes() : 0);
    }
}
