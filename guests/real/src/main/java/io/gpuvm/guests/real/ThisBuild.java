package io.gpuvm.guests.real;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Command lines of processes of this build, with the class path of this build and the JVM options
/// that open JDK packages and make kernels fast.
public final class ThisBuild {
    private ThisBuild() {}

    /// Returns the command line of `gpuvm`.
    ///
    /// @param jvmOptions additional options of the JVM
    public static List<String> gpuvm(List<String> jvmOptions, List<String> arguments) {
        return java("io.gpuvm.cli.Main", jvmOptions, arguments);
    }

    /// Returns the command line of another program.
    ///
    /// @param main name of the main class
    /// @param jvmOptions additional options of the JVM
    public static List<String> java(String main, List<String> jvmOptions, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JvmOptions.inherited());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(main);
        command.addAll(arguments);
        return command;
    }
}
