package io.gpuvm.guests.hostile;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.guests.real.PreparedGuests;
import io.gpuvm.guests.real.ProgressPrinter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A real guest works, and others try what `docs/hostile-guests.md` lists.
@Tag("realguest")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class HostileGuestTest {
    @Test
    void givenAGuestThatWorks_whenOthersTryEverything_thenItLosesNothing()
            throws InterruptedException {
        long seed = System.nanoTime();
        ProgressPrinter progress = new ProgressPrinter(System.err, false);
        progress.onProgress("seed=" + seed);
        HostileReport report =
                HostileRun.run(
                        HostileRun.Options.all(seed), PreparedGuests.orSkip("6.12"), progress);
        System.err.println(report.toJson());
        assertTrue(report.passed(), () -> report.toJson().toPrettyString());
    }
}
