package io.gpuvm.evaluation;

import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.HostProcessors;
import io.gpuvm.guests.real.JvmOptions;
import io.gpuvm.guests.real.LineReader;
import io.gpuvm.guests.real.OutputThread;
import io.gpuvm.guests.real.ThisBuild;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Program `gpuvm measure` in a process on the host.
final class ProgramProcess {
    private final Process process;
    private final MeasuredProgram program;

    private ProgramProcess(Process process, Duration limit) {
        this.process = process;
        Writer input = process.outputWriter(StandardCharsets.UTF_8);
        program = new MeasuredProgram(line -> send(input, line), limit);
        OutputThread.start("program-output", this::copyOutput);
    }

    /// Starts a program. The caller must wait until the program is ready.
    ///
    /// @param vm name for the program's log
    /// @param options options of `gpuvm measure`, which select the GPU
    /// @param processors processors on which its threads run
    /// @param scope ends the program
    /// @param limit deadline for an answer
    static ProgramProcess start(
            String vm,
            List<String> options,
            HostProcessors processors,
            GuestScope scope,
            Duration limit) {
        List<String> arguments = new ArrayList<>(List.of("measure"));
        arguments.addAll(options);
        List<String> command =
                processors.run(ThisBuild.gpuvm(List.of(JvmOptions.kernels()), arguments));
        Process process = scope.children().startTalking(command, scope.folder().qemuLog(vm));
        return new ProgramProcess(scope.add(process, Children::end), limit);
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
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            LineReader lines = new LineReader(output, MeasuredProgram.ANSWER_LIMIT + 1);
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
}
