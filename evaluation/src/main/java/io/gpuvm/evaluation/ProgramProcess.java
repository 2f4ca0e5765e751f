package io.gpuvm.evaluation;

import io.gpuvm.guests.cuda.CudaLibrary;
import io.gpuvm.guests.cuda.ProgramsInC;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.GuestSetupException;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Program that answers requests, in a process on the host.
final class ProgramProcess {
    private final Process process;
    private final MeasuredProgram program;

    private ProgramProcess(Process process, Duration limit) {
        this.process = process;
        Writer input = process.outputWriter(StandardCharsets.UTF_8);
        program = new MeasuredProgram(line -> send(input, line), limit);
        OutputThread.start("program-output", this::copyOutput);
    }

    /// Command line of a program, and its additional environment variables.
    record Command(List<String> words, Map<String, String> environment) {
        /// Returns the command line of `gpuvm measure`.
        ///
        /// @param options options that select the GPU
        static Command inJava(List<String> options) {
            List<String> arguments = new ArrayList<>(List.of("measure"));
            arguments.addAll(options);
            return new Command(ThisBuild.gpuvm(List.of(JvmOptions.kernels()), arguments), Map.of());
        }

        /// Returns the command line of the workloads in C, which are compiled if necessary.
        ///
        /// @param socket socket of the backend
        /// @throws GuestLostException if they cannot be compiled
        static Command inC(Path socket) {
            try {
                return new Command(
                        ProgramsInC.prepare().workloads("-"),
                        CudaLibrary.ofThisBuild().environment(socket, System.getenv()));
            } catch (GuestSetupException e) {
                throw new GuestLostException("set-up of the program in C: " + e.getMessage());
            }
        }
    }

    /// Starts a program. The caller must wait until the program is ready.
    ///
    /// @param vm name for the program's log
    /// @param processors processors on which its threads run
    /// @param scope ends the program
    /// @param limit deadline for an answer
    static ProgramProcess start(
            String vm,
            Command command,
            HostProcessors processors,
            GuestScope scope,
            Duration limit) {
        Process process =
                scope.children()
                        .startTalking(
                                processors.run(command.words()),
                                command.environment(),
                                scope.folder().qemuLog(vm));
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
