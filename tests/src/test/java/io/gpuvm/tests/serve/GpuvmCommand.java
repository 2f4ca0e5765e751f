package io.gpuvm.tests.serve;

import io.gpuvm.guests.real.JvmOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Command that tests run as a separate process. Each process is killed after its test.
final class GpuvmCommand implements AfterEachCallback {
    private final String name;
    private final List<Process> processes = new ArrayList<>();
    private final List<String> jvmOptions = new ArrayList<>();
    private final Map<String, String> variables = new HashMap<>();

    /// Words before the JVM's in command lines.
    private List<String> starter = List.of();

    /// @param name name of the command, for instance `serve`
    GpuvmCommand(String name) {
        this.name = name;
    }

    /// Adds a JVM option for processes that start later.
    void jvmOption(String option) {
        jvmOptions.add(option);
    }

    /// Sets an environment variable of processes that start later.
    void environment(String variable, String value) {
        variables.put(variable, value);
    }

    /// Sets the words before the JVM's in the command line of processes that start later.
    void starter(String... words) {
        starter = List.of(words);
    }

    Process start(String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words(arguments));
        builder.environment().putAll(variables);
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    /// Returns the words that start the command.
    List<String> words(String... arguments) {
        List<String> command = new ArrayList<>(starter);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JvmOptions.opening());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("io.gpuvm.cli.Main", name));
        command.addAll(List.of(arguments));
        return command;
    }

    /// Returns the standard error of a process until the process closes it.
    static String errorsOf(Process process) throws IOException {
        try (BufferedReader errors = process.errorReader()) {
            return String.join("\n", errors.readAllLines());
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        processes.forEach(Process::destroyForcibly);
    }
}
