package io.gpuvm.tests.virtualhost;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.tests.realguest.GuestFiles;
import io.gpuvm.tests.realguest.PreparedGuests;
import io.gpuvm.tests.realguest.ProgressPrinter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The card behind the kernel's VFIO, in one machine: starting it and its JVMs takes longer than
/// most of its tests.
@Tag("realguest")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class VirtualHostTest {
    @Test
    void givenTheCardBehindVfio_whenTakenReleasedAndLeftInTheMiddleOfWork_thenItConforms()
            throws InterruptedException {
        GuestFiles files = GuestFiles.locate();
        String kernel = PreparedGuests.virtualHostOrSkip(files);
        // The last of which ends with the conformance suite.
        HostOptions options = HostOptions.of(HostOptions.anySeed(), "retake", "kill");
        HostReport report =
                VirtualHostRun.run(options, kernel, files, new ProgressPrinter(System.err, false));
        assertTrue(report.passed(), () -> report.toJson().toPrettyString());
        assertTrue(report.verdict().count(TestOutcome.PASS) > 0);
    }
}
