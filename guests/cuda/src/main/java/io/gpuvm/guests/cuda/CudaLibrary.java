package io.gpuvm.guests.cuda;

import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.GuestSetupException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// Library that CUDA programs load instead of NVIDIA's.
///
/// @param folder folder with `libcuda.so.1` and `libcuda.so`
public record CudaLibrary(Path folder) {
    /// Name of the library's file.
    static final String FILE = "libcuda.so.1";

    private static final String SEARCH_PATH = "LD_LIBRARY_PATH";
    private static final String BACKEND = "GPUVM_CUDA";
    private static final String BUILT = "cuda/client/target/lib";

    /// Returns the library of this build.
    ///
    /// @throws GuestSetupException if the library has not been built
    public static CudaLibrary ofThisBuild() {
        Path folder = GuestFiles.locate().root().resolve(BUILT);
        if (!Files.exists(folder.resolve(FILE))) {
            throw new GuestSetupException(
                    "%s does not exist; ./gpuvm build builds it, and needs gcc"
                            .formatted(folder.resolve(FILE)));
        }
        return new CudaLibrary(folder);
    }

    /// Returns the path of the library's file.
    public Path file() {
        return folder.resolve(FILE);
    }

    /// Returns the environment variables of a program that uses the library.
    ///
    /// @param socket socket of the backend
    /// @param inherited environment of this process
    public Map<String, String> environment(Path socket, Map<String, String> inherited) {
        Map<String, String> environment = new HashMap<>();
        String others = inherited.getOrDefault(SEARCH_PATH, "");
        environment.put(SEARCH_PATH, others.isEmpty() ? folder.toString() : folder + ":" + others);
        environment.put(BACKEND, "unix:" + socket.toAbsolutePath());
        return environment;
    }
}
