package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of unmodified QEMU, kernels and nouveau on this build's backend in pass-through mode.
@Tag("realguest")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RealGuestTest {
    private static final String MSI = "PCI-MSI";
    private static final String INTX = "IO-APIC";
    private static final String NO_MSI = "config=NvMSI=0";
    private static final Pattern INTERRUPT_LINE =
            Pattern.compile("interrupt line: .*\\b(" + MSI + "|" + INTX + ")");

    /// Tests that the GPU still works after errors: the guest first accesses unmapped addresses and
    /// launches failing kernels, and then copies. The driver is loaded twice, first with MSI.
    @Test
    void givenMsiThenIntx_whenGuestCausesErrorsAndCopies_thenOnlyFailingChannelsDie()
            throws InterruptedException {
        causeErrorsAndCopy("6.12");
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"6.1", "7.2"})
    void givenOtherLinux_whenGuestCausesErrorsAndCopies_thenOnlyFailingChannelsDie(String kernel)
            throws InterruptedException {
        causeErrorsAndCopy(kernel);
    }

    private static void causeErrorsAndCopy(String kernel) throws InterruptedException {
        RunReport report =
                PassingRun.of(
                        RunOptions.of(kernel, "fault,gpu-trap,copy")
                                .withGpu("soft,watchdog=2")
                                .withReloads(1, NO_MSI));
        assertEquals(List.of(MSI, INTX), interruptLines(report));
    }

    /// Tests that plain accesses to the mapped BARs reach the same memory as the GPU, and that
    /// accesses to BAR3, PRAMIN and PROM cause no traps.
    @Test
    void givenMappedBars_whenDataIsCopied_thenDataIsCorrectAndMappedPartsCauseNoTraps()
            throws InterruptedException {
        copyThroughMappedBars("6.12");
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"6.1", "7.2"})
    void givenMappedBarsAndOtherLinux_whenDataIsCopied_thenMappedPartsCauseNoTraps(String kernel)
            throws InterruptedException {
        copyThroughMappedBars(kernel);
    }

    private static void copyThroughMappedBars(String kernel) throws InterruptedException {
        VmSpec mapped = VmSpec.parse("vm0", "mode=passthrough,map=all", kernel);

        RunReport report = PassingRun.of(RunOptions.of(kernel, "copy").withVms(mapped));

        JsonNode vm = report.server().at("/vms/0");
        for (String region : List.of("BAR3", "PRAMIN", "PROM")) {
            JsonNode traps = vm.at("/traps/" + region);
            assertEquals(0, traps.path("reads").asLong() + traps.path("writes").asLong(), region);
        }
        assertTrue(vm.at("/mapping/counters/pagesShown").asLong() > 0, vm::toString);
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"6.1", "6.12", "7.2"})
    void givenMsi_whenDataIsCopied_thenDataIsCorrectBeforeAndAfterReload(String kernel)
            throws InterruptedException {
        RunReport report = PassingRun.of(RunOptions.of(kernel, "copy").withReloads(1));
        assertEquals(List.of(MSI, MSI), interruptLines(report));
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"6.1", "6.12", "7.2"})
    void givenIntx_whenDataIsCopied_thenDataIsCorrect(String kernel) throws InterruptedException {
        RunReport report =
                PassingRun.of(RunOptions.of(kernel, "copy").withModuleParameters(NO_MSI));
        assertEquals(List.of(INTX), interruptLines(report));
    }

    @Test
    void givenNoCopyEngines_whenDriverLoadsAndCopies_thenDriverLogsNoWarnings()
            throws InterruptedException {
        copyWithoutCopyEngines("6.12");
    }

    @Test
    @Tag("long")
    void givenNoCopyEnginesAndNewestLinux_whenDriverLoadsAndCopies_thenDriverLogsNoWarnings()
            throws InterruptedException {
        copyWithoutCopyEngines("7.2");
    }

    private static void copyWithoutCopyEngines(String kernel) throws InterruptedException {
        RunReport report =
                PassingRun.of(RunOptions.of(kernel, "copy").withGpu("soft,copy-engines=off"));
        GuestVerdict verdict = report.vms().getFirst().verdict();
        assertEquals(
                List.of(),
                verdict.warnings().stream()
                        .filter(warning -> warning.text().contains("nouveau"))
                        .toList());
        assertEquals(2, verdict.skipped().size(), "both copy engines are skipped");
    }

    /// Returns the interrupt controllers that the guest reports, one per run of `copy`.
    private static List<String> interruptLines(RunReport report) {
        return report.vms().getFirst().verdict().output().stream()
                .map(INTERRUPT_LINE::matcher)
                .filter(Matcher::find)
                .map(line -> line.group(1))
                .toList();
    }
}
