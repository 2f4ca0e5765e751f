package io.gpuvm.cuda.compiler;

import java.nio.file.Files;
import java.nio.file.Path;

/// Files that CUDA programs are compiled, linked and started with: those of a checkout, which its
/// build creates in many folders, or those of an installed gpuvm.
///
/// @param root folder of the project, or of the installation
public record Toolkit(Path root) {
    /// Folders of a file in an installation and in a checkout.
    private enum Place {
        HEADERS("include", "cuda/include"),
        RUNTIME("lib/cuda", "cuda/runtime/target/lib"),
        DRIVER("lib/cuda", "cuda/client/target/lib"),
        STARTER("libexec", "guests/cuda/target/bin");

        private final String installed;
        private final String built;

        Place(String installed, String built) {
            this.installed = installed;
            this.built = built;
        }

        Path in(Path root) {
            Path folder = root.resolve(installed);
            return Files.isDirectory(folder) ? folder : root.resolve(built);
        }
    }

    /// Returns the folder of the headers.
    Path headers() {
        return Place.HEADERS.in(root);
    }

    /// Returns the folder of the CUDA runtime library, `libcudart.so`.
    public Path runtimeLibraries() {
        return Place.RUNTIME.in(root);
    }

    /// Returns the folder of the CUDA driver library, `libcuda.so`.
    public Path driverLibraries() {
        return Place.DRIVER.in(root);
    }

    /// Returns the folder of the program `exec-cuda`.
    public Path starterFolder() {
        return Place.STARTER.in(root);
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
