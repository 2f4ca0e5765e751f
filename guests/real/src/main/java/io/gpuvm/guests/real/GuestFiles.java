package io.gpuvm.guests.real;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// What `tests/real-guest/setup` has put into its cache and into this checkout.
///
/// @param cache the cache folder, which checkouts share
/// @param root the folder of the project
public record GuestFiles(Path cache, Path root) {
    /// The cache folder that the environment names, as `setup` finds it.
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

    /// Fetches and builds what is missing for some kernels, which takes well under a second when
    /// nothing is. Progress goes to standard error.
    ///
    /// @param arguments of `setup`
    /// @return the kernels' names in the cache
    /// @throws GuestSetupException if that failed; the message is the last that `setup` said
    public List<String> prepare(List<String> arguments) {
        return prepare(arguments, System.err::println);
    }

    /// The same for who wants to know how it goes on.
    ///
    /// @param progress takes each line that `setup` says, on a thread of its own
    public List<String> prepare(List<String> arguments, Consumer<String> progress) {
        return run(realGuestFolder().resolve("setup"), arguments, progress);
    }

    /// The same for guests that run programs, with what those need.
    public List<String> prepareFor(List<String> programs, List<String> arguments) {
        return prepare(
                needsMesa(programs)
                        ? Stream.concat(arguments.stream(), Stream.of("--mesa")).toList()
                        : arguments);
    }

    /// The same for the virtual host, which has one kernel.
    ///
    /// @return the kernel's name in the cache
    public String prepareVirtualHost() {
        Path setup = virtualHostFolder().resolve("setup");
        return run(setup, List.of(), System.err::println).getLast();
    }

    private List<String> run(Path setup, List<String> arguments, Consumer<String> progress) {
        List<String> command =
                Stream.concat(Stream.of(setup.toString()), arguments.stream()).toList();
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("GPUVM_GUEST_CACHE", cache.toString());
        builder.environment().put("GPUVM_JAVA_HOME", System.getProperty("java.home"));
        try {
            Process process = builder.start();
            AtomicReference<String> last = new AtomicReference<>("it said nothing");
            Thread said =
                    Thread.ofVirtual()
                            .name("setup-output")
                            .start(() ->
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

    /// What a guest starts with, which depends on the programs that it is to run.
    Path initramfs(String kernel, List<String> programs) {
        String name = "initramfs-" + kernel + (needsMesa(programs) ? "-mesa" : "");
        return built().resolve(name).resolve("initramfs.cpio");
    }

    /// Whether a program is one of `tests/real-guest/programs/mesa`, which want `setup --mesa` and
    /// a guest with more memory.
    public boolean needsMesa(String program) {
        return Files.exists(realGuestFolder().resolve("programs/mesa").resolve(program + ".c"));
    }

    /// Whether any of some programs is.
    boolean needsMesa(List<String> programs) {
        return programs.stream().anyMatch(this::needsMesa);
    }

    /// What the virtual host starts with, of which [#virtualHostFolder()] holds the rest.
    public Path virtualHostImage(String kernel) {
        return cache.resolve("virtual-host-" + kernel).resolve("image.cpio");
    }

    /// A compiled program of `tests/real-guest/programs`.
    public Path program(String name) {
        String folder = needsMesa(name) ? "mesa-programs" : "programs";
        return built().resolve(folder).resolve(name);
    }

    public Path logAllowLists() {
        return realGuestFolder().resolve("log-allow");
    }

    /// What is made from this checkout's sources.
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
                    "the system property gpuvm.root is not set; start this through ./gpuvm or"
                            + " Maven");
        }
        return Path.of(root);
    }
}
