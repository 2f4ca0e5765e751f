package io.gpuvm.guests.real;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Processes that are always of the same build as this one: they run from its class path, with the
/// options of its virtual machine that open the JDK to them and that make kernels fast.
public final class ThisBuild {
    private ThisBuild() {}

    /// The command line of `gpuvm`.
    ///
    /// @param jvmOptions more options of its virtual machine
    public static List<String> gpuvm(List<String> jvmOptions, List<String> arguments) {
        return java("io.gpuvm.cli.Main", jvmOptions, arguments);
    }

    /// The command line of another program.
    ///
    /// @param main the name of its class
    /// @param jvmOptions more options of its virtual machine
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
