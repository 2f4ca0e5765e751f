package io.gpuvm.ptx;

import io.gpuvm.ptx.build.ModuleCompiler;
import io.gpuvm.ptx.build.ResourceException;
import io.gpuvm.ptx.check.CheckOptions;
import io.gpuvm.ptx.check.PtxChecker;
import io.gpuvm.ptx.check.PtxModule;
import io.gpuvm.ptx.ir.Checkpoint;
import io.gpuvm.ptx.syntax.ErrorList;
import io.gpuvm.ptx.syntax.ModuleTree;
import io.gpuvm.ptx.syntax.PtxParser;
import io.gpuvm.ptx.syntax.SyntaxLimits;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Compiler from PTX to machine code of a GF100. Stateless: any thread.
public final class PtxCompiler {
    /// Checked module of a source, or the reason why there is none.
    ///
    /// @param module module, or null after an error
    /// @param header version and target of the source
    record Checked(PtxModule module, SourceHeader header) {}

    private PtxCompiler() {}

    /// Compiles a module that the user of this process has chosen. Errors of the source are
    /// diagnostics of the result.
    public static PtxResult compile(String source, PtxOptions options) {
        return compile(source, options, PtxLimits.DEFAULT, () -> false);
    }

    /// Compiles a module within limits. Errors of the source and exceeded limits are diagnostics of
    /// the result.
    ///
    /// @param isUnwanted returns whether the caller no longer wants the result, so that the
    ///   compilation ends; called on this thread, many times
    public static PtxResult compile(
            String source, PtxOptions options, PtxLimits limits, BooleanSupplier isUnwanted) {
        if (source.length() > limits.characters()) {
            return PtxResult.beyondLimit(
                    "source: characters=%d, limit=%d"
                            .formatted(source.length(), limits.characters()));
        }
        return within(limits, isUnwanted, () -> compileNow(source, options));
    }

    /// Returns the result of a compilation, or that of its early end.
    static PtxResult within(
            PtxLimits limits, BooleanSupplier isUnwanted, Supplier<PtxResult> compilation) {
        try {
            return Checkpoint.run(limits.values(), limits.time(), isUnwanted, compilation);
        } catch (Checkpoint.StoppedException | ResourceException e) {
            return PtxResult.beyondLimit(e.getMessage());
        }
    }

    private static PtxResult compileNow(String source, PtxOptions options) {
        ErrorList errors = new ErrorList(SyntaxLimits.DEFAULT.errors());
        Checked checked = check(source, errors);
        ModuleCompiler.CompiledModule compiled =
                checked.module == null
                        ? null
                        : ModuleCompiler.compile(checked.module, options.mode(), errors);
        return compiled == null
                ? new PtxResult(null, List.of(), errors.list(), checked.header.failure())
                : new PtxResult(compiled.cubin(), compiled.resources(), errors.list(), null);
    }

    /// Checks a source.
    static Checked check(String source, ErrorList errors) {
        ModuleTree tree = PtxParser.parse(source, errors, SyntaxLimits.DEFAULT);
        SourceHeader header = SourceHeader.of(tree, !errors.hasErrors());
        Checkpoint.current().pass();
        PtxModule module =
                errors.hasErrors() ? null : PtxChecker.check(tree, errors, CheckOptions.DEFAULT);
        Checkpoint.current().pass();
        return new Checked(errors.hasErrors() ? null : module, header);
    }
}
