package io.gpuvm.cli;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Program that executes gpuvm commands inside the virtual host, in sequence and in this JVM,
/// because starting a JVM takes longer than most commands.
///
/// Standard input has one line per command, `STATUS | TEXT | COMMAND ARGUMENT...`: the expected
/// exit status, and a text that the output must contain. The command `sh` executes the remainder of
/// its line in a shell. Lines that begin with `#` are printed. The exit status is 0 if all
/// expectations are met.
final class CommandScript {
    private static final int PARTS = 3;
    private static final String SHELL = "sh ";

    private CommandScript() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        boolean passed = true;
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null; ) {
            if (line.startsWith("#")) {
                System.out.println(line);
            } else if (!line.isBlank()) {
                passed &= run(line.split("\\|", PARTS));
            }
        }
        System.exit(passed ? 0 : 1);
    }

    private static boolean run(String[] parts) throws IOException, InterruptedException {
        int expected = Integer.parseInt(parts[0].strip());
        String text = parts[1].strip();
        String command = parts[2].strip();
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream both = new PrintStream(said, true, StandardCharsets.UTF_8);
        int status;
        try {
            System.setOut(both);
            System.setErr(both);
            status =
                    command.startsWith(SHELL)
                            ? shell(command.substring(SHELL.length()), both)
                            : Main.execute(command.split("\\s+"));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        String output = said.toString(StandardCharsets.UTF_8);
        out.printf("$ %s%s%n", command.startsWith(SHELL) ? "" : "gpuvm ", command);
        out.print(output);
        boolean ok = status == expected && output.contains(text);
        out.printf(
                "@gpuvm {\"event\":\"check\",\"ok\":%b,\"text\":\"%s: status %d\"}%n",
                ok, command.replaceAll("[\"\\\\]", "'"), status);
        if (!ok) {
            out.printf("expected: status %d, '%s'%n", expected, text);
        }
        return ok;
    }

    private static int shell(String command, PrintStream out)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder("/bin/sh", "-c", command).redirectErrorStream(true).start();
        process.getInputStream().transferTo(out);
        return process.waitFor();
    }
}
