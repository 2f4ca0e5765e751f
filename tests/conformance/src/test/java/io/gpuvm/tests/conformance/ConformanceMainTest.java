package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.tests.support.EventLines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the command line and its output.
class ConformanceMainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @AfterEach
    void forgetGpu() {
        System.clearProperty(Place.PROPERTY);
    }

    private int run(String... arguments) {
        PrintStream toOut = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream toErr = new PrintStream(err, true, StandardCharsets.UTF_8);
        return ConformanceMain.run(arguments, toOut, toErr);
    }

    private String[] lines() {
        return out.toString(StandardCharsets.UTF_8).split("\n");
    }

    @Test
    void givenSelection_whenRun_thenSelectedTestsAreReportedAndCounted() {
        int status = run("--gpu", "soft,vram=64M", "--select", "IdentityTest.givenChip");

        assertEquals(0, status);
        assertEquals(2, lines().length);
        assertTrue(
                lines()[0].matches(
                        "@gpuvm \\{\"event\":\"test\",\"name\":\"IdentityTest.givenChip\\w+\","
                                + "\"result\":\"pass\",\"ms\":\\d+}"),
                lines()[0]);
        assertEquals(
                "@gpuvm {\"event\":\"tests\",\"passed\":1,\"failed\":0,\"skipped\":0}", lines()[1]);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PreemptionTest.givenLongCopy_whenOtherChannelHasWork",
                "ComputeTest.givenEndlessLaunch_whenOtherChannelHasWork"
            })
    void givenTestOfPreemption_whenRunOnGuestsGpus_thenOnlySharedGpuSkipsTest(String test) {
        assertEquals(0, run("--gpu", "passthrough:soft,vram=128M", "--select", test));
        assertTrue(lines()[0].contains("\"result\":\"pass\""), lines()[0]);

        out.reset();
        assertEquals(1, run("--gpu", "virtual:soft,vram=512M", "--select", test));
        assertTrue(lines()[0].contains("\"reason\":\"shared GPU: "), lines()[0]);
    }

    @Test
    void givenEmptySelection_whenRun_thenExitStatusIsFailure() {
        assertEquals(1, run("--select", "NoSuchTest"));
        assertEquals(
                "@gpuvm {\"event\":\"tests\",\"passed\":0,\"failed\":0,\"skipped\":0}", lines()[0]);
    }

    @Test
    void givenCycles_whenRun_thenEachCycleIsReported() {
        assertEquals(0, run("--cycles", "2", "--gpu", "soft,vram=64M"));
        assertEquals(3, lines().length);
        assertTrue(lines()[1].contains("\"name\":\"Cycle.2\",\"result\":\"pass\""), lines()[1]);
    }

    @Test
    void givenInvalidArguments_whenRun_thenExitStatusIsTwo() {
        assertEquals(2, run("--gpu", "card"));
        assertEquals(2, run("--cycles", "0"));
        assertEquals(2, run("--cycles"));
        assertEquals(2, run("--busy", "--cycles", "1"));
        assertEquals(2, run("everything"));
        assertEquals("", out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void givenHelp_whenRequested_thenOnlyHelpIsPrinted() {
        assertEquals(0, run("--help"));
        assertTrue(lines()[0].startsWith("Usage: "));
    }

    @Test
    void givenFailure_whenReported_thenReasonIsOneJsonString() {
        EventLines events = new EventLines(new PrintStream(out, true), new PrintStream(err, true));

        events.failed("A.b", System.nanoTime(), new AssertionError("is \"1\"\nnot \\ 2\u00b5"));

        assertTrue(lines()[0].endsWith("\"reason\":\"is \\\"1\\\"\\u000anot \\\\ 2\\u00b5\"}"));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("AssertionError"));
    }

    /// Tests that each class is listed; an unlisted class would run only in the build.
    @Test
    void givenTestClasses_whenComparedWithList_thenAllClassesAreListed() throws IOException {
        Path folder =
                Path.of("target/classes", ConformanceMain.class.getPackageName().replace('.', '/'));
        Set<String> listed =
                Specification.TESTS.stream().map(Class::getSimpleName).collect(Collectors.toSet());
        try (Stream<Path> files = Files.list(folder)) {
            Set<String> found =
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith("Test.class"))
                            .filter(name -> !name.equals("GpuTest.class"))
                            .map(name -> name.substring(0, name.length() - ".class".length()))
                            .collect(Collectors.toSet());
            assertEquals(found, listed);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
