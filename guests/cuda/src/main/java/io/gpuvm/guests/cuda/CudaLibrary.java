package io.gpuvm.guests.cuda;

import io.gpuvm.cuda.compiler.Toolkit;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.GuestSetupException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Library that CUDA programs load instead of NVIDIA's.
///
/// @param folder folder with `libcuda.so.1` and `libcuda.so`
/// @param others folders of other libraries for CUDA programs
public record CudaLibrary(Path folder, List<Path> others) {
    /// Name of the library's file.
    static final String FILE = "libcuda.so.1";

    private static final String SEARCH_PATH = "LD_LIBRARY_PATH";
    static final String BACKEND = "GPUVM_CUDA";
    private static final String FAULTS = "GPUVM_CUDA_FAULTS";

    public CudaLibrary {
        others = List.copyOf(others);
    }

    /// @param folder folder with `libcuda.so.1` and `libcuda.so`
    CudaLibrary(Path folder) {
        this(folder, List.of());
    }

    /// Returns the library of this build, with the runtime library.
    ///
    /// @throws GuestSetupException if the library has not been built
    public static CudaLibrary ofThisBuild() {
        Toolkit toolkit = new Toolkit(GuestFiles.locate().root());
        Path folder = toolkit.driverLibraries();
        if (!Files.exists(folder.resolve(FILE))) {
            throw new GuestSetupException(
                    "%s does not exist; ./gpuvm build builds it, and needs gcc"
                            .formatted(folder.resolve(FILE)));
        }
        Path runtime = toolkit.runtimeLibraries();
        return new CudaLibrary(folder, runtime.equals(folder) ? List.of() : List.of(runtime));
    }

    /// Returns the folders of all libraries.
    List<Path> folders() {
        return Stream.concat(Stream.of(folder), others.stream()).toList();
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
        return environment("unix:" + socket.toAbsolutePath(), inherited);
    }

    /// Returns the environment variables of a program that uses the library.
    ///
    /// @param backend value of `GPUVM_CUDA`
    /// @param inherited environment of this process
    Map<String, String> environment(String backend, Map<String, String> inherited) {
        String own = folders().stream().map(Path::toString).collect(Collectors.joining(":"));
        String further = inherited.getOrDefault(SEARCH_PATH, "");
        Map<String, String> environment = new HashMap<>();
        environment.put(SEARCH_PATH, further.isEmpty() ? own : own + ":" + further);
        environment.put(BACKEND, backend);
        environment.put(FAULTS, inherited.getOrDefault(FAULTS, "1"));
        return environment;
    }
}
