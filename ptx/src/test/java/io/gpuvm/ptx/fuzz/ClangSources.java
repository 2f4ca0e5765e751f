package io.gpuvm.ptx.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// PTX that clang has generated from `kernels.cu`, with `-x cuda --cuda-device-only -nocudainc
/// -nocudalib --cuda-gpu-arch=sm_20 -g1 -S`.
public final class ClangSources {
    private ClangSources() {}

    /// Returns all sources.
    public static List<String> all() {
        return List.of(
                source("kernels-16-O0.ptx"),
                source("kernels-16-O2.ptx"),
                source("kernels-19-O0.ptx"),
                source("kernels-19-O2.ptx"));
    }

    /// Returns the source in a file.
    public static String source(String file) {
        try (InputStream in =
                ClangSources.class.getResourceAsStream("/io/gpuvm/ptx/clang/" + file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
