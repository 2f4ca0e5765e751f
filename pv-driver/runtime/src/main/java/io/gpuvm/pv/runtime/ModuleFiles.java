package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinException;
import io.gpuvm.gf100.cubin.ModuleContent;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.ptx.cache.CachedCompiler;
import java.util.stream.Collectors;

/// Machine code of modules in files: cubins, fatbins, and PTX, which is compiled. Any thread.
public final class ModuleFiles {
    /// Name of a source without a name, for messages.
    private static final String UNNAMED = "PTX";

    /// Compiler with the user's cache, which is created when the first source is compiled.
    private static final class User {
        static final CachedCompiler COMPILER = CachedCompiler.ofUser();
    }

    private ModuleFiles() {}

    /// Returns the machine code of a module.
    ///
    /// @param options options for the compiler of PTX
    /// @throws GpuException [GpuError#INVALID_IMAGE] if the file is not a module for this GPU
    static Cubin read(byte[] file, PtxOptions options) {
        try {
            return switch (ModuleContent.of(file)) {
                case ModuleContent.Code(byte[] elf) -> Cubin.read(elf);
                case ModuleContent.Ptx(String text) -> compile(UNNAMED, text, options);
            };
        } catch (CubinException e) {
            throw new GpuException(GpuError.INVALID_IMAGE, e.getMessage(), e);
        }
    }

    /// Compiles PTX, or takes the result from the cache of this process's user.
    ///
    /// @param name name of the source, for messages
    /// @throws GpuException [GpuError#INVALID_IMAGE] if the source has errors; the message has one
    ///   line for each
    public static Cubin compile(String name, String text, PtxOptions options) {
        PtxResult result = User.COMPILER.compile(text, options);
        if (!result.isCompiled()) {
            throw new GpuException(
                    GpuError.INVALID_IMAGE,
                    result.diagnostics().stream()
                            .map(each -> each.in(name))
                            .collect(Collectors.joining("\n")));
        }
        return result.cubin();
    }
}
