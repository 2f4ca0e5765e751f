package io.gpuvm.pv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.host.GuestChannel.State;
import io.gpuvm.pv.host.GuestChannel.Transition;
import io.gpuvm.pv.protocol.ChannelSlot;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Tests of the state machine of a guest's channel, which has one legal transition per state.
class GuestChannelTest {
    private static final Map<State, Transition> LEGAL =
            Map.of(
                    State.CLOSED, Transition.BEGIN,
                    State.OPENING, Transition.OPEN,
                    State.OPEN, Transition.END,
                    State.CLOSING, Transition.CLOSE);

    private final GuestSpace space = new GuestSpace(null);

    @Test
    void givenEachState_whenEachTransitionIsTried_thenOnlyLegalTransitionsSucceed() {
        for (State state : State.values()) {
            for (Transition transition : Transition.values()) {
                GuestChannel channel = in(state);
                if (LEGAL.get(state) == transition) {
                    apply(channel, transition);
                    State next = State.values()[(state.ordinal() + 1) % State.values().length];
                    assertEquals(next, channel.state());
                } else {
                    assertThrows(
                            IllegalStateException.class,
                            () -> apply(channel, transition),
                            () -> state + " " + transition);
                    assertEquals(state, channel.state());
                }
            }
        }
    }

    @Test
    void givenFailedChannel_whenChannelFailsAgain_thenOnlyFirstFailureIsNews() {
        GuestChannel channel = in(State.OPEN);

        assertTrue(channel.fail(false));
        assertFalse(channel.isDead());
        assertFalse(channel.fail(true));
        assertTrue(channel.isDead());
        assertFalse(channel.fail(false));
        assertTrue(channel.isDead());
    }

    @Test
    void givenDeadChannel_whenNumberIsReused_thenNewChannelIsSound() {
        GuestChannel channel = in(State.OPEN);
        channel.fail(true);
        channel.end();
        channel.close();

        channel.begin(0, space, 3);

        assertFalse(channel.isDead());
        assertTrue(channel.fail(false));
    }

    private GuestChannel in(State state) {
        MemorySegment memory = MemorySegment.ofArray(new long[ChannelSlot.BYTES / Long.BYTES]);
        GuestChannel channel = new GuestChannel(1, new ChannelSlot().wrap(memory, 0));
        for (int i = 0; i < state.ordinal(); i++) {
            apply(channel, LEGAL.get(channel.state()));
        }
        return channel;
    }

    private void apply(GuestChannel channel, Transition transition) {
        switch (transition) {
            case BEGIN -> channel.begin(0, space, 3);
            case OPEN -> channel.open();
            case END -> channel.end();
            case CLOSE -> channel.close();
        }
    }
}
