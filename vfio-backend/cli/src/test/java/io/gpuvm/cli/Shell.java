package io.gpuvm.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/// Shell that calls commands in this process as users do, and retains the output of the last
/// command.
final class Shell {
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    /// @return the exit status
    int run(Object... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        String[] words = new String[arguments.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = arguments[i].toString();
        }
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(words);
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }
}
