package io.gpuvm.guests.real;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Parts of the image of [GuestImage#CUDA] that other set-ups build.
final class CudaParts {
    /// Parts of `tests/cuda-clients/setup`: programs in C, and those that use JCuda.
    private static final List<String> CLIENTS = List.of("c", "jcuda-12.6.0");

    private CudaParts() {}

    /// Returns the folder with `libcuda.so.1` and `libcuda.so` of this build.
    ///
    /// @param root folder of the project
    /// @throws GuestSetupException if the library has not been built
    static Path library(Path root) {
        Path folder = root.resolve("cuda/client/target/lib");
        if (!Files.exists(folder.resolve("libcuda.so.1"))) {
            throw new GuestSetupException(
                    "%s has no libcuda.so.1; ./gpuvm build builds it, and needs gcc"
                            .formatted(folder));
        }
        return folder;
    }

    /// Builds the programs and their modules.
    ///
    /// @throws GuestSetupException if the set-up fails
    static void prepare(GuestFiles files) {
        CudaModules.assemble(files);
        files.prepareCudaClients(CLIENTS, CudaModules.folder(files));
    }
}
