package io.gpuvm.gf100.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pdisplay;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Display channels as nouveau initializes them, and the notifiers for which it waits.
class PdisplayUnitTest {
    private static final int CORE = 0;
    private static final int BASE_0 = 1;
    private static final int CURSOR_0 = 7;
    private static final int OBJECTS = 0x10000;
    private static final int HANDLE = 0xf0000000;
    private static final int NOTIFIER = 0x20000;
    private static final int PUSH_BUFFER = 0x30000;

    private final ArrayMemory memory = new ArrayMemory();
    private final RegisterBench bench = new RegisterBench(new PdisplayUnit(board(true), memory));
    private int pushed;

    @BeforeEach
    void setUp() {
        int object = 0x1000;
        memory.word(OBJECTS + 0x48, HANDLE);
        memory.word(OBJECTS + 0x4c, object << 10 | CORE);
        memory.word(OBJECTS + object, 0x0001_0000);
        memory.word(OBJECTS + object + 4, NOTIFIER + 0xfff);
        memory.word(OBJECTS + object + 8, NOTIFIER);
        bench.write(Pdisplay.OBJECTS, OBJECTS >> 8 | 9);
    }

    @Test
    void givenOneOutput_whenCapabilitiesAreRead_thenOnlyOneOutputExists() {
        assertEquals(0x0100_0000, bench.read(Pdisplay.CLOCK_CAP));
        bench.write(Pdisplay.CAP, 0x0100_0000);
        assertEquals(0x0100_0000, bench.read(Pdisplay.CAP));
    }

    @Test
    void givenDmaChannel_whenSwitchedOnAndOff_thenStateIsActiveThenOff() {
        bench.write(Pdisplay.CHANNEL_STAT, BASE_0, 0x2000);
        assertEquals(0, bench.read(Pdisplay.CHANNEL_STAT, BASE_0) & 0x0003_0000);

        enable(BASE_0);
        assertEquals(0x0001_0013, bench.read(Pdisplay.CHANNEL_STAT, BASE_0));

        bench.write(Pdisplay.CHANNEL_STAT, BASE_0, 0x1003);
        bench.write(Pdisplay.CHANNEL_STAT, BASE_0, 0x1000);
        assertEquals(0, bench.read(Pdisplay.CHANNEL_STAT, BASE_0) & 0x001e_0000);
    }

    @Test
    void givenPioChannel_whenSwitchedOn_thenChannelIsActive() {
        bench.write(Pdisplay.CHANNEL_STAT, CURSOR_0, 0x2000);
        assertEquals(0, bench.read(Pdisplay.CHANNEL_STAT, CURSOR_0));
        bench.write(Pdisplay.CHANNEL_STAT, CURSOR_0, 1);

        assertEquals(0x0001_0000, bench.read(Pdisplay.CHANNEL_STAT, CURSOR_0) & 0x0003_0000);
    }

    @Test
    void givenCoreChannel_whenCapabilitiesAreRequested_thenNotifierIsWritten() {
        enable(CORE);
        push(method(0x088, 1), HANDLE);
        push(method(0x084, 1), 0x8000_0000 | 0x40);
        push(method(0x08c, 1), 0);
        push(method(0x084, 1), 0);
        kick(CORE);

        assertEquals(1, memory.word(NOTIFIER + 0x44));
        assertEquals(0, memory.word(NOTIFIER + 0x40));
        assertEquals(pushed, bench.read(Pdisplay.USER_GET, CORE));
    }

    @Test
    void givenCoreChannel_whenUpdateIsNotified_thenOnlyDoneBitChanges() {
        memory.word(NOTIFIER + 0x40, 0x100);
        enable(CORE);
        push(method(0x084, 3), 0x8000_0040, HANDLE, 0);
        push(method(0x080, 1), 0);
        kick(CORE);

        assertEquals(0x101, memory.word(NOTIFIER + 0x40));
    }

    @Test
    void givenDisabledNotification_whenUpdateIsExecuted_thenNotifierIsUnchanged() {
        enable(CORE);
        push(method(0x084, 2), 0x40, HANDLE);
        push(method(0x080, 1), 0);
        kick(CORE);

        assertEquals(0, memory.word(NOTIFIER + 0x40));
    }

    @Test
    void givenUnknownHandle_whenUpdateIsExecuted_thenNotifierIsUnchanged() {
        enable(CORE);
        push(method(0x084, 2), 0x8000_0040, HANDLE + 1);
        push(method(0x080, 1), 0);
        kick(CORE);

        assertEquals(0, memory.word(NOTIFIER + 0x40));
    }

    @Test
    void givenOffsetBeyondObject_whenUpdateIsExecuted_thenMemoryIsUnchanged() {
        memory.word(OBJECTS + 0x1004, NOTIFIER + 0x3f);
        enable(CORE);
        push(method(0x084, 2), 0x8000_0040, HANDLE);
        push(method(0x080, 1), 0);
        kick(CORE);

        assertEquals(0, memory.word(NOTIFIER + 0x40));
    }

    @Test
    void givenPushBufferInSystemMemory_whenPutIsWritten_thenCommandsAreFetchedFromSystemMemory() {
        bench.write(Pdisplay.CHANNEL_DMA_CB, CORE, PUSH_BUFFER >> 8 | 3);
        bench.write(Pdisplay.CHANNEL_STAT, CORE, 0x0100_0013);
        int[] words = {method(0x084, 2), 0x8000_0040, HANDLE, method(0x080, 1), 0};
        for (int i = 0; i < words.length; i++) {
            memory.write(MemoryTarget.SYSTEM_COHERENT, PUSH_BUFFER + 4 * i, 4, words[i]);
        }

        bench.write(Pdisplay.USER_PUT, CORE, 4 * words.length);

        assertEquals(1, memory.word(NOTIFIER + 0x40));
    }

    /// A driver rewinds PUT before it switches a channel on again; the words between the two
    /// positions have already been executed.
    @Test
    void givenDisabledChannel_whenPutIsWritten_thenGetFollowsWithoutExecution() {
        bench.write(Pdisplay.CHANNEL_DMA_CB, CORE, PUSH_BUFFER >> 8 | 1);
        push(method(0x084, 2), 0x8000_0040, HANDLE);
        push(method(0x080, 1), 0);
        kick(CORE);

        assertEquals(pushed, bench.read(Pdisplay.USER_GET, CORE));
        assertEquals(0, memory.word(NOTIFIER + 0x40));
    }

    @Test
    void givenJump_whenExecuted_thenCommandsContinueAtTarget() {
        enable(CORE);
        push(method(0x084, 2), 0x8000_0040, HANDLE);
        push(0x2000_0000 | 0x100);
        pushed = 0x100;
        push(method(0x080, 1), 0);
        kick(CORE);

        assertEquals(1, memory.word(NOTIFIER + 0x40));
        assertEquals(pushed, bench.read(Pdisplay.USER_GET, CORE));
    }

    @Test
    @Timeout(10)
    void givenCyclicJump_whenExecuted_thenExecutionEnds() {
        enable(CORE);
        push(0x2000_0000);
        bench.write(Pdisplay.USER_PUT, CORE, 0x40);

        assertEquals(0x40, bench.read(Pdisplay.USER_GET, CORE));
    }

    @Test
    void givenOutputPower_whenChanged_thenChangeCompletesImmediately() {
        bench.write(Pdisplay.SOR_DPMS, 0, 0x8000_0001);

        assertEquals(1, bench.read(Pdisplay.SOR_DPMS, 0));
        assertEquals(0, bench.read(Pdisplay.SOR_STATE, 0));
    }

    @Test
    void givenNoDisplay_whenRegistersAreAccessed_thenOnlyVgaLockExists() {
        RegisterBench without = new RegisterBench(new PdisplayUnit(board(false), memory));

        without.writeByte(0x6013d4, 0x3f);
        without.writeByte(0x6013d5, 0x57);
        without.read(0x6013d5, 1);
        assertFalse(without.undeclared.snapshot().stream().anyMatch(e -> e.offset() == 0x6013d4));
        without.read(Pdisplay.CLOCK_CAP);
        assertEquals(1, without.undeclared.snapshot().size());
    }

    private static Board board(boolean display) {
        return Board.of(512, List.of(4), true, display);
    }

    private static int method(int method, int count) {
        return count << 18 | method;
    }

    private void enable(int channel) {
        bench.write(Pdisplay.CHANNEL_DMA_CB, channel, PUSH_BUFFER >> 8 | 1);
        bench.write(Pdisplay.CHANNEL_STAT, channel, 0x10);
        bench.write(Pdisplay.USER_PUT, channel, 0);
        bench.write(Pdisplay.CHANNEL_STAT, channel, 0x0100_0013);
    }

    private void push(int... words) {
        for (int word : words) {
            memory.word(PUSH_BUFFER + pushed, word);
            pushed += Integer.BYTES;
        }
    }

    private void kick(int channel) {
        bench.write(Pdisplay.USER_PUT, channel, pushed);
    }
}
