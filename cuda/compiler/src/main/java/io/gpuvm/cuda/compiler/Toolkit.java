package io.gpuvm.cuda.compiler;

import java.nio.file.Files;
import java.nio.file.Path;

/// Files of this build that CUDA programs are compiled and linked with.
///
/// @param root folder of the project
public record Toolkit(Path root) {
    private static final String HEADERS = "cuda/include";
    private static final String RUNTIME = "cuda/runtime/target/lib";
    private static final String DRIVER = "cuda/client/target/lib";

    /// Returns the folder of the headers.
    Path headers() {
        return root.resolve(HEADERS);
    }

    /// Returns the folder of the CUDA runtime library, `libcudart.so`.
    public Path runtimeLibraries() {
        return root.resolve(RUNTIME);
    }

    /// Returns the folder of the CUDA driver library, `libcuda.so`.
    public Path driverLibraries() {
        return root.resolve(DRIVER);
    }

    /// Checks that the libraries are built.
    ///
    /// @throws CcException if they are not
    void requireLibraries() {
        Path runtime = runtimeLibraries().resolve("libcudart.so");
        if (!Files.exists(runtime)) {
            throw CcException.missing(
                    "%s does not exist; ./gpuvm build builds it, and needs gcc".formatted(runtime));
        }
    }
}
