package io.gpuvm.trap.vgpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.trap.vgpu.VirtualChannel.State;
import io.gpuvm.trap.vgpu.VirtualChannel.Transition;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Tests of the legal transitions of a guest's channel.
class VirtualChannelTest {
    private static final Map<State, Map<Transition, State>> LEGAL =
            Map.of(
                    State.UNBOUND,
                            Map.of(
                                    Transition.BIND, State.BOUND,
                                    Transition.REFUSE, State.REFUSED,
                                    Transition.UNBIND, State.UNBOUND),
                    State.REFUSED,
                            Map.of(
                                    Transition.REPORT, State.UNBOUND,
                                    Transition.UNBIND, State.UNBOUND),
                    State.BOUND, Map.of(Transition.UNBIND, State.UNBOUND));

    @Test
    void givenEachState_whenEachTransitionIsTried_thenOnlyLegalTransitionsSucceed() {
        for (State state : State.values()) {
            for (Transition transition : Transition.values()) {
                VirtualChannel channel = in(state);
                State next = LEGAL.get(state).get(transition);
                if (next == null) {
                    assertThrows(
                            IllegalStateException.class,
                            () -> apply(channel, transition),
                            () -> state + " " + transition);
                    assertEquals(state, channel.state());
                } else {
                    apply(channel, transition);
                    assertEquals(next, channel.state());
                }
            }
        }
    }

    private static VirtualChannel in(State state) {
        VirtualChannel channel = new VirtualChannel();
        switch (state) {
            case UNBOUND -> {}
            case REFUSED -> channel.refuse();
            case BOUND -> channel.bind(null, 0);
        }
        return channel;
    }

    private static void apply(VirtualChannel channel, Transition transition) {
        switch (transition) {
            case BIND -> channel.bind(null, 0);
            case REFUSE -> channel.refuse();
            case REPORT -> channel.onReported();
            case UNBIND -> channel.unbind();
        }
    }
}
