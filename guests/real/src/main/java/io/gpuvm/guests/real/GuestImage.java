package io.gpuvm.guests.real;

import java.nio.file.Path;
import java.util.List;

/// Kind of initramfs image, by the software that a guest's programs need.
enum GuestImage {
    /// Statically linked programs.
    PLAIN("", "1G") {
        @Override
        List<String> setupArguments(Path root) {
            return List.of();
        }
    },

    /// Programs that load Debian's Mesa. Its libraries occupy more than 200 MiB, and twice that
    /// while Linux unpacks them.
    MESA("-mesa", "2G") {
        @Override
        List<String> setupArguments(Path root) {
            return List.of("--mesa");
        }
    },

    /// `gpuvm run` on a Java runtime, which occupies 150 MiB, and twice that while Linux unpacks
    /// it. The workloads' data is in the Java heap, and again in the GPU's buffers.
    WORKLOAD("-workload", "2G") {
        @Override
        List<String> setupArguments(Path root) {
            return List.of("--classes", GuestClassPath.ofThisBuild());
        }
    },

    /// The runtime's tests, in addition to [#WORKLOAD].
    SUITE("-suite", "2G") {
        @Override
        List<String> setupArguments(Path root) {
            return List.of(
                    "--classes",
                    GuestClassPath.ofThisBuild(),
                    "--suite",
                    GuestClassPath.ofSuite(root));
        }
    },

    /// CUDA programs in C, and JCuda on a Java runtime, with `libcuda.so.1` of this build. The
    /// image occupies 100 MiB, and twice that while Linux unpacks it.
    CUDA("-cuda", "1G") {
        @Override
        List<String> setupArguments(Path root) {
            return List.of("--cuda", CudaParts.library(root).toString());
        }

        @Override
        void prepare(GuestFiles files) {
            CudaParts.prepare(files);
        }
    };

    private final String suffix;
    private final String memory;

    GuestImage(String suffix, String memory) {
        this.suffix = suffix;
        this.memory = memory;
    }

    /// Returns the arguments of `tests/real-guest/setup` that build the image, in addition to those
    /// that name kernels.
    ///
    /// @param root folder of the project
    /// @throws IllegalStateException if the project has not been built
    abstract List<String> setupArguments(Path root);

    /// Prepares files that `tests/real-guest/setup` only copies.
    ///
    /// @throws GuestSetupException if this is not possible
    void prepare(GuestFiles files) {}

    /// Returns the image file for a kernel.
    ///
    /// @param built folder of files built from this checkout's sources
    Path initramfs(Path built, String kernel) {
        return built.resolve("initramfs-" + kernel + suffix).resolve("initramfs.cpio");
    }

    /// Returns the memory of a guest with this image, in QEMU's syntax.
    String memory() {
        return memory;
    }
}
