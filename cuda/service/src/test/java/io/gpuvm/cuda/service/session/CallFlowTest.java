package io.gpuvm.cuda.service.session;

import static io.gpuvm.cuda.service.session.TestFrontEnd.assertStatus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaEntry;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.cuda.protocol.FailedCall;
import io.gpuvm.cuda.service.Kernels;
import io.gpuvm.cuda.service.session.TestFrontEnd.Settings;
import io.gpuvm.pv.host.SessionViolationException;
import io.gpuvm.tests.cuda.CudaCompletion;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the rings: numbers, completions, failed calls, back-pressure, and the reuse of the data
/// area.
class CallFlowTest {
    private static final int ENTRIES = 16;

    /// Offset in the data area of an integer for which kernels wait.
    private static final long FLAG = 1 << 20;

    private static final int AFTER_USE = CudaEntry.tag(0, CudaOpcode.REPLY_AFTER_USE);

    private final TestFrontEnd session =
            new TestFrontEnd(Settings.DEFAULT.withEntries(4 * ENTRIES, ENTRIES));

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void givenCalls_whenNumbersAreNotConsecutive_thenSessionEnds() {
        session.client.send(TestFrontEnd.connect());
        session.client.sendEntry(CudaOpcode.NOP, 3, _ -> {});

        SessionViolationException violation =
                assertThrows(SessionViolationException.class, session::turn);

        assertEquals("number of a call=3, expected=2", violation.getMessage());
    }

    @Test
    void givenRepeatedNumber_whenTaken_thenSessionEnds() {
        session.client.send(TestFrontEnd.connect());
        session.client.sendEntry(CudaOpcode.NOP, 1, _ -> {});

        assertThrows(SessionViolationException.class, session::turn);
    }

    @Test
    void givenUnknownOpcode_whenSent_thenStatusIsNotSupported() {
        session.succeed(TestFrontEnd.connect());
        CudaCompletion completion = session.client.await(session.client.sendEntry(0xffff, _ -> {}));

        assertStatus(CudaStatus.NOT_SUPPORTED, completion);
    }

    @Test
    void givenWrongFlags_whenSent_thenStatusIsInvalidValue() {
        TestFrontEnd.Context context = session.new Context();
        int unknown = CudaEntry.tag(CudaOpcode.NOP, 4);
        int spilled = CudaEntry.tag(CudaOpcode.NOP, CudaOpcode.SPILLED);
        int inEntry = CudaOpcode.MODULE_GET_GLOBAL;
        int quiet = CudaEntry.tag(CudaOpcode.MEM_ALLOC, CudaOpcode.NO_REPLY);
        for (int tag : new int[] {unknown, spilled, inEntry}) {
            assertStatus(
                    CudaStatus.INVALID_VALUE,
                    session.client.await(session.client.sendEntry(tag, _ -> {})));
        }

        long call = session.client.send(new CudaCall.MemAlloc(context.handle, 1), quiet);

        CudaCompletion next = session.client.call(new CudaCall.Nop());
        assertStatus(CudaStatus.SUCCESS, next);
        assertEquals(FailedCall.of(call, CudaStatus.INVALID_VALUE), next.failed());
        assertFalse(session.client.hasArrived(call));
    }

    @Test
    void givenCallsWithoutReply_whenSeveralFail_thenNextCompletionDescribesFirst() {
        session.succeed(TestFrontEnd.connect());
        session.client.send(new CudaCall.StreamDestroy(7));
        session.client.send(new CudaCall.MemFree(7));

        CudaCompletion first = session.client.call(new CudaCall.Nop());
        CudaCompletion second = session.client.call(new CudaCall.Nop());

        assertEquals(FailedCall.of(2, CudaStatus.INVALID_HANDLE), first.failed());
        assertEquals(FailedCall.NONE, second.failed());
    }

    @Test
    void givenFailedCallsWithAndWithoutReply_whenTaken_thenNumberIsReportedOnce() {
        session.succeed(TestFrontEnd.connect());
        session.client.send(new CudaCall.StreamDestroy(7));
        session.client.send(new CudaCall.MemAlloc(7, 1));
        session.client.send(new CudaCall.Nop());

        session.turn();

        assertEquals(2, session.frontEnd.failed());
        session.turn();
        assertEquals(0, session.frontEnd.failed());
    }

    @Test
    void givenCallWithoutReply_whenCompletionIsRequested_thenStatusIsInIt() {
        session.succeed(TestFrontEnd.connect());
        CudaCall call = new CudaCall.StreamDestroy(7);

        CudaCompletion completion =
                session.client.await(session.client.send(call, CudaOpcode.STREAM_DESTROY));

        assertStatus(CudaStatus.INVALID_HANDLE, completion);
        assertEquals(FailedCall.NONE, completion.failed());
    }

    @Test
    void givenFullCompletionRing_whenCallsAreSent_thenNoneIsTakenUntilClientReads() {
        session.succeed(TestFrontEnd.connect());
        for (int i = 0; i < 2 * ENTRIES; i++) {
            session.client.send(new CudaCall.Nop());
        }
        for (int i = 0; i < 2 * ENTRIES; i++) {
            session.turn();
        }
        assertEquals(0, session.frontEnd.taken());
        assertTrue(session.frontEnd.isWaiting(), "an entry waits");
        session.client.collect();
        assertTrue(session.client.hasArrived(ENTRIES + 1));
        assertFalse(session.client.hasArrived(ENTRIES + 2));

        for (long call = 2; call <= 2 * ENTRIES + 1; call++) {
            assertStatus(CudaStatus.SUCCESS, session.client.await(call));
        }
        assertFalse(session.frontEnd.isWaiting(), "no entry waits");
    }

    @Test
    void givenUnansweredCalls_whenTheirNumberIsThatOfEntries_thenNoFurtherCallIsTaken() {
        TestFrontEnd.Context context = session.new Context();
        long module = context.load(Kernels.cubin());
        session.client.data().set(ValueLayout.JAVA_INT, FLAG, 0);
        session.client.send(context.launch(module, Kernels.SPIN, context.areaAddress(FLAG), 0));
        long first = session.client.last() + 1;
        for (int i = 0; i < ENTRIES + 4; i++) {
            session.client.send(new CudaCall.StreamSynchronize(context.stream));
        }
        int taken = 0;
        for (int i = 0; i < 2 * ENTRIES; i++) {
            session.turn();
            taken += session.frontEnd.taken();
        }
        assertEquals(1 + ENTRIES, taken);

        session.client.data().set(ValueLayout.JAVA_INT, FLAG, 1);

        for (long call = first; call < first + ENTRIES + 4; call++) {
            assertStatus(CudaStatus.SUCCESS, session.client.await(call));
        }
    }

    @Test
    void givenUsedTurn_whenCallsAreSent_thenNoneIsTaken() {
        session.client.send(TestFrontEnd.connect());
        session.turn.isUsed = true;
        session.turn();
        assertEquals(0, session.frontEnd.taken());
        assertTrue(session.frontEnd.isWaiting());

        session.turn.isUsed = false;
        session.turn();

        assertEquals(1, session.frontEnd.taken());
        assertFalse(session.frontEnd.isWaiting());
    }

    @Test
    void givenLimit_whenTurnRuns_thenAtMostThisNumberIsTakenInOrder() {
        session.client.send(TestFrontEnd.connect());
        for (int i = 0; i < 3; i++) {
            session.client.send(new CudaCall.Nop());
        }

        session.frontEnd.doWork(0);
        assertEquals(0, session.frontEnd.taken());
        session.frontEnd.doWork(2);
        assertEquals(2, session.frontEnd.taken());
        assertTrue(session.client.hasArrived(2));
        assertFalse(session.client.hasArrived(3));
    }

    @Test
    void givenCompletion_whenPublished_thenClientIsWokenOncePerTurn() {
        session.client.send(TestFrontEnd.connect());
        session.client.send(new CudaCall.Nop());
        session.turn();
        assertEquals(1, session.wakes);

        session.turn();

        assertEquals(1, session.wakes);
    }

    @Test
    void givenCopies_whenNotDone_thenRetiredIsNumberOfFirst() {
        TestFrontEnd.Context context = session.new Context();
        long module = context.load(Kernels.cubin());
        long memory = context.allocate(8);
        session.client.data().set(ValueLayout.JAVA_INT, FLAG, 0);
        session.client.data().set(ValueLayout.JAVA_INT, 0, 42);
        session.client.send(context.launch(module, Kernels.SPIN, context.areaAddress(FLAG), 0));
        long copy = session.client.send(new CudaCall.MemcpyHtoDAsync(memory, 0, 4, context.stream));
        long other =
                session.client.send(new CudaCall.MemcpyDtoHAsync(4, memory, 4, context.stream));
        session.succeed(new CudaCall.Nop());
        assertEquals(copy, session.client.retired());
        assertTrue(session.frontEnd.isWaiting());

        session.client.data().set(ValueLayout.JAVA_INT, FLAG, 1);
        CudaCompletion done = session.succeed(new CudaCall.StreamSynchronize(context.stream));

        assertTrue(done.retired() > other, "retired=" + done.retired());
        assertEquals(42, session.client.data().get(ValueLayout.JAVA_INT, 4));
    }

    @Test
    void givenCopyThatIsAnsweredAfterUse_whenStreamIsDone_thenItsCompletionComesNoLater() {
        TestFrontEnd.Context context = session.new Context();
        long module = context.load(Kernels.cubin());
        long memory = context.allocate(8);
        session.client.data().set(ValueLayout.JAVA_INT, FLAG, 0);
        session.client.send(context.launch(module, Kernels.SPIN, context.areaAddress(FLAG), 0));
        long stream = context.stream;
        long copy =
                session.client.send(
                        new CudaCall.MemcpyDtoHAsync(4, memory, 4, stream),
                        AFTER_USE | CudaOpcode.MEMCPY_DTOH_ASYNC);
        long synchronize = session.client.send(new CudaCall.StreamSynchronize(stream));
        session.succeed(new CudaCall.Nop());
        assertFalse(session.client.hasArrived(copy), "the copy has not begun");

        session.client.data().set(ValueLayout.JAVA_INT, FLAG, 1);

        while (!session.client.hasArrived(synchronize)) {
            session.turn();
        }
        assertTrue(session.client.hasArrived(copy), "the stream is done");
        assertStatus(CudaStatus.SUCCESS, session.client.await(copy));
        session.succeed(new CudaCall.Nop());
        assertEquals(session.client.last() + 1, session.client.retired());
    }

    @Test
    void givenCopyThatIsAnsweredAfterUse_whenItFails_thenStatusIsInItsCompletion() {
        TestFrontEnd.Context context = session.new Context();

        long copy =
                session.client.send(
                        new CudaCall.MemcpyDtoHAsync(0, 1, 4, context.stream),
                        AFTER_USE | CudaOpcode.MEMCPY_DTOH_ASYNC);

        assertStatus(CudaStatus.INVALID_VALUE, session.client.await(copy));
    }

    @Test
    void givenOtherCall_whenAnswerAfterUseIsRequested_thenStatusIsInvalidValue() {
        session.succeed(TestFrontEnd.connect());
        for (int opcode : new int[] {CudaOpcode.NOP, CudaOpcode.STREAM_DESTROY}) {
            long call = session.client.sendEntry(AFTER_USE | opcode, _ -> {});
            assertStatus(CudaStatus.INVALID_VALUE, session.client.await(call));
        }
        long quiet =
                session.client.send(
                        new CudaCall.MemcpyDtoHAsync(0, 1, 4, 1),
                        CudaEntry.tag(
                                CudaOpcode.MEMCPY_DTOH_ASYNC,
                                CudaOpcode.NO_REPLY | CudaOpcode.REPLY_AFTER_USE));
        assertEquals(
                FailedCall.of(quiet, CudaStatus.INVALID_VALUE),
                session.client.call(new CudaCall.Nop()).failed());
    }

    @Test
    void givenSpilledArguments_whenOutsideOfLimits_thenStatusIsInvalidValue() {
        session.succeed(TestFrontEnd.connect());
        long end = TestFrontEnd.DATA_BYTES;
        long[][] ranges = {
            {4, 8},
            {0, 4},
            {end, 8},
            {end - 8, 16},
            {-8, 8},
            {0, -8},
            {0, 8200},
            {Long.MAX_VALUE - 7, 8192},
            {Long.MIN_VALUE, 8}
        };
        int tag = CudaEntry.tag(CudaOpcode.MODULE_GET_GLOBAL, CudaOpcode.SPILLED);
        for (long[] range : ranges) {
            long call =
                    session.client.sendEntry(
                            tag,
                            entry -> {
                                entry.set(CudaCall.WORD, CudaEntry.OPERANDS, range[0]);
                                entry.set(CudaCall.WORD, CudaEntry.ARGUMENT_BYTES, range[1]);
                            });
            assertStatus(CudaStatus.INVALID_VALUE, session.client.await(call));
        }
    }
}
