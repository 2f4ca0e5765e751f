package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AtEndTest {
    private static final int TERMINATED = 143;

    @Test
    void givenRunningAction_whenSignalTerminatesJvm_thenActionCompletesAndRunsOnce()
            throws Exception {
        Process program =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Program.class.getName())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader out = program.inputReader()) {
            List<String> said = new ArrayList<>(List.of(out.readLine()));
            program.toHandle().destroy();
            do {
                said.add(out.readLine());
            } while (!said.getLast().equals("signal"));
            program.outputWriter().append("continue\ncontinue\n").flush();
            out.lines().forEach(said::add);
            assertEquals(List.of("begin", "signal", "end"), said);
        }
        assertEquals(TERMINATED, program.waitFor());
    }

    /// Program whose action waits for a line of standard input.
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws InterruptedException {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("signal")));
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
            try (AtEnd _ = new AtEnd(() -> act(in))) {
                // Empty: the action runs when the block ends.
            }
            Thread.currentThread().join();
        }

        private static void act(BufferedReader in) {
            System.out.println("begin");
            try {
                in.readLine();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            System.out.println("end");
        }
    }
}
