package io.gpuvm.guests.cuda;

import io.gpuvm.gf100.asm.Assembler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Modules of the clients, assembled from the sources of this checkout.
final class ClientModules {
    private static final String SOURCE = ".sass";
    private static final String WORKLOADS = "workloads/src/main/resources/io/gpuvm/workloads";

    /// Workloads that also exist in C.
    private static final List<String> SHARED = List.of("mmul", "lud", "nop");

    private ClientModules() {}

    /// Writes all modules to [ClientFiles#kernels()].
    static void assemble(ClientFiles files) {
        Path clients = files.sources().resolve("kernels/clients" + SOURCE);
        Path workloads = files.files().root().resolve(WORKLOADS);
        try {
            Files.createDirectories(files.kernels());
            Stream.concat(
                            Stream.of(clients),
                            SHARED.stream().map(name -> workloads.resolve(name + SOURCE)))
                    .forEach(source -> assemble(source, files.kernels()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assemble(Path source, Path folder) {
        String name = source.getFileName().toString().replace(SOURCE, "");
        try {
            byte[] module = Assembler.assemble(name, Files.readString(source)).toBytes();
            Files.write(folder.resolve(name + ".cubin"), module);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
