package io.gpuvm.cuda.compiler;

import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxLinker;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxReport;
import io.gpuvm.ptx.PtxResult;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;

/// Compiles and links PTX to machine code, with the user's options, and prints the diagnostics.
/// Confined to one thread.
final class PtxAssembly {
    private static final Set<String> VERBOSE = Set.of("-v", "--verbose");
    private static final Set<String> UNOPTIMIZED = Set.of("-O0", "--opt-level=0");
    private static final Set<String> OPTIMIZED =
            Set.of("-O1", "-O2", "-O3", "-O4", "--opt-level=1", "--opt-level=2", "--opt-level=3");

    private final PtxOptions options;
    private final boolean isVerbose;
    private final PrintWriter err;

    PtxAssembly(CcArguments arguments, PrintWriter err) {
        this.err = err;
        List<String> own = arguments.words(CcOption.TO_PTXAS);
        this.isVerbose =
                arguments.has(CcOption.RESOURCES) || own.stream().anyMatch(VERBOSE::contains);
        own.stream()
                .filter(word -> !VERBOSE.contains(word))
                .filter(word -> !UNOPTIMIZED.contains(word) && !OPTIMIZED.contains(word))
                .forEach(word -> err.printf("warning: -Xptxas %s has no effect%n", word));
        PtxOptions chosen = PtxOptions.DEFAULT;
        if (arguments.has(CcOption.MAX_REGISTERS)) {
            chosen = chosen.withNearestRegisters(registers(arguments));
        }
        boolean isOptimized =
                !arguments.isDeviceDebug() && own.stream().noneMatch(UNOPTIMIZED::contains);
        this.options = isOptimized ? chosen : chosen.withoutOptimization();
    }

    private static int registers(CcArguments arguments) {
        String value = arguments.last(CcOption.MAX_REGISTERS, "");
        if (!value.matches("[1-9]\\d{0,5}")) {
            throw CcException.usage(
                    "-maxrregcount=%s, expected a number of at least 1".formatted(value));
        }
        return Integer.parseInt(value);
    }

    /// Returns the cubin of one source.
    ///
    /// @param name name of the source in diagnostics
    /// @throws CcException if the source has errors, which are printed
    byte[] compile(String name, String ptx) {
        PtxResult result = PtxCompiler.compile(ptx, options);
        result.diagnostics().forEach(each -> err.println(each.in(name)));
        return cubin(result);
    }

    /// Returns the cubin of several sources that use functions and variables of one another.
    ///
    /// @throws CcException if there are errors, which are printed
    byte[] link(List<RelocatableCode.Part> parts) {
        PtxLinker linker = new PtxLinker(options);
        if (parts.size() > PtxLinker.MAX_INPUTS) {
            throw CcException.failure(
                    "objects with code for the GPU=%d, limit=%d"
                            .formatted(parts.size(), PtxLinker.MAX_INPUTS));
        }
        parts.forEach(part -> linker.add(part.name(), part.file()));
        PtxResult result = linker.complete();
        result.diagnostics().forEach(each -> err.println(each.in("device link")));
        return cubin(result);
    }

    private byte[] cubin(PtxResult result) {
        if (!result.isCompiled()) {
            err.flush();
            throw CcException.reported();
        }
        if (isVerbose) {
            PtxReport.of(result, "sm_" + Architecture.MACHINE).forEach(err::println);
        }
        err.flush();
        return result.cubin().toBytes();
    }
}
