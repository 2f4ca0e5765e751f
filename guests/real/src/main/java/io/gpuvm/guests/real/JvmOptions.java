package io.gpuvm.guests.real;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;

/// Options of JVMs that tests start: the files in `etc/jvm` that the launcher reads, each as
/// `@FILE`, and options of this JVM.
public final class JvmOptions {
    private JvmOptions() {}

    /// Options of a backend, beside [#inherited()].
    public static List<String> backend() {
        return List.of(in("kernels"), in("daemon"), in("access"));
    }

    /// Option of a process that runs kernels, beside [#inherited()].
    public static String kernels() {
        return in("kernels");
    }

    /// File with the options that open JDK packages to libraries.
    public static Path access() {
        return file("access");
    }

    /// Options of this JVM that another JVM of the same build needs: those that open JDK packages,
    /// and those that make kernels fast.
    public static List<String> inherited() {
        return given().stream()
                .filter(option -> option.startsWith("--") || option.startsWith("-XX:"))
                .toList();
    }

    /// Options of [#inherited()] without which a JVM cannot run gpuvm, for small processes.
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
