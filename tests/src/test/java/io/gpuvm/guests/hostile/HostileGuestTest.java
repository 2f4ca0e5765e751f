package io.gpuvm.guests.hostile;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.guests.real.PreparedGuests;
import io.gpuvm.guests.real.ProgressPrinter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Test of a real guest that works during the attacks listed in `docs/hostile-guests.md`.
@Tag("realguest")
@Tag("alone")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class HostileGuestTest {
    /// Number of turns of a flood. With halves of [#SHORT_HALF], this number suffices to
    /// distinguish a flood that slows the neighbour down from a flood that does not, on a host with
    /// little other load. `tests/hostile-guest/prove` uses the same values.
    private static final int FEW_TURNS = 5;

    private static final Duration SHORT_HALF = Duration.ofSeconds(2);

    private static final int MANY_TURNS = 11;
    private static final Duration LONG_HALF = Duration.ofSeconds(3);

    @Test
    void givenWorkingGuest_whenHostileGuestsRunAllAttacks_thenAllAttacksFail()
            throws InterruptedException {
        tryEverything(FEW_TURNS, SHORT_HALF);
    }

    @Test
    @Tag("long")
    void givenWorkingGuest_whenHostileGuestsFloodForLong_thenGuestIsNotSlowedDown()
            throws InterruptedException {
        tryEverything(MANY_TURNS, LONG_HALF);
    }

    private static void tryEverything(int turns, Duration half) throws InterruptedException {
        long seed = System.nanoTime();
        ProgressPrinter progress = new ProgressPrinter(System.err, false);
        progress.onProgress("seed=" + seed);
        HostileReport report =
                HostileRun.run(
                        HostileRun.Options.all(seed, turns, half),
                        PreparedGuests.orSkip("6.12"),
                        progress);
        System.err.println(report.toJson());
        assertTrue(report.passed(), () -> report.toJson().toPrettyString());
    }
}
