package io.gpuvm.guests.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Options of JVMs that tests and commands start: the files in `etc/jvm` that the launcher reads,
/// each as `@FILE`, and options of this JVM.
public final class JvmOptions {
    /// Option that overrides the limit in `brief.options`, which this JVM may use; a backend runs
    /// for minutes.
    private static final String BOTH_COMPILERS = "-XX:TieredStopAtLevel=4";

    private JvmOptions() {}

    /// Returns the options of a backend, in addition to [#inherited()].
    public static List<String> backend() {
        return List.of(in("kernels"), in("daemon"), in("access"), BOTH_COMPILERS);
    }

    /// Returns the option of a process that runs kernels, in addition to [#inherited()].
    public static String kernels() {
        return in("kernels");
    }

    /// Returns the options of a process that runs for only a few seconds, in addition to
    /// [#opening()].
    public static List<String> brief() {
        return List.of(in("kernels"), in("brief"));
    }

    /// Returns the options of a process in an emulated machine, which lacks the files: the lines of
    /// the files, and those of [#opening()].
    ///
    /// @throws UncheckedIOException if a file cannot be read
    public static List<String> emulated() {
        List<String> options = new ArrayList<>();
        for (String name : List.of("kernels", "brief", "access")) {
            try (Stream<String> lines = Files.lines(file(name))) {
                lines.filter(line -> line.startsWith("-")).forEach(options::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        options.addAll(opening());
        return options;
    }

    /// Returns the options of this JVM that another JVM of the same build needs: those that open
    /// JDK packages, and those that make kernels fast.
    public static List<String> inherited() {
        return given().stream()
                .filter(option -> option.startsWith("--") || option.startsWith("-XX:"))
                .toList();
    }

    /// Returns the options of [#inherited()] without which a JVM cannot run gpuvm, for small
    /// processes.
    public static List<String> opening() {
        return given().stream().filter(option -> option.startsWith("--")).toList();
    }

    private static List<String> given() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments();
    }

    private static String in(String name) {
        return "@" + file(name);
    }

    private static Path file(String name) {
        return GuestFiles.locate().root().resolve("etc/jvm/" + name + ".options");
    }
}
