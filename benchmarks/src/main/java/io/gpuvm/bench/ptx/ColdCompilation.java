package io.gpuvm.bench.ptx;

import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Program that compiles one file in a new JVM: its whole run is a cold compilation.
final class ColdCompilation {
    private ColdCompilation() {}

    /// @param arguments the source's path
    public static void main(String[] arguments) throws IOException {
        String source = Files.readString(Path.of(arguments[0]));
        PtxResult result = PtxCompiler.compile(source, PtxOptions.DEFAULT);
        if (!result.isCompiled()) {
            throw new IllegalStateException(result.diagnostics().toString());
        }
        result.cubin().toBytes();
    }
}
