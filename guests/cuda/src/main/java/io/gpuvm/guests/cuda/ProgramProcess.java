package io.gpuvm.guests.cuda;

import io.gpuvm.cuda.compiler.Toolkit;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.GuestSetupException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Process that has started this one and runs the CUDA program: `exec-cuda`, in C. A JVM cannot
/// handle all signals, and a terminal's signals must not end the backend before the program.
///
/// @param descriptor number of the descriptor to which the program's arguments and environment are
///   written; standard input ends with the program
public record ProgramProcess(int descriptor) {
    private static final String DESCRIPTOR = "GPUVM_PROGRAM_FD";
    private static final String FILE = "exec-cuda";

    /// Returns the file of the program that starts `gpuvm exec-cuda`.
    public static Path file() {
        return new Toolkit(GuestFiles.locate().root()).starterFolder().resolve(FILE);
    }

    /// Returns the words before the JVM's in the command line of a command.
    ///
    /// @param command name of the command
    /// @return the program that starts `gpuvm exec-cuda`; nothing for other commands
    public static List<String> starterOf(String command) {
        boolean isOne = command.equals(FILE) || command.equals("cuda");
        return isOne ? List.of(file().toString()) : List.of();
    }

    /// Returns the process that has started this one.
    ///
    /// @throws GuestSetupException if another program has started this one
    static ProgramProcess ofThisProcess() {
        String descriptor = System.getenv(DESCRIPTOR);
        if (descriptor == null || !descriptor.matches("[0-9]+")) {
            throw new GuestSetupException(
                    "%s must start this command; ./gpuvm exec-cuda does so".formatted(file()));
        }
        return new ProgramProcess(Integer.parseInt(descriptor));
    }

    /// Starts the program. Returns when it has ended.
    ///
    /// @param program file and arguments
    /// @param environment environment variables, in addition to those of the process
    void run(List<String> program, Map<String, String> environment) {
        try (OutputStream output = Files.newOutputStream(Path.of("/proc/self/fd/" + descriptor))) {
            StringBuilder strings = new StringBuilder();
            environment.forEach((name, value) ->
                    strings.append('E').append(name).append('=').append(value).append('\0'));
            program.forEach(word -> strings.append('A').append(word).append('\0'));
            strings.append('\0');
            output.write(
                    strings.toString()
                            .getBytes(Charset.forName(System.getProperty("sun.jnu.encoding"))));
            output.flush();
            while (System.in.read() >= 0) {
                // The process writes nothing.
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
