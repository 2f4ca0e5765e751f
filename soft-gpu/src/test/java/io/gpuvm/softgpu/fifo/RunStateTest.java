package io.gpuvm.softgpu.fifo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.softgpu.fifo.RunState.Transition;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Legal transitions of the software GPU's channels.
class RunStateTest {
    private static final Map<Transition, Map<RunState, RunState>> LEGAL =
            Map.of(
                    Transition.KICK, Map.of(RunState.IDLE, RunState.READY),
                    Transition.TURN,
                            Map.of(
                                    RunState.READY, RunState.READY,
                                    RunState.ACQUIRING, RunState.READY,
                                    RunState.HELD, RunState.READY),
                    Transition.REST,
                            Map.of(
                                    RunState.READY, RunState.IDLE,
                                    RunState.ACQUIRING, RunState.IDLE,
                                    RunState.HELD, RunState.IDLE),
                    Transition.ACQUIRE, Map.of(RunState.READY, RunState.ACQUIRING),
                    Transition.HOLD,
                            Map.of(
                                    RunState.READY, RunState.HELD,
                                    RunState.ACQUIRING, RunState.HELD,
                                    RunState.HELD, RunState.HELD),
                    Transition.PREEMPT, Map.of(RunState.ACQUIRING, RunState.READY),
                    Transition.DIE, fromAll(RunState.DEAD),
                    Transition.FORGET, fromAll(RunState.IDLE));

    @Test
    void givenEachState_whenEachTransitionIsTried_thenOnlyLegalTransitionsSucceed() {
        for (RunState state : RunState.values()) {
            for (Transition transition : Transition.values()) {
                RunState next = LEGAL.get(transition).get(state);
                if (next == null) {
                    assertThrows(
                            IllegalStateException.class,
                            () -> state.after(transition),
                            () -> state + " " + transition);
                } else {
                    assertEquals(next, state.after(transition));
                }
            }
        }
    }

    private static Map<RunState, RunState> fromAll(RunState to) {
        Map<RunState, RunState> all = new EnumMap<>(RunState.class);
        for (RunState from : RunState.values()) {
            all.put(from, to);
        }
        return all;
    }
}
