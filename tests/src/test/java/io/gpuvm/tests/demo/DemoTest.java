package io.gpuvm.tests.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.tests.realguest.GuestFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DemoTest {
    private static final int INTERRUPTED = 128 + 2;

    @TempDir private Path temporary;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @Test
    void givenTwoGuests_whenRun_thenEachIsVerifiedAndCounted() throws Exception {
        DemoPlan plan = DemoPlan.of(2, 0, "6.12");
        Board board = new Board(new PrintStream(said, true, StandardCharsets.UTF_8), false);

        boolean passed = DemoRun.run(plan, plan.gpu(), GuestFiles.locate(), board);

        String text = said.toString(StandardCharsets.UTF_8);
        assertTrue(passed, text);
        assertTrue(text.contains("pv0  mmul: verified 2 times"), text);
        assertTrue(text.contains("pv1  bfs: verified 2 times"), text);
        assertTrue(text.contains("All results were verified."), text);
    }

    @Test
    void givenAGpuThatGivesUpOnKernels_whenRun_thenTheDemoFailsAndSaysWho() throws Exception {
        DemoPlan plan = DemoPlan.of(1, 0, "6.12");
        Board board = new Board(new PrintStream(said, true, StandardCharsets.UTF_8), false);
        String impatient = plan.gpu() + ",watchdog=0.000001";

        assertFalse(DemoRun.run(plan, impatient, GuestFiles.locate(), board));

        String text = said.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("failed: pv0: mmul: exit status 1"), text);
        assertTrue(text.contains("The demo FAILED."), text);
    }

    @Test
    void givenARunningDemo_whenInterrupted_thenNothingIsLeft() throws Exception {
        Process demo = start("--no-real-guests", "--guests=2");
        List<ProcessHandle> children;
        try (var out = demo.inputReader()) {
            String line;
            do {
                line = out.readLine();
            } while (line != null && !line.contains("verified"));
            children = demo.descendants().toList();
            assertFalse(children.isEmpty());
            interrupt(demo);
            out.lines().forEach(_ -> {});
        }

        assertEquals(INTERRUPTED, demo.waitFor());
        for (ProcessHandle child : children) {
            child.onExit().get(1, TimeUnit.MINUTES);
        }
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(List.of(), left.toList());
        }
    }

    private Process start(String... arguments) throws IOException {
        // Who runs tests in the background has them ignore the signal.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("--") || option.startsWith("-XX:"))
                .forEach(command::add);
        command.add("-Djava.io.tmpdir=" + temporary);
        command.add("-Dgpuvm.root=" + System.getProperty("gpuvm.root"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(Demo.class.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static void interrupt(Process process) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-INT", "" + process.pid()).start();
        assertEquals(0, kill.waitFor());
    }
}
