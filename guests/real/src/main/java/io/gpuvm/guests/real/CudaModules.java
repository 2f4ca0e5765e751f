package io.gpuvm.guests.real;

import io.gpuvm.gf100.asm.Assembler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Modules of CUDA programs, assembled from the sources of this checkout.
public final class CudaModules {
    private static final String SOURCE = ".sass";
    private static final String MODULE = ".cubin";
    private static final String CLIENTS = "tests/cuda-clients/kernels/clients";
    private static final String WORKLOADS = "workloads/src/main/resources/io/gpuvm/workloads";

    /// Workloads whose kernels programs in C also use.
    private static final List<String> SHARED = List.of("mmul", "lud", "nop", "spin");

    private CudaModules() {}

    /// Returns the folder of the modules.
    public static Path folder(GuestFiles files) {
        return files.root().resolve("target/cuda-clients/kernels");
    }

    /// Writes all modules to [#folder]. Several processes may do so at the same time.
    public static void assemble(GuestFiles files) {
        Path workloads = files.root().resolve(WORKLOADS);
        Stream<Path> sources =
                Stream.concat(
                        Stream.of(files.root().resolve(CLIENTS + SOURCE)),
                        SHARED.stream().map(name -> workloads.resolve(name + SOURCE)));
        try {
            Files.createDirectories(folder(files));
            for (Path source : sources.toList()) {
                assemble(source, folder(files));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assemble(Path source, Path folder) throws IOException {
        String name = source.getFileName().toString().replace(SOURCE, "");
        byte[] module = Assembler.assemble(name, Files.readString(source)).toBytes();
        Path file = folder.resolve(name + MODULE);
        if (!Files.exists(file) || !Arrays.equals(module, Files.readAllBytes(file))) {
            Path written = Files.createTempFile(folder, name, null);
            Files.write(written, module);
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
