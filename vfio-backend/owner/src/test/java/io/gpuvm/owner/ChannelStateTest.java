package io.gpuvm.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.owner.ChannelState.Transition;
import io.gpuvm.port.CompletionRing;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.RequestQueue;
import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.VmAccount;
import io.gpuvm.sched.policy.TimeShare;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Tests of the legal transitions of a channel, and of the refusal of all other transitions.
class ChannelStateTest {
    private static final long NOW_NS = 1000;

    private static final Map<ChannelState, Set<Transition>> LEGAL =
            Map.of(
                    ChannelState.UNBOUND, EnumSet.of(Transition.BIND),
                    ChannelState.IDLE, EnumSet.of(Transition.QUEUE, Transition.DIE),
                    ChannelState.QUEUED,
                            EnumSet.of(Transition.START, Transition.WITHDRAW, Transition.DIE),
                    ChannelState.RUNNING,
                            EnumSet.of(
                                    Transition.PARK,
                                    Transition.COMPLETE,
                                    Transition.HOLD_BACK,
                                    Transition.DIE),
                    ChannelState.PARKED,
                            EnumSet.of(
                                    Transition.GO_ON,
                                    Transition.COMPLETE,
                                    Transition.HOLD_BACK,
                                    Transition.DIE),
                    ChannelState.HELD_BACK, EnumSet.of(Transition.QUEUE, Transition.DIE),
                    ChannelState.REQUEUED,
                            EnumSet.of(Transition.START, Transition.WITHDRAW, Transition.DIE),
                    ChannelState.DEAD, EnumSet.of(Transition.DIE, Transition.UNBIND));

    @Test
    void givenEachState_whenEachTransitionIsTried_thenOnlyLegalTransitionsSucceed() {
        for (ChannelState state : ChannelState.values()) {
            for (Transition transition : Transition.values()) {
                OwnedChannel channel = in(state);
                if (LEGAL.get(state).contains(transition)) {
                    apply(channel, transition);
                    assertEquals(state.after(transition), channel.state());
                } else {
                    IllegalStateException e =
                            assertThrows(
                                    IllegalStateException.class,
                                    () -> apply(channel, transition),
                                    () -> state + " " + transition);
                    assertEquals(
                            "state=%s, transition=%s, expected a legal transition"
                                    .formatted(state, transition),
                            e.getMessage());
                    assertEquals(state, channel.state());
                    assertFalse(state.allows(transition));
                }
            }
        }
    }

    @Test
    void givenHeldBackCommand_whenTurnComesAgain_thenTimeIsAccumulated() {
        OwnedChannel channel = in(ChannelState.RUNNING);
        channel.count(NOW_NS + 70);
        channel.holdBack();
        channel.queue(ScheduledEngine.COPY0);

        assertTrue(channel.start(NOW_NS + 500));

        assertEquals(70 + 30, channel.time().totalNs(NOW_NS + 530));
        assertEquals(ChannelState.RUNNING, channel.state());
    }

    @Test
    void givenParkedCommand_whenTimePasses_thenTimeIsNotCounted() {
        OwnedChannel channel = in(ChannelState.RUNNING);
        channel.park(NOW_NS + 10);
        channel.goOn(NOW_NS + 1000);
        channel.count(NOW_NS + 1005);

        assertEquals(15, channel.time().takeUncharged());
        assertEquals(0, channel.time().takeUncharged());
    }

    private static OwnedChannel in(ChannelState state) {
        OwnedChannel channel = new OwnedChannel(vm(), 3);
        switch (state) {
            case UNBOUND -> {}
            case IDLE -> apply(channel, Transition.BIND);
            case QUEUED -> apply(channel, Transition.BIND, Transition.QUEUE);
            case RUNNING -> apply(channel, Transition.BIND, Transition.QUEUE, Transition.START);
            case PARKED ->
                    apply(
                            channel,
                            Transition.BIND,
                            Transition.QUEUE,
                            Transition.START,
                            Transition.PARK);
            case HELD_BACK ->
                    apply(
                            channel,
                            Transition.BIND,
                            Transition.QUEUE,
                            Transition.START,
                            Transition.HOLD_BACK);
            case REQUEUED ->
                    apply(
                            channel,
                            Transition.BIND,
                            Transition.QUEUE,
                            Transition.START,
                            Transition.HOLD_BACK,
                            Transition.QUEUE);
            case DEAD -> apply(channel, Transition.BIND, Transition.DIE);
        }
        assertEquals(state, channel.state());
        return channel;
    }

    private static void apply(OwnedChannel channel, Transition... transitions) {
        for (Transition transition : transitions) {
            switch (transition) {
                case BIND ->
                        channel.bind(
                                5,
                                0,
                                MemorySegment.ofArray(new int[Userd.BYTES / Integer.BYTES]),
                                0);
                case QUEUE -> channel.queue(ScheduledEngine.GRAPH);
                case WITHDRAW -> channel.withdraw();
                case START -> channel.start(NOW_NS);
                case PARK -> channel.park(NOW_NS);
                case GO_ON -> channel.goOn(NOW_NS);
                case COMPLETE -> channel.complete();
                case HOLD_BACK -> channel.holdBack();
                case DIE -> channel.die();
                case UNBIND -> channel.unbind();
            }
        }
    }

    private static AttachedVm vm() {
        VmPart part =
                new VmPart(
                        "alice",
                        new IovaShare(0, 1L << 20),
                        MemorySegment.NULL,
                        0,
                        new CompletionRing(4),
                        () -> {});
        GpuScheduler scheduler = new GpuScheduler(PolicyKind.FIFO, ScheduledEngine.COUNT, 4);
        VmAccount account = scheduler.attach("alice", TimeShare.EQUAL, 0);
        return new AttachedVm(0, part, account, new RequestQueue("alice", () -> {}));
    }
}
