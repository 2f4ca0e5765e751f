package io.gpuvm.guests.real;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Files that `tests/real-guest/setup` has stored in its cache and in this checkout.
///
/// @param cache cache folder, shared by checkouts
/// @param root folder of the project
public record GuestFiles(Path cache, Path root) {
    /// Returns the files in the cache folder that the environment specifies, by the same rules as
    /// `setup`.
    public static GuestFiles locate() {
        return new GuestFiles(cacheFolder(System.getenv()), projectRoot());
    }

    static Path cacheFolder(Map<String, String> environment) {
        String own = environment.getOrDefault("GPUVM_GUEST_CACHE", "");
        if (!own.isEmpty()) {
            return Path.of(own);
        }
        String shared = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path base =
                shared.isEmpty()
                        ? Path.of(environment.getOrDefault("HOME", "."), ".cache")
                        : Path.of(shared);
        return base.resolve("gpuvm/guest");
    }

    /// Downloads and builds the missing files for guests with the kernels that the arguments
    /// select. Takes less than a second if no file is missing. Progress is printed to standard
    /// error.
    ///
    /// @param arguments arguments of `setup`
    /// @return the kernels' names in the cache
    /// @throws GuestSetupException if `setup` fails; the message is its last line
    public List<String> prepare(List<String> arguments) {
        return prepare(arguments, System.err::println);
    }

    /// Prepares kernels like [#prepare(List)], and passes the progress to a consumer.
    ///
    /// @param progress receives each line that `setup` prints, on a separate thread
    public List<String> prepare(List<String> arguments, Consumer<String> progress) {
        return run(realGuestFolder().resolve("setup"), arguments, progress);
    }

    /// Prepares kernels for guests that run the given programs, with the files that the programs
    /// need.
    public List<String> prepareFor(List<String> programs, List<String> arguments) {
        return prepareFor(programs, arguments, System.err::println);
    }

    /// Prepares kernels like [#prepareFor(List, List)], and passes the progress to a consumer.
    ///
    /// @param progress receives each line that `setup` prints, on a separate thread
    public List<String> prepareFor(
            List<String> programs, List<String> arguments, Consumer<String> progress) {
        GuestImage image = imageFor(programs);
        image.prepare(this);
        List<String> forImage = image.setupArguments(root);
        return prepare(Stream.concat(arguments.stream(), forImage.stream()).toList(), progress);
    }

    /// Prepares the virtual host, which has one kernel.
    ///
    /// @return the kernel's name in the cache
    public String prepareVirtualHost() {
        Path setup = virtualHostFolder().resolve("setup");
        return run(setup, List.of(), System.err::println).getLast();
    }

    /// Downloads and builds the missing files of CUDA programs.
    ///
    /// @param parts arguments of `tests/cuda-clients/setup`
    /// @param kernels folder with the programs' modules
    /// @throws GuestSetupException if `setup` fails; the message is its last line
    public void prepareCudaClients(List<String> parts, Path kernels) {
        Path setup = root.resolve("tests/cuda-clients/setup");
        List<String> arguments = new ArrayList<>(List.of("--kernels", kernels.toString()));
        arguments.addAll(parts);
        run(setup, arguments, System.err::println);
    }

    private List<String> run(Path setup, List<String> arguments, Consumer<String> progress) {
        List<String> command =
                Stream.concat(Stream.of(setup.toString()), arguments.stream()).toList();
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("GPUVM_GUEST_CACHE", cache.toString());
        builder.environment().put("GPUVM_JAVA_HOME", System.getProperty("java.home"));
        try {
            Process process = builder.start();
            AtomicReference<String> last = new AtomicReference<>("no output");
            Thread said =
                    OutputThread.start(
                            "setup-output",
                            () ->
                                    process.errorReader(StandardCharsets.UTF_8)
                                            .lines()
                                            .forEach(line -> {
                                                last.set(line);
                                                progress.accept(line);
                                            }));
            String names =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            said.join();
            if (status != 0) {
                throw new GuestSetupException(
                        "%s: exit status %d: %s".formatted(setup, status, last.get()));
            }
            return names.lines().toList();
        } catch (IOException e) {
            throw new GuestSetupException(e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new GuestSetupException("interrupted");
        }
    }

    public Path qemu() {
        return cache.resolve("qemu/qemu-system-x86_64");
    }

    public Path kernelImage(String kernel) {
        return cache.resolve("kernel-" + kernel).resolve("vmlinuz");
    }

    /// Returns the initramfs of a guest.
    Path initramfs(String kernel, GuestImage image) {
        return image.initramfs(built(), kernel);
    }

    /// Returns the image that a guest with the given programs needs.
    GuestImage imageFor(List<String> programs) {
        if (programs.stream().anyMatch(RunOptions::runsWorkloads)) {
            return GuestImage.WORKLOAD;
        }
        if (programs.contains(RunOptions.SUITE)) {
            return GuestImage.SUITE;
        }
        if (programs.contains(RunOptions.CUDA)) {
            return GuestImage.CUDA;
        }
        return programs.stream().anyMatch(this::needsMesa) ? GuestImage.MESA : GuestImage.PLAIN;
    }

    /// Returns whether a program is in `tests/real-guest/programs/mesa`.
    public boolean needsMesa(String program) {
        return Files.exists(realGuestFolder().resolve("programs/mesa").resolve(program + ".c"));
    }

    /// Returns the initramfs of the virtual host, without the files of [#virtualHostFolder()].
    public Path virtualHostImage(String kernel) {
        return cache.resolve("virtual-host-" + kernel).resolve("image.cpio");
    }

    /// Returns the file of a guest's program: a compiled program of `tests/real-guest/programs`, or
    /// a script that starts other programs.
    public Path program(String name) {
        if (RunOptions.isScript(name)) {
            return realGuestFolder().resolve("guest").resolve(name);
        }
        String folder = needsMesa(name) ? "mesa-programs" : "programs";
        return built().resolve(folder).resolve(name);
    }

    public Path logAllowLists() {
        return realGuestFolder().resolve("log-allow");
    }

    /// Returns the folder of files built from this checkout's sources.
    private Path built() {
        return root.resolve("target/real-guest");
    }

    public Path virtualHostFolder() {
        return root.resolve("tests/virtual-host");
    }

    public Path realGuestFolder() {
        return root.resolve("tests/real-guest");
    }

    private static Path projectRoot() {
        String root = System.getProperty("gpuvm.root");
        if (root == null) {
            throw new IllegalStateException(
                    "the system property gpuvm.root is not set; start this program with ./gpuvm or"
                            + " Maven");
        }
        return Path.of(root);
    }
}
