package io.gpuvm.guests.virtualhost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.LogAllowList;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PvMachineVerdictTest {
    private static final int WARNING = 4;

    private final List<GuestEvent> events =
            new ArrayList<>(
                    List.of(
                            new GuestEvent.Booted("6.12.1", "run"),
                            new GuestEvent.Log("boot", WARNING, 1, "firmware is odd"),
                            new GuestEvent.Other("mmul: verified"),
                            new GuestEvent.Log("run", WARNING + 1, 2, "all is well"),
                            new GuestEvent.Exited("run", 0),
                            new GuestEvent.Finished()));

    @Test
    void givenCompleteRun_whenChecked_thenRunPasses() {
        assertEquals(List.of(), judge().failures());
        assertEquals(List.of("mmul: verified"), judge().output());
    }

    @Test
    void givenUnlistedWarning_whenChecked_thenWarningIsFailure() {
        events.set(3, new GuestEvent.Log("run", WARNING, 2, "firmware is odd"));

        assertEquals(
                List.of("kernel log, phase run, level 4: firmware is odd"), judge().failures());
    }

    @Test
    void givenExitStatusOfProgram_whenChecked_thenStatusIsFailure() {
        events.set(4, new GuestEvent.Exited("run", 1));

        assertEquals(List.of("gpuvm run: exit status 1"), judge().failures());
    }

    @Test
    void givenMachineThatEndsEarly_whenChecked_thenBothFailuresAreReported() {
        events.subList(3, events.size()).clear();

        assertEquals(2, judge().failures().size());
        assertTrue(judge().failures().contains("the machine ended before it had finished"));
    }

    private PvMachineVerdict judge() {
        return PvMachineVerdict.of(
                events,
                List.of(),
                (series, phase) ->
                        LogAllowList.parse(
                                phase,
                                series.equals("6.12") && phase.equals("boot")
                                        ? List.of("# not ours", "^firmware ")
                                        : List.of()));
    }
}
