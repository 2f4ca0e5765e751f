package io.gpuvm.ptx;

import io.gpuvm.ptx.build.CompilationStop;
import io.gpuvm.ptx.build.CompilationStoppedException;
import io.gpuvm.ptx.build.ModuleCompiler;
import io.gpuvm.ptx.check.CheckOptions;
import io.gpuvm.ptx.check.PtxChecker;
import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxModule;
import io.gpuvm.ptx.syntax.ErrorList;
import io.gpuvm.ptx.syntax.ModuleTree;
import io.gpuvm.ptx.syntax.PtxParser;
import io.gpuvm.ptx.syntax.SourcePosition;
import io.gpuvm.ptx.syntax.SyntaxLimits;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Compiler from PTX to machine code of a GF100. Stateless: any thread.
public final class PtxCompiler {
    private static final SourcePosition START = new SourcePosition(1, 1);

    private final PtxOptions options;
    private final PtxLimits limits;
    private final CompilationStop stop;
    private final ErrorList errors = new ErrorList(SyntaxLimits.DEFAULT.errors());

    private PtxCompiler(PtxOptions options, PtxLimits limits, BooleanSupplier isUnwanted) {
        this.options = options;
        this.limits = limits;
        stop = new CompilationStop(limits.time(), isUnwanted);
    }

    /// Compiles a module that the user of this process has chosen. Errors of the source are
    /// diagnostics of the result.
    public static PtxResult compile(String source, PtxOptions options) {
        return compile(source, options, PtxLimits.DEFAULT, () -> false);
    }

    /// Compiles a module within limits. Errors of the source and exceeded limits are diagnostics of
    /// the result.
    ///
    /// @param isUnwanted returns whether the caller no longer wants the result, so that the
    ///   compilation ends; called on this thread, between the steps of each function
    public static PtxResult compile(
            String source, PtxOptions options, PtxLimits limits, BooleanSupplier isUnwanted) {
        PtxCompiler compiler = new PtxCompiler(options, limits, isUnwanted);
        try {
            return compiler.compile(source);
        } catch (CompilationStoppedException e) {
            return compiler.exceeded(e.getMessage());
        }
    }

    private PtxResult compile(String source) {
        if (source.length() > limits.characters()) {
            return exceeded(
                    "source: characters=%d, limit=%d"
                            .formatted(source.length(), limits.characters()));
        }
        ModuleTree tree =
                PtxParser.parse(
                        source,
                        errors,
                        new SyntaxLimits(
                                limits.characters(),
                                SyntaxLimits.DEFAULT.depth(),
                                SyntaxLimits.DEFAULT.errors()));
        stop.check();
        SourceHeader header = SourceHeader.of(tree);
        if (errors.hasErrors()) {
            return failed(header.failure(PtxResult.Failure.INVALID_SOURCE));
        }
        PtxModule module = PtxChecker.check(tree, errors, CheckOptions.DEFAULT);
        if (errors.hasErrors()) {
            return failed(header.failureOfMeaning());
        }
        String excess = excess(module);
        if (excess != null) {
            return exceeded(excess);
        }
        ModuleCompiler.CompiledModule compiled =
                ModuleCompiler.compile(module, options, errors, stop);
        return compiled == null
                ? failed(header.failureOfMeaning())
                : new PtxResult(compiled.cubin(), compiled.resources(), errors.list(), null);
    }

    /// Returns the message about a number of instructions beyond its limit, or null.
    private String excess(PtxModule module) {
        long instructions = 0;
        for (PtxFunction function : module.functions()) {
            int count = function.code().size();
            if (count > limits.functionInstructions()) {
                return "function %s: instructions=%d, limit=%d"
                        .formatted(function.name(), count, limits.functionInstructions());
            }
            instructions += count;
        }
        return instructions > limits.instructions()
                ? "module: instructions=%d, limit=%d"
                        .formatted(instructions, limits.instructions())
                : null;
    }

    private PtxResult exceeded(String message) {
        errors.error(START, message);
        return failed(PtxResult.Failure.LIMIT);
    }

    private PtxResult failed(PtxResult.Failure failure) {
        return new PtxResult(null, List.of(), errors.list(), failure);
    }
}
