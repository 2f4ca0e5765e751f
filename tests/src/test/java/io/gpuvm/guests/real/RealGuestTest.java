package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Unmodified QEMU, kernels and nouveau on this build's backend in pass-through mode.
@Tag("realguest")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RealGuestTest {
    @ParameterizedTest
    @ValueSource(strings = {"6.1", "6.12", "7.2"})
    void givenMsi_whenDataIsCopied_thenItIsRightBeforeAndAfterAReload(String kernel)
            throws InterruptedException {
        RunReport report = run(RunOptions.of(kernel, "copy").withReloads(1));
        assertInterruptsBy("PCI-MSI", report);
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1", "6.12", "7.2"})
    void givenIntx_whenDataIsCopied_thenItIsRight(String kernel) throws InterruptedException {
        RunReport report =
                run(RunOptions.of(kernel, "copy").withModuleParameters("config=NvMSI=0"));
        assertInterruptsBy("IO-APIC", report);
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.1", "6.12", "7.2"})
    void givenAnUnmappedAddress_whenTheGpuTouchesIt_thenOnlyThatChannelDies(String kernel)
            throws InterruptedException {
        run(RunOptions.of(kernel, "fault"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.12", "7.2"})
    void givenNoCopyEngines_whenTheDriverLoadsAndCopies_thenItHasNothingToComplainAbout(
            String kernel) throws InterruptedException {
        RunReport report = run(RunOptions.of(kernel, "copy").withGpu("soft,copy-engines=off"));
        GuestVerdict verdict = report.vms().getFirst().verdict();
        assertEquals(
                List.of(),
                verdict.warnings().stream()
                        .filter(warning -> warning.text().contains("nouveau"))
                        .toList());
        assertEquals(2, verdict.skipped().size(), "both copy engines are skipped");
    }

    /// What gpuvm is for.
    @Test
    void givenTwoGuestsOnOneGpu_whenBothCopyAtOnce_thenEachHasItsOwnDataRight()
            throws InterruptedException {
        run(
                RunOptions.of("6.12", "copy")
                        .withGpu("soft,vram=1G")
                        .withVms(VmSpec.of("vm0", "6.12", "fv"), VmSpec.of("vm1", "6.12", "fv")));
    }

    @Test
    void givenTheOldestAndTheNewestKernelOnOneGpu_whenBothCopyAtOnce_thenEachHasItsOwnDataRight()
            throws InterruptedException {
        run(
                RunOptions.of("6.1", "copy")
                        .withGpu("soft,vram=1G")
                        .withVms(VmSpec.of("vm0", "6.1", "fv"), VmSpec.of("vm1", "7.2", "fv")));
    }

    @Test
    void givenTwoGuestsOnOneGpu_whenBothFaultAtOnce_thenEachLosesItsOwnChannelsOnly()
            throws InterruptedException {
        run(
                RunOptions.of("6.12", "fault")
                        .withGpu("soft,vram=1G")
                        .withVms(VmSpec.of("vm0", "6.12", "fv"), VmSpec.of("vm1", "6.12", "fv")));
    }

    @Test
    void givenKernelsThatGoWrong_whenLaunched_thenTheDriverIsToldAsByHardware()
            throws InterruptedException {
        run(RunOptions.of("6.12", "gpu-trap").withGpu("soft,watchdog=2"));
    }

    @Test
    void givenTwoGuestsOnOneGpu_whenKernelsGoWrongInBoth_thenEachHearsOfItsOwn()
            throws InterruptedException {
        run(
                RunOptions.of("6.1", "gpu-trap")
                        .withGpu("soft,vram=1G,watchdog=2")
                        .withVms(VmSpec.of("vm0", "6.1", "fv"), VmSpec.of("vm1", "7.2", "fv")));
    }

    /// What its compiler makes of shaders is machine code that nobody here has written.
    @ParameterizedTest
    @ValueSource(strings = {"interpreter", "compiled"})
    void givenMesaInTwoGuestsWithDifferentKernels_whenBothComputeAtOnce_thenAllResultsAreRight(
            String engine) throws InterruptedException {
        RunReport report =
                run(
                        RunOptions.of("6.12", "gles-compute")
                                .withArguments("seconds=5")
                                .withGpu("soft,vram=1G,engine=" + engine)
                                .withVms(
                                        VmSpec.of("vm0", "6.12", "fv"),
                                        VmSpec.of("vm1", "7.2", "fv")));
        JsonNode counters = report.server().at("/gpu/counters");
        assertNotEquals(0, counters.path("COMPUTE_LAUNCHES").asLong());
        assertEquals(
                engine.equals("compiled"),
                counters.path("COMPILED_INSTRUCTIONS").asLong() > 0,
                counters::toString);
    }

    @Test
    void givenMesa_whenItClears_thenEveryPixelIsReadBack() throws InterruptedException {
        RunReport report =
                run(RunOptions.of("6.12", "gles-clear").withVms(VmSpec.of("vm0", "6.12", "fv")));
        assertEquals(0, report.server().at("/gpu/counters/CLEARS_LEFT_OUT").asLong());
    }

    /// Runs and requires a pass, on registers that are all declared.
    private static RunReport run(RunOptions options) throws InterruptedException {
        GuestFiles files = PreparedGuests.orSkip(options);
        RunReport report = RealGuestRun.run(options, files, new ProgressPrinter(System.err, false));
        assertTrue(report.passed(), () -> report.toJson().toPrettyString());
        assertEquals("[]", report.server().at("/gpu/undeclared").toString());
        return report;
    }

    private static void assertInterruptsBy(String controller, RunReport report) {
        List<String> output = report.vms().getFirst().verdict().output();
        assertTrue(
                output.stream()
                        .anyMatch(line ->
                                line.startsWith("interrupt line: ") && line.contains(controller)),
                () -> "no %s among %s".formatted(controller, output));
    }
}
