package io.gpuvm.evaluation;

import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.JvmOptions;
import io.gpuvm.guests.real.ThisBuild;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A program `gpuvm measure` as a process of this build.
final class ProgramProcess implements AutoCloseable {
    private final Process process;
    private final MeasuredProgram program;

    private ProgramProcess(Process process, Duration limit) {
        this.process = process;
        Writer input = process.outputWriter(StandardCharsets.UTF_8);
        program = new MeasuredProgram(line -> send(input, line), limit);
        Thread.ofVirtual().name("program-output").start(this::copyOutput);
    }

    /// Starts a program; the caller waits until it is ready.
    ///
    /// @param options options of `gpuvm measure`, which select the GPU
    /// @param processors processors of its threads
    /// @param log file to which its standard error is appended
    /// @param limit deadline for an answer
    static ProgramProcess start(
            List<String> options,
            List<Integer> processors,
            Path log,
            Children children,
            Duration limit) {
        List<String> arguments = new ArrayList<>(List.of("measure"));
        arguments.addAll(options);
        List<String> command =
                Pinning.command(
                        processors, ThisBuild.gpuvm(List.of(JvmOptions.kernels()), arguments));
        return new ProgramProcess(children.startTalking(command, log), limit);
    }

    private static void send(Writer input, String line) {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException _) {
            // The process has ended; its output ends, too, and reports the reason.
        }
    }

    private void copyOutput() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line; (line = lines.readLine()) != null; ) {
                program.accept(line);
            }
        } catch (IOException | UncheckedIOException _) {
            // The process was terminated.
        }
        try {
            program.ended("the program ended: exit status %d".formatted(process.waitFor()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    MeasuredProgram program() {
        return program;
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        Children.end(process);
    }
}
