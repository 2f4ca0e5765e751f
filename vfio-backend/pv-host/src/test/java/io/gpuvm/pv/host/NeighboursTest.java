package io.gpuvm.pv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.Handle;
import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.ring.RingProducer;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the isolation of guests from a neighbour that floods the host with commands, sends
/// garbage, fails, or dies.
class NeighboursTest {
    private static final long PAGE = 4096;
    private static final long DONE = 0x1000;
    private static final long VA = 1L << 24;

    /// Number of commands, above the limit of a turn.
    private static final int FLOOD = 256;

    private final PvBench bench = new PvBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void givenFloodingGuest_whenOtherGuestSendsCommand_thenCommandIsAnsweredInSameRound() {
        TestPvGuest flooding = bench.guest("a");
        TestPvGuest other = bench.guest("b");
        bench.turn();
        for (int i = 0; i < FLOOD; i++) {
            flooding.nop();
        }
        other.nop();
        bench.turn();
        assertTrue(other.completions.poll());
        int answered = 0;
        while (flooding.completions.poll()) {
            answered++;
        }
        assertTrue(answered < FLOOD, "answered=" + answered);
    }

    @Test
    void givenGuestWithUnreadAnswers_whenRingIsFull_thenNoCommandIsAccepted() {
        TestPvGuest silent = bench.guest("a");
        TestPvGuest other = bench.guest("b");
        int sent = 0;
        for (int round = 0; round < 10; round++) {
            while (silent.commands.claim() != RingProducer.FULL) {
                silent.nop();
                sent++;
            }
            bench.turn();
        }
        other.ok(other.nop());
        assertEquals(FLOOD + FLOOD, sent);
        for (int i = 1; i <= sent; i++) {
            assertEquals(i, silent.next().correlation());
        }
    }

    @Test
    void givenMaximumOfUnansweredCommands_whenMoreCommandsAreSent_thenCommandsWait() {
        TestPvGuest guest = bench.guest("a");
        int space = guest.openSpace();
        guest.openChannel(space);
        bench.ownerWorks = false;
        int limit = PvBench.QUOTAS.commandsInFlight();
        for (int i = 0; i < limit; i++) {
            guest.map(space, VA + i * PAGE, Handle.DATA_AREA, 0, PAGE, 0);
        }
        guest.nop();
        for (int i = 0; i < 10; i++) {
            bench.turn();
        }
        assertFalse(guest.completions.poll());
        bench.ownerWorks = true;
        for (int i = 0; i <= limit; i++) {
            assertEquals(CommandStatus.OK, guest.next().status());
        }
    }

    @Test
    void givenGuestWithLostMemory_whenServed_thenGuestIsDroppedAndOtherGuestsContinue() {
        TestPvGuest broken = bench.guest("a");
        TestPvGuest other = bench.guest("b");
        broken.ok(broken.nop());
        broken.nop();
        broken.loseMemory();
        bench.turn();
        assertTrue(broken.host.isDropped());
        assertEquals(1, broken.place.counters().get(PvCounter.DROPPED));
        other.ok(other.nop());
    }

    @Test
    void givenGuest_whenGuestDies_thenNextGuestFindsInitialState() {
        PvPlace place = bench.place("a", PvBench.QUOTAS);
        for (int i = 0; i < 3; i++) {
            TestPvGuest guest = bench.serve(place);
            int space = guest.openSpace();
            assertEquals(0, guest.openChannel(space));
            guest.ok(guest.allocateVram(PvBench.VRAM));
            guest.release(0, TestPvGuest.DATA_VA + DONE, 42);
            guest.waitForFence(DONE, 43, -1);
            guest.map(space, VA, Handle.DATA_AREA, 0, PAGE, 0);
            bench.leave(guest);
            assertEquals(0, place.arena().usedBytes());
        }
    }

    @Test
    void givenGuestDyingAtAnyTime_whenOtherGuestWorks_thenOtherGuestIsUnaffected() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        TestPvGuest other = bench.guest("b");
        int space = other.openSpace();
        int channel = other.openChannel(space);
        PvPlace place = bench.place("a", PvBench.QUOTAS);
        for (int life = 0; life < 20; life++) {
            TestPvGuest mortal = bench.serve(place);
            sendGarbage(mortal, random, 100);
            for (int turns = random.nextInt(20); turns > 0; turns--) {
                bench.turn();
            }
            bench.leave(mortal);
            assertEquals(0, place.arena().usedBytes(), "seed=" + seed);
            works(other, channel, life + 1, seed);
        }
    }

    @Test
    void givenGuestSendingGarbage_whenOtherGuestWorks_thenOtherGuestIsUnaffected() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        TestPvGuest garbage = bench.guest("a");
        TestPvGuest other = bench.guest("b");
        int space = other.openSpace();
        int channel = other.openChannel(space);
        for (int round = 1; round <= 100; round++) {
            sendGarbage(garbage, random, 64);
            scribble(garbage, random);
            bench.turn();
            while (garbage.completions.poll()) {
                garbage.completions.release();
            }
            works(other, channel, round, seed);
        }
        assertFalse(garbage.host.isDropped(), "seed=" + seed);
    }

    private void works(TestPvGuest guest, int channel, int value, long seed) {
        guest.release(channel, TestPvGuest.DATA_VA + DONE, value);
        bench.runUntil("value=" + value + " seed=" + seed, () -> guest.word(DONE) == value);
    }

    /// Sends nearly valid commands. The operands are valid and invalid handles, sizes and offsets.
    private static void sendGarbage(TestPvGuest guest, Random random, int count) {
        CommandOpcode[] opcodes = CommandOpcode.values();
        long[] operands = {0, 1, 2, 6, 8, 0x1000, 0x20000, VA, -1, -4096, Long.MAX_VALUE, 1L << 40};
        int[] handles = {1 << 16, 1 << 16 | 1, 1 << 30 | 1 << 16, 1 << 30 | 1 << 16 | 1, -1, 0, 7};
        for (int i = 0; i < count; i++) {
            long at = guest.commands.claim();
            if (at == RingProducer.FULL) {
                return;
            }
            for (int word = RingEntry.CORRELATION; word < RingEntry.BYTES; word += Long.BYTES) {
                long value =
                        switch (random.nextInt(4)) {
                            case 0 -> handles[random.nextInt(handles.length)];
                            case 1 ->
                                    handles[random.nextInt(handles.length)] & 0xffff_ffffL
                                            | operands[random.nextInt(operands.length)] << 32;
                            case 2 -> random.nextLong();
                            default -> operands[random.nextInt(operands.length)];
                        };
                guest.commands.memory().set(ValueLayout.JAVA_LONG, at + word, value);
            }
            CommandOpcode opcode = opcodes[random.nextInt(opcodes.length)];
            int tag =
                    random.nextInt(10) == 0
                            ? random.nextInt()
                            : CommandEntry.tag(opcode, random.nextInt(4));
            guest.commands.publish(tag);
        }
    }

    /// Overwrites the shared area except the entries of the guest's own rings, so that the guest
    /// can continue.
    private static void scribble(TestPvGuest guest, Random random) {
        long end = guest.area.layout().submissionRing();
        for (int i = 0; i < 20; i++) {
            guest.area
                    .memory()
                    .set(ValueLayout.JAVA_BYTE, random.nextLong(end), (byte) random.nextInt());
        }
        for (int i = 0; i < 20; i++) {
            long at = random.nextLong(guest.data.byteSize() / Long.BYTES);
            guest.data.setAtIndex(ValueLayout.JAVA_LONG, at, random.nextLong());
        }
    }
}
