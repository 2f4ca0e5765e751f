package io.gpuvm.ptx;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinException;
import io.gpuvm.ptx.build.CubinMerger;
import io.gpuvm.ptx.build.FunctionResources;
import io.gpuvm.ptx.build.ModuleCompiler;
import io.gpuvm.ptx.build.SourceUnit;
import io.gpuvm.ptx.ir.Checkpoint;
import io.gpuvm.ptx.syntax.Diagnostic;
import io.gpuvm.ptx.syntax.ErrorList;
import io.gpuvm.ptx.syntax.SourcePosition;
import io.gpuvm.ptx.syntax.SyntaxLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Linker of PTX modules and cubins to one module, as the functions `cuLinkCreate`,
/// `cuLinkAddData`, `cuLinkAddFile` and `cuLinkComplete` of the CUDA driver API need it. Confined
/// to one thread.
///
/// ```java
/// PtxLinker linker = new PtxLinker(PtxOptions.DEFAULT);
/// linker.add("a.ptx", bytesOfA);
/// linker.add("b.ptx", bytesOfB);
/// PtxResult result = linker.complete();
/// ```
///
/// PTX modules are compiled together, so that they may call one another and share variables of all
/// spaces. Cubins may define and use variables of global memory that other inputs use or define;
/// calls between cubins, or between PTX and cubins, are errors, since the compilers of cubins pass
/// arguments in other places. At most one cubin may have constants.
///
/// The message of each diagnostic begins with the name of its input and a colon; line and column
/// are those of that input, or 1 and 1 if the diagnostic has no position.
public final class PtxLinker {
    /// Maximum number of inputs.
    public static final int MAX_INPUTS = 1 << 10;

    private static final String NAME_END = ": ";

    private static final SourcePosition START = new SourcePosition(1, 1);

    /// Input.
    ///
    /// @param errors errors of the input
    private record Input(String name, byte[] bytes, ErrorList errors) {
        boolean isPtx() {
            return !Cubin.isOne(bytes);
        }
    }

    private final PtxOptions options;
    private final PtxLimits limits;
    private final BooleanSupplier isUnwanted;
    private final List<Input> inputs = new ArrayList<>();

    /// @param options options of the compilation of all PTX modules
    public PtxLinker(PtxOptions options) {
        this(options, PtxLimits.DEFAULT, () -> false);
    }

    /// @param options options of the compilation of all PTX modules
    /// @param limits limits of the compilation of all PTX modules together
    /// @param isUnwanted returns whether the caller no longer wants the result, so that
    ///   [#complete()] ends; called on its thread, many times
    public PtxLinker(PtxOptions options, PtxLimits limits, BooleanSupplier isUnwanted) {
        this.options = options;
        this.limits = limits;
        this.isUnwanted = isUnwanted;
    }

    /// Adds an input: PTX, a cubin or a fatbin with a cubin for sm_20 or sm_21. Zeros at the end of
    /// PTX have no effect. Errors of the input are diagnostics of [#complete()].
    ///
    /// @param name name in messages
    /// @param bytes contents, which are copied
    /// @throws IllegalStateException if the linker has [#MAX_INPUTS] inputs
    public void add(String name, byte[] bytes) {
        if (inputs.size() == MAX_INPUTS) {
            throw new IllegalStateException(
                    "inputs=%d, limit=%d".formatted(MAX_INPUTS + 1, MAX_INPUTS));
        }
        inputs.add(new Input(name, bytes.clone(), newList()));
    }

    private static ErrorList newList() {
        return new ErrorList(SyntaxLimits.DEFAULT.errors());
    }

    /// Compiles and links all inputs. The linker may get further inputs afterwards.
    ///
    /// @return module without unresolved names, or diagnostics
    public PtxResult complete() {
        long characters =
                inputs.stream()
                        .filter(Input::isPtx)
                        .mapToLong(input -> text(input.bytes).length())
                        .sum();
        if (characters > limits.characters()) {
            return PtxResult.beyondLimit(
                    "sources: characters=%d, limit=%d".formatted(characters, limits.characters()));
        }
        return PtxCompiler.within(limits, isUnwanted, this::completeNow);
    }

    private PtxResult completeNow() {
        List<Input> fresh =
                inputs.stream()
                        .map(input -> new Input(input.name, input.bytes, newList()))
                        .toList();
        if (fresh.isEmpty()) {
            Diagnostic none = Diagnostic.error(START, "linker: inputs=0, expected at least 1");
            return new PtxResult(null, List.of(), List.of(none));
        }
        List<CubinMerger.Part> parts = new ArrayList<>();
        List<SourceUnit> units = new ArrayList<>();
        fresh.stream().filter(input -> !input.isPtx()).forEach(input -> read(input, parts));
        List<SourceHeader> headers =
                fresh.stream().filter(Input::isPtx).map(input -> check(input, units)).toList();
        PtxResult result =
                hasErrors(fresh) ? result(null, List.of(), fresh) : link(fresh, parts, units);
        return result.isCompiled()
                ? result
                : new PtxResult(
                        null, List.of(), result.diagnostics(), SourceHeader.failureOf(headers));
    }

    private PtxResult link(
            List<Input> fresh, List<CubinMerger.Part> parts, List<SourceUnit> units) {
        ModuleCompiler.CompiledModule compiled = null;
        if (!units.isEmpty()) {
            checkWidths(units);
            compiled =
                    hasErrors(fresh)
                            ? null
                            : ModuleCompiler.compile(
                                    units, options.mode(), constantBytes(parts), names(parts));
            if (compiled == null) {
                return result(null, List.of(), fresh);
            }
            parts.add(new CubinMerger.Part(units.getFirst().name(), compiled.cubin()));
        }
        CubinMerger.Result merged = CubinMerger.merge(parts);
        for (String problem : merged.problems()) {
            // The problem names its input.
            fresh.getFirst().errors.error(START, problem);
        }
        return result(merged.cubin(), compiled == null ? List.of() : compiled.resources(), fresh);
    }

    private static void read(Input input, List<CubinMerger.Part> parts) {
        Checkpoint.current().pass();
        try {
            parts.add(new CubinMerger.Part(input.name, Cubin.read(input.bytes)));
        } catch (CubinException e) {
            input.errors.error(START, e.getMessage());
        }
    }

    private static SourceHeader check(Input input, List<SourceUnit> units) {
        PtxCompiler.Checked checked = PtxCompiler.check(text(input.bytes), input.errors);
        if (checked.module() != null) {
            units.add(new SourceUnit(input.name, checked.module(), input.errors));
        }
        return checked.header();
    }

    private static void checkWidths(List<SourceUnit> units) {
        SourceUnit first = units.getFirst();
        for (SourceUnit unit : units) {
            if (unit.module().addressBits() != first.module().addressBits()) {
                unit.errors()
                        .error(
                                START,
                                ".address_size=%d, but %d in %s"
                                        .formatted(
                                                unit.module().addressBits(),
                                                first.module().addressBits(),
                                                first.name()));
            }
        }
    }

    private static Set<String> names(List<CubinMerger.Part> parts) {
        Set<String> names = new HashSet<>();
        for (CubinMerger.Part part : parts) {
            part.cubin().symbols().forEach(symbol -> names.add(symbol.name()));
            part.cubin().functions().forEach(function -> names.add(function.name()));
        }
        return names;
    }

    /// Returns the number of bytes of the constant bank of variables that the cubins occupy.
    private static int constantBytes(List<CubinMerger.Part> parts) {
        return parts.stream()
                .flatMap(part -> part.cubin().constants().stream())
                .filter(bank -> bank.index() == ConstantSection.USER)
                .mapToInt(bank -> (int) bank.contents().byteSize())
                .max()
                .orElse(0);
    }

    private static boolean hasErrors(List<Input> inputs) {
        return inputs.stream().anyMatch(input -> input.errors.hasErrors());
    }

    private static PtxResult result(
            Cubin cubin, List<FunctionResources> functions, List<Input> inputs) {
        Set<String> names = new HashSet<>();
        inputs.forEach(input -> names.add(input.name));
        List<Diagnostic> diagnostics = new ArrayList<>();
        ErrorCount errors = new ErrorCount();
        for (Input input : inputs) {
            for (Diagnostic found : input.errors.list()) {
                if (errors.add(found)) {
                    diagnostics.add(
                            isNamed(found.message(), names) ? found : named(input.name, found));
                }
            }
        }
        return new PtxResult(cubin, functions, diagnostics);
    }

    /// Numbers of diagnostics of all inputs, which have the limit of one source.
    private static final class ErrorCount {
        private int errors;
        private int warnings;

        /// Counts a diagnostic, and returns whether it is within the limit.
        boolean add(Diagnostic found) {
            int count = found.isError() ? ++errors : ++warnings;
            return count <= SyntaxLimits.DEFAULT.errors();
        }
    }

    /// Returns whether a message begins with the name of an input.
    private static boolean isNamed(String message, Set<String> names) {
        int end = message.indexOf(NAME_END);
        while (end >= 0 && !names.contains(message.substring(0, end))) {
            end = message.indexOf(NAME_END, end + 1);
        }
        return end >= 0;
    }

    private static Diagnostic named(String input, Diagnostic found) {
        return new Diagnostic(
                found.line(), found.column(), found.severity(), input + NAME_END + found.message());
    }

    private static String text(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }
}
