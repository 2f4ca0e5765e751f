package io.gpuvm.cuda.compiler;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/// Runs and prints the steps of a call, one after another. Confined to one thread.
///
/// @param err receives the printed steps
/// @param prints whether steps are printed
/// @param runs whether steps are executed
record Steps(PrintWriter err, boolean prints, boolean runs) {
    /// Begin of a printed step, as `nvcc` prints it.
    private static final String MARK = "#$ ";

    /// Runs a program, which shares this process's terminal.
    ///
    /// @throws CcException if it fails; it has printed the reason
    void run(List<String> command) {
        announce(command);
        if (!runs) {
            return;
        }
        try {
            int status = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (status != 0) {
                throw CcException.reported();
            }
        } catch (IOException e) {
            throw CcException.failure(
                    "%s: cannot be run: %s".formatted(command.getFirst(), e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CcException.failure("interrupted");
        }
    }

    /// Prints a step if steps are printed.
    void announce(List<String> words) {
        if (prints) {
            err.println(MARK + words.stream().map(Steps::quoted).collect(Collectors.joining(" ")));
            err.flush();
        }
    }

    private static String quoted(String word) {
        return word.matches("[\\w./:=,+@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
