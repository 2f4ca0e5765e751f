package io.gpuvm.guests.virtualhost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.PreparedGuests;
import io.gpuvm.guests.real.ProgressPrinter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Test of a paravirtual guest in a real virtual machine: QEMU, Linux, a JVM, and the function's
/// BARs in sysfs.
@Tag("realguest")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PvMachineTest {
    @Test
    void givenMachineWithPvFunction_whenWorkloadRuns_thenWorkloadIsVerified()
            throws InterruptedException {
        GuestFiles files = GuestFiles.locate();
        String kernel = PreparedGuests.virtualHostOrSkip(files);

        PvMachineVerdict verdict =
                PvMachineRun.run(
                        List.of("--pci", "mmul", "--size=64"),
                        kernel,
                        files,
                        Duration.ofMinutes(5),
                        new ProgressPrinter(System.err, false));

        String all = String.join("\n", verdict.output());
        assertEquals(List.of(), verdict.failures(), all);
        assertTrue(all.contains("verified"), all);
    }
}
