package io.gpuvm.guests.real;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;

/// What JVMs that tests start are told: the files below `etc/jvm` that the launcher reads, each in
/// the form `@FILE`, and what this JVM was told.
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

    /// The file with what opens the JDK to libraries.
    public static Path access() {
        return file("access");
    }

    /// What this JVM was told that another of the same build needs: what opens the JDK, and what
    /// makes kernels fast.
    public static List<String> inherited() {
        return given().stream()
                .filter(option -> option.startsWith("--") || option.startsWith("-XX:"))
                .toList();
    }

    /// The part of [#inherited()] without which a JVM does not run gpuvm, for small ones.
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
