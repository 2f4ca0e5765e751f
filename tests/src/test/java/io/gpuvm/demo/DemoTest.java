package io.gpuvm.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cli.Main;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.JvmOptions;
import io.gpuvm.guests.real.PreparedGuests;
import io.gpuvm.guests.real.RunOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Tag("commands")
class DemoTest {
    private static final int INTERRUPTED = 128 + 2;
    private static final int TERMINATED = 128 + 15;

    @TempDir private Path temporary;
    @TempDir private Path cache;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @Test
    void givenTwoGuests_whenDemoRuns_thenEachGuestIsVerifiedAndCounted() throws Exception {
        DemoPlan plan = DemoPlan.of(2, 0, "6.12");
        DemoScreen board =
                new DemoScreen(new PrintStream(said, true, StandardCharsets.UTF_8), false);

        boolean passed = DemoRun.run(plan, plan.gpu(), GuestFiles.locate(), board);

        String text = said.toString(StandardCharsets.UTF_8);
        assertTrue(passed, text);
        assertTrue(text.contains("pv0  mmul: verified 2 times"), text);
        assertTrue(text.contains("pv1  bfs: verified 2 times"), text);
        assertTrue(text.contains("All results were verified."), text);
    }

    @Test
    void givenGpuThatKillsKernels_whenDemoRuns_thenDemoFailsAndNamesGuest() throws Exception {
        DemoPlan plan = DemoPlan.of(1, 0, "6.12");
        DemoScreen board =
                new DemoScreen(new PrintStream(said, true, StandardCharsets.UTF_8), false);
        String impatient = plan.gpu() + ",watchdog=0.000001";

        assertFalse(DemoRun.run(plan, impatient, GuestFiles.locate(), board));

        String text = said.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("failed: pv0: mmul: exit status 1"), text);
        assertTrue(text.contains("The demo FAILED."), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void givenRunningDemo_whenSignalEndsDemo_thenNoProcessAndNoFileRemains(String signal)
            throws Exception {
        assertNothingIsLeft(signal, "verified", start(Map.of(), "--no-real-guests", "--guests=2"));
    }

    @Tag("realguest")
    @ParameterizedTest
    @CsvSource({"INT, powered on", "TERM, verified: "})
    void givenMachinesInDemo_whenSignalEndsDemo_thenNoProcessAndNoFileRemains(
            String signal, String moment) throws Exception {
        endWithMachines(signal, moment);
    }

    @Tag("realguest")
    @Tag("long")
    @ParameterizedTest
    @CsvSource({"INT, setting up QEMU", "TERM, is up", "INT, nouveau is loaded"})
    void givenMachinesInDemo_whenSignalEndsDemoDuringSetupOrBoot_thenNoProcessAndNoFileRemains(
            String signal, String moment) throws Exception {
        endWithMachines(signal, moment);
    }

    private void endWithMachines(String signal, String moment) throws Exception {
        PreparedGuests.orSkip(RunOptions.of("6.12", "gles-compute"));
        assertNothingIsLeft(signal, moment, start(Map.of(), "--guests=1"));
    }

    @Test
    void givenHostWithoutQemu_whenDemoRuns_thenReasonIsPrintedAndOtherGuestsAreVerified()
            throws Exception {
        runWithoutQemu("PATH", "{basic}", "apt-get is not installed");
    }

    /// Tests the demonstration without a network, and with a QEMU that does not start.
    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "GPUVM_DEBIAN_MIRROR, http://127.0.0.1:1/debian, command failed: apt-get",
        "GPUVM_GUEST_CACHE, {broken}, QEMU does not start"
    })
    void givenUnavailableQemu_whenDemoRuns_thenReasonIsPrintedAndOtherGuestsAreVerified(
            String variable, String value, String reason) throws Exception {
        runWithoutQemu(variable, value, reason);
    }

    private void runWithoutQemu(String variable, String value, String reason) throws Exception {
        Map<String, String> environment =
                new HashMap<>(Map.of("GPUVM_GUEST_CACHE", cache.toString()));
        environment.put(
                variable,
                switch (value) {
                    case "{basic}" -> basicTools().toString();
                    case "{broken}" -> brokenCache().toString();
                    default -> value;
                });
        Process demo = start(environment, "--guests=1");
        List<String> lines;
        try (var out = demo.inputReader()) {
            lines = out.lines().toList();
        }

        assertEquals(0, demo.waitFor(), () -> String.join("\n", lines));
        List<String> why =
                lines.stream().filter(line -> line.contains("continuing without")).toList();
        assertEquals(1, why.size(), () -> String.join("\n", lines));
        assertTrue(why.getFirst().contains(reason), why::getFirst);
        assertTrue(lines.contains("All results were verified."));
    }

    @Test
    void givenNoOtherGuests_whenMachinesCannotBeSetUp_thenDemoFails() throws Exception {
        Map<String, String> environment =
                Map.of("GPUVM_GUEST_CACHE", "" + cache, "PATH", "" + basicTools());
        Process demo = start(environment, "--guests=0");
        String text;
        try (var out = demo.inputReader()) {
            text = String.join("\n", out.lines().toList());
        }

        assertEquals(1, demo.waitFor(), text);
        assertTrue(text.contains("failed: guests=0, expected at least 1"), text);
    }

    /// Returns a folder with all tools that scripts need, except those that download packages.
    private Path basicTools() throws IOException {
        Path folder = Files.createDirectory(cache.resolve("bin"));
        for (String name : List.of("bash", "env", "uname", "dirname", "setpriv")) {
            Files.createSymbolicLink(folder.resolve(name), Path.of("/usr/bin", name));
        }
        return folder;
    }

    /// Returns a cache with a QEMU that does not start.
    private Path brokenCache() throws IOException {
        for (String part : List.of("tools", "qemu")) {
            Path folder = Files.createDirectory(cache.resolve(part));
            Files.writeString(folder.resolve("stamp"), "1\n");
        }
        return cache;
    }

    private void assertNothingIsLeft(String signal, String moment, Process demo) throws Exception {
        List<String> shared = sharedMemory();
        List<ProcessHandle> children;
        List<String> said = new ArrayList<>();
        try (var out = demo.inputReader()) {
            String line;
            do {
                line = out.readLine();
                said.add(line);
            } while (line != null && !line.contains(moment));
            children = demo.descendants().toList();
            assertFalse(children.isEmpty(), () -> String.join("\n", said));
            send(signal, demo);
            out.lines().forEach(_ -> {});
        }

        assertEquals(signal.equals("INT") ? INTERRUPTED : TERMINATED, demo.waitFor());
        for (ProcessHandle child : children) {
            child.onExit().get(1, TimeUnit.MINUTES);
        }
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(List.of(), left.toList());
        }
        assertEquals(shared, sharedMemory());
    }

    private static List<String> sharedMemory() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
            return files.map(Path::toString).filter(name -> name.contains("gpuvm")).toList();
        }
    }

    private Process start(Map<String, String> environment, String... arguments) throws IOException {
        // Processes of background jobs may start with SIGINT ignored, so it is set to its default
        // action.
        List<String> command = new ArrayList<>(List.of("/usr/bin/env", "--default-signal=INT"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JvmOptions.inherited());
        command.add("-Djava.io.tmpdir=" + temporary);
        command.add("-Dgpuvm.root=" + System.getProperty("gpuvm.root"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Main.class.getName(), "demo"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static void send(String signal, Process process)
            throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start();
        assertEquals(0, kill.waitFor());
    }
}
