package io.gpuvm.guests.cuda;

import io.gpuvm.guests.real.CudaModules;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.RunFolder;
import java.nio.file.Path;
import java.util.List;

/// Files that `tests/cuda-clients/setup` has stored in its cache and in this checkout.
///
/// @param temporary folder for the clients' temporary files
record ClientFiles(GuestFiles files, Path temporary) {
    /// Downloads and builds the missing files of a part.
    ///
    /// @throws io.gpuvm.guests.real.GuestSetupException if this is not possible
    void prepare(String part) {
        files.prepareCudaClients(List.of(part), kernels());
    }

    /// Returns the folder with the sources of the clients and the set-up.
    Path sources() {
        return files.root().resolve("tests/cuda-clients");
    }

    /// Returns a folder of files built from this checkout's sources.
    Path built(String name) {
        return files.root().resolve("target/cuda-clients").resolve(name);
    }

    /// Returns a folder of downloaded files.
    Path downloaded(String name) {
        return files.cache().resolve("cuda-" + name);
    }

    /// Returns the version of a downloaded part, or `-` if the part does not name its version.
    String version(String name) {
        List<String> lines = RunFolder.tail(downloaded(name).resolve("version"), 1);
        return lines.isEmpty() ? "-" : lines.getFirst();
    }

    Path kernels() {
        return CudaModules.folder(files);
    }

    /// Returns the module that the clients in Java and Python load.
    Path cubin() {
        return kernels().resolve("clients.cubin");
    }
}
