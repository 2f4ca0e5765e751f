package io.gpuvm.ptx;

import io.gpuvm.ptx.build.ModuleCompiler;
import io.gpuvm.ptx.check.CheckOptions;
import io.gpuvm.ptx.check.PtxChecker;
import io.gpuvm.ptx.check.PtxModule;
import io.gpuvm.ptx.syntax.ErrorList;
import io.gpuvm.ptx.syntax.ModuleTree;
import io.gpuvm.ptx.syntax.PtxParser;
import io.gpuvm.ptx.syntax.SyntaxLimits;
import java.util.List;

/// Compiler from PTX to machine code of a GF100. Stateless: any thread.
public final class PtxCompiler {
    private PtxCompiler() {}

    /// Compiles a module. Errors of the source are diagnostics of the result.
    public static PtxResult compile(String source, PtxOptions options) {
        ErrorList errors = new ErrorList(SyntaxLimits.DEFAULT.errors());
        PtxModule module = check(source, errors);
        ModuleCompiler.CompiledModule compiled =
                module == null ? null : ModuleCompiler.compile(module, options, errors);
        return compiled == null
                ? new PtxResult(null, List.of(), errors.list())
                : new PtxResult(compiled.cubin(), compiled.resources(), errors.list());
    }

    /// Returns the checked module of a source, or null after an error.
    static PtxModule check(String source, ErrorList errors) {
        ModuleTree tree = PtxParser.parse(source, errors, SyntaxLimits.DEFAULT);
        return errors.hasErrors() ? null : PtxChecker.check(tree, errors, CheckOptions.DEFAULT);
    }
}
