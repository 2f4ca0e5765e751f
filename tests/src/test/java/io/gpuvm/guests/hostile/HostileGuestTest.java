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
@Tag("alone")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class HostileGuestTest {
    /// As many turns of each flood as tell one that costs the neighbour something from none, where
    /// little else runs.
    private static final int FEW_TURNS = 5;

    @Test
    void givenAGuestThatWorks_whenOthersTryEverything_thenItLosesNothing()
            throws InterruptedException {
        tryEverything(FEW_TURNS);
    }

    @Test
    @Tag("long")
    void givenAGuestThatWorks_whenOthersFloodForLong_thenItLosesNothing()
            throws InterruptedException {
        tryEverything(HostileRun.Options.DEFAULT_TURNS);
    }

    private static void tryEverything(int turns) throws InterruptedException {
        long seed = System.nanoTime();
        ProgressPrinter progress = new ProgressPrinter(System.err, false);
        progress.onProgress("seed=" + seed);
        HostileReport report =
                HostileRun.run(
                        HostileRun.Options.all(seed, turns),
                        PreparedGuests.orSkip("6.12"),
                        progress);
        System.err.println(report.toJson());
        assertTrue(report.passed(), () -> report.toJson().toPrettyString());
    }
}
