package io.gpuvm.remote.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.protocol.ChannelCreateCommand;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.ChannelSlot;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.FenceDeclareCommand;
import io.gpuvm.pv.protocol.Handle;
import io.gpuvm.pv.protocol.HandleCommand;
import io.gpuvm.pv.protocol.MapCommand;
import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.StatisticsCommand;
import io.gpuvm.pv.protocol.SubmitCommand;
import io.gpuvm.pv.protocol.UnmapCommand;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.remote.link.Lane;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of both ends of a paravirtual session.
class PvEndsTest {
    private static final long FENCE = 4096 + 8;
    private static final long SECOND_FENCE = 8;
    private static final long INPUT = 1 << 20;
    private static final long OUTPUT = 2 << 20;
    private static final long BUFFER_BYTES = 1 << 20;

    /// Length of a part of the data area that is compared quickly.
    private static final long FEW_BYTES = 64 << 10;

    private final PvSession session = new PvSession();
    private final SubmitCommand submit = new SubmitCommand();

    @AfterEach
    void close() {
        session.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void givenSubmissions_whenFenceIsSeen_thenDataBeforeItAreThere(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        open();
        for (int number = 1; number <= 100; number++) {
            int strideWords = 1 << random.nextInt(9);
            for (long at = INPUT; at < INPUT + BUFFER_BYTES; at += 4L * strideWords) {
                PvSession.write(session.programData, at, number);
            }
            submit(number);
            int submitted = number;
            session.await(() -> session.put == submitted);
            for (long at = INPUT; at < INPUT + BUFFER_BYTES; at += 4L * strideWords) {
                assertEquals(number, PvSession.read(session.backendData, at), "input");
            }
            compute(random, number, strideWords);
            session.await(() -> isThere(submitted, strideWords));
        }
    }

    /// Writes outputs in bursts with steps of the session in between, and the fence last.
    private void compute(SplittableRandom random, int number, int strideWords) {
        long at = OUTPUT;
        while (at < OUTPUT + BUFFER_BYTES) {
            long end = at + (1L << random.nextInt(14, 19));
            for (; at < Math.min(end, OUTPUT + BUFFER_BYTES); at += 4L * strideWords) {
                PvSession.write(session.backendData, at, number);
            }
            // Announcements that let a comparison run while the outputs change.
            session.send(CommandOpcode.NOP);
            for (int steps = random.nextInt(3); steps > 0; steps--) {
                session.step();
                assertFalse(isThere(number, strideWords), "the fence precedes its release");
            }
            while (session.take()) {
                // The completions of the NOPs.
            }
        }
        PvSession.write(session.backendData, FENCE, number);
    }

    private boolean isThere(int number, int strideWords) {
        while (session.take()) {
            // The completions of the NOPs.
        }
        if (PvSession.read(session.programData, FENCE) != number) {
            return false;
        }
        for (long at = OUTPUT; at < OUTPUT + BUFFER_BYTES; at += 4L * strideWords) {
            assertEquals(number, PvSession.read(session.programData, at), "output");
        }
        return true;
    }

    @Test
    void givenTwoFences_whenSecondIsSeen_thenFirstIsThere() {
        open();
        declare(SECOND_FENCE, 1);
        submit(1);
        for (int number = 1; number < 2000; number++) {
            PvSession.write(session.backendData, FENCE, number);
            session.step();
            PvSession.write(session.backendData, SECOND_FENCE, number);
            session.step();
            int second = PvSession.read(session.programData, SECOND_FENCE);
            assertTrue(PvSession.read(session.programData, FENCE) - second >= 0);
        }
    }

    @Test
    void givenFenceOfProgram_whenStored_thenBackendSeesItAfterData() {
        open();
        submit(1);
        for (int number = 1; number <= 50; number++) {
            for (long at = INPUT; at < INPUT + BUFFER_BYTES; at += 256) {
                PvSession.write(session.programData, at, number);
            }
            PvSession.write(session.programData, FENCE, number);
            int stored = number;
            session.await(() -> {
                if (PvSession.read(session.backendData, FENCE) != stored) {
                    return false;
                }
                for (long at = INPUT; at < INPUT + BUFFER_BYTES; at += 256) {
                    assertEquals(stored, PvSession.read(session.backendData, at));
                }
                return true;
            });
        }
    }

    @Test
    void givenDataOfBackend_whenCommandCompletes_thenProgramHasThem() {
        for (int i = 1; i <= 20; i++) {
            session.begin(new StatisticsCommand()).offset(3 << 20).bytes(8);
            session.call(CommandOpcode.STATISTICS);
            assertEquals(
                    session.answer.correlation(),
                    session.programData.get(WireType.U64, 3 << 20),
                    "statistics");
            assertEquals(Long.BYTES, session.answer.done());
        }
    }

    @Test
    void givenPositionAndFailure_whenChannelFails_thenProgramSeesSlotAndNews() {
        open();
        submit(1);
        session.await(() -> session.put == 1);
        ChannelSlot seen = session.program.channel(0);
        assertEquals(ChannelSlot.OPEN, seen.state());
        session.backend.channel(0).get(1);
        session.await(() -> seen.get() == 1);
        ChannelFailure failure = new ChannelFailure(ChannelFailure.Kind.METHOD, "no such method");
        session.backend.channel(0).fail(ChannelSlot.DEAD, failure);
        session.backend.news(7);

        session.await(() -> session.program.news() == 7);

        assertEquals(ChannelSlot.DEAD, seen.state());
        assertEquals(failure, seen.failure());
        session.begin(new HandleCommand()).handle(0);
        session.call(CommandOpcode.CHANNEL_DESTROY);
        assertEquals(ChannelSlot.CLOSED, seen.state());
        assertNull(seen.failure());
    }

    @Test
    void givenUnmappedPages_whenGpuNoLongerUsesThem_thenTheyAreNoLongerSent() {
        open();
        submit(1);
        session.await(() -> session.put == 1);
        session.begin(new UnmapCommand()).space(1).gpuVa(0).bytes(PvSession.DATA_BYTES);
        session.call(CommandOpcode.UNMAP);
        PvSession.write(session.backendData, OUTPUT, 5);
        session.send(CommandOpcode.NOP);
        session.await(session::take);
        assertEquals(0, PvSession.read(session.programData, OUTPUT));
    }

    @Test
    void givenFullRingOfProgram_whenCompletionsArrive_thenTheyWaitInOrder() {
        int sent = 0;
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < PvSession.ENTRIES; i++) {
                session.send(CommandOpcode.NOP);
                sent++;
            }
            for (int i = 0; i < 200; i++) {
                session.step();
            }
        }
        assertTrue(session.isAgentStalled());
        for (long number = 1; number <= sent; number++) {
            session.await(session::take);
            assertEquals(number, session.answer.correlation());
        }
    }

    @Test
    void givenSteadyState_whenSubmissionsAndFencesPass_thenNoHeapMemoryIsAllocated() {
        open(FEW_BYTES);
        long least = Long.MAX_VALUE;
        int number = 0;
        for (int round = 0; round < 10; round++) {
            long before = session.allocatedBytes;
            for (int i = 0; i < 500; i++) {
                number++;
                PvSession.write(session.programData, FEW_BYTES / 2 + 4L * (number % 1000), number);
                session.begin(submit).channel(0).put(number);
                session.send(CommandOpcode.SUBMIT, CommandEntry.QUIET);
                session.send(CommandOpcode.NOP);
                while (session.put != number) {
                    session.step();
                }
                session.backend.channel(0).get(number);
                PvSession.write(
                        session.backendData, FEW_BYTES / 2 + 8192 + 8L * (number % 1000), number);
                PvSession.write(session.backendData, FENCE, number);
                while (PvSession.read(session.programData, FENCE) != number || !session.take()) {
                    session.step();
                }
            }
            least = Math.min(least, session.allocatedBytes - before);
        }
        assertEquals(0, least);
    }

    @Test
    void givenInvalidFences_whenReceivedByGateway_thenSessionEnds() {
        assertGatewayRefuses(SessionFrame.FENCES, 24);
        assertGatewayRefuses(SessionFrame.FENCES, 8);
    }

    @Test
    void givenFenceBeyondDataArea_whenReceivedByGateway_thenSessionEnds() {
        assertGatewayRefuses(SessionFrame.FENCES, 32, 0, 0, PvSession.DATA_BYTES, 0);
    }

    @Test
    void givenTruncatedCommand_whenReceivedByGateway_thenSessionEnds() {
        assertGatewayRefuses(SessionFrame.ENTRIES, SessionFrame.FIRST_ENTRY + RingEntry.BYTES - 8);
    }

    @Test
    void givenFrameOfBackend_whenReceivedByGateway_thenSessionEnds() {
        assertGatewayRefuses(SessionFrame.SLOTS, SessionFrame.FIRST_ENTRY);
    }

    @Test
    void givenTooManyDeclaredFences_whenReceivedByGateway_thenSessionEnds() {
        session.begin(new FenceDeclareCommand())
                .offset(0)
                .count(FenceDeclareCommand.MOST_WORDS + 1);
        session.send(CommandOpcode.FENCE_DECLARE, 0);
        assertThrows(SessionException.class, () -> session.await(() -> false));
    }

    @Test
    void givenChannelBeyondTable_whenReceivedByAgent_thenSessionEnds() {
        MemorySegment frame = frame(24, 0, 0, PvSession.CHANNELS);
        session.links.gateway().send(Lane.CALLS, SessionFrame.POSITIONS, frame);
        assertThrows(
                SessionException.class,
                () -> {
                    for (int i = 0; i < 100_000; i++) {
                        session.agentStep();
                    }
                });
    }

    private void assertGatewayRefuses(int type, long bytes, long... content) {
        session.links.agent().send(Lane.CALLS, type, frame(bytes, content));
        assertThrows(
                SessionException.class,
                () -> {
                    for (int i = 0; i < 100_000; i++) {
                        session.gatewayStep();
                    }
                });
    }

    private static MemorySegment frame(long bytes, long... content) {
        MemorySegment frame = Arena.ofAuto().allocate(bytes, Long.BYTES);
        for (int i = 0; i < content.length; i++) {
            frame.setAtIndex(WireType.U64, i, content[i]);
        }
        return frame;
    }

    /// Maps the data area, creates a channel, and declares a fence.
    private void open() {
        open(PvSession.DATA_BYTES);
    }

    private void open(long mappedBytes) {
        session.begin(new MapCommand())
                .space(1)
                .memory(Handle.DATA_AREA)
                .gpuVa(0)
                .offset(0)
                .bytes(mappedBytes);
        session.call(CommandOpcode.MAP);
        session.begin(new ChannelCreateCommand()).space(1).ringOrder(4).ringGpuVa(0);
        session.call(CommandOpcode.CHANNEL_CREATE);
        assertEquals(ChannelSlot.OPEN, session.program.channel(0).state());
        declare(FENCE, 1);
    }

    private void declare(long offset, int count) {
        session.begin(new FenceDeclareCommand()).offset(offset).count(count);
        session.call(CommandOpcode.FENCE_DECLARE);
    }

    private void submit(int put) {
        session.begin(submit).channel(0).put(put);
        session.send(CommandOpcode.SUBMIT, CommandEntry.QUIET);
    }
}
