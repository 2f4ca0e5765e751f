package io.gpuvm.pv.bare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.ChannelFailure.Kind;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.tests.gpu.RunningGpu;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tests that each kind of error is reported and that other channels continue: each test ends with
/// a copy on an older channel and a copy on a new channel.
class NativeFailureTest {
    private static final int PAGE = 4096;

    private final RunningGpu gpu = new RunningGpu("watchdog=0.05");
    private final NativeTransport transport = NativeTransport.open(gpu.device());
    private final PushBuffer other = new PushBuffer(transport);
    private final PushBuffer push = new PushBuffer(transport);

    @BeforeEach
    void startOther() throws Exception {
        checkWorks(other);
    }

    @AfterEach
    void close() throws Exception {
        try {
            checkWorks(other);
            push.close();
            try (PushBuffer fresh = new PushBuffer(transport)) {
                checkWorks(fresh);
            }
        } finally {
            transport.close();
            gpu.close();
        }
    }

    private void checkWorks(PushBuffer channel) throws Exception {
        try (HostMemory memory = transport.allocateHost(2 * PAGE)) {
            memory.segment().set(ValueLayout.JAVA_INT, 0, 7);
            channel.rewind().copy(memory.gpuVa() + PAGE, memory.gpuVa(), PAGE).run();
            assertEquals(7, memory.segment().get(ValueLayout.JAVA_INT, PAGE));
        }
        assertNull(channel.channel.failure());
    }

    private static void check(ChannelFailure failure, Kind kind, String message) {
        assertEquals(kind, failure.what(), failure::message);
        assertTrue(failure.message().matches(message), failure::message);
    }

    @Test
    void givenFreedMemory_whenCopiedFrom_thenReadFaults() throws Exception {
        HostMemory freed = transport.allocateHost(PAGE);
        HostMemory target = transport.allocateHost(PAGE);
        long gpuVa = freed.gpuVa();
        push.copy(target.gpuVa(), gpuVa, PAGE).run();
        freed.close();

        ChannelFailure failure = push.copy(target.gpuVa(), gpuVa, PAGE).fail();

        check(
                failure,
                Kind.MEMORY_FAULT,
                "read from address=%#x: PAGE_NOT_PRESENT \\(unit PGRAPH, client HUB/DISPATCH\\)"
                        .formatted(gpuVa));
    }

    @Test
    void givenMemoryOnBigPages_whenWrittenPastEnd_thenWriteFaults() throws Exception {
        long bytes = 1 << 20;
        long vram = transport.allocateVram(bytes).gpuVa();
        transport.allocateVram(bytes);
        HostMemory source = transport.allocateHost(PAGE);

        ChannelFailure failure = push.copy(vram + bytes, source.gpuVa(), PAGE).fail();

        check(
                failure,
                Kind.MEMORY_FAULT,
                "write to address=%#x: PAGE_NOT_PRESENT .*".formatted(vram + bytes));
    }

    @Test
    void givenAddressWithoutTables_whenCopiedTo_thenReasonNamesTable() throws Exception {
        HostMemory source = transport.allocateHost(PAGE);

        ChannelFailure failure = push.copy(1L << 39, source.gpuVa(), PAGE).fail();

        check(
                failure,
                Kind.MEMORY_FAULT,
                "write to address=0x8000000000: PAGE_TABLE_NOT_PRESENT .*");
    }

    @Test
    void givenKernel_whenStoreAddressIsUnmapped_thenMultiprocessorFaults() throws Exception {
        TestKernel kernel = new TestKernel(transport, TestKernel.STORE);
        long nothing = transport.allocateHost(PAGE).gpuVa() + PAGE;

        ChannelFailure failure = kernel.launch(push, nothing).fail();

        check(
                failure,
                Kind.MEMORY_FAULT,
                "write to address=%#x: PAGE_NOT_PRESENT \\(unit PGRAPH, client GPC\\d/TPC\\d/L1\\)"
                        .formatted(nothing));
    }

    @Test
    void givenUnmappedPushBuffer_whenDoorbellIsRung_thenPfifoFaults() throws Exception {
        assertTrue(push.channel.offer(PAGE, 1));

        ChannelFailure failure = push.fail();

        check(
                failure,
                Kind.MEMORY_FAULT,
                "read from address=0x1000: PAGE_NOT_PRESENT \\(unit PFIFO, client HUB/PFIFO\\)");
    }

    @Test
    void givenInvalidInstruction_whenLaunched_thenReportNamesErrorAndChannelContinues()
            throws Exception {
        TestKernel kernel = new TestKernel(transport, TestKernel.ILLEGAL);

        ChannelFailure failure = kernel.launch(push, 0).fail();

        check(failure, Kind.INSTRUCTION, "ILLEGAL_INSTR_ENCODING on GPC\\d/TPC\\d .*");
        awaitDone(push);
    }

    @Test
    void givenMethodWithWrongData_whenExecuted_thenReportNamesMethodAndChannelContinues()
            throws Exception {
        int c = PushBuffer.COMPUTE;
        TestKernel kernel = new TestKernel(transport, TestKernel.STORE);

        ChannelFailure failure =
                kernel.launch(push, 0)
                        .rewind()
                        .bind(c, ClassId.COMPUTE)
                        .methods(c, ComputeClass.LAUNCH, 0)
                        .fail();

        check(
                failure,
                Kind.METHOD,
                "PGRAPH: DATA_ERROR \\w+, subchannel=1, class=0x90c0, method=0x368, data=0x0");
        awaitDone(push);
    }

    @Test
    void givenUnknownMethod_whenExecuted_thenReportNamesMethod() throws Exception {
        int m = PushBuffer.M2MF;
        ChannelFailure failure =
                push.bind(m, ClassId.M2MF).methods(m, ComputeClass.SCRATCH_LAST, 5).fail();

        check(
                failure,
                Kind.METHOD,
                "PGRAPH: ILLEGAL_MTHD, subchannel=0, class=0x9039, method=0x35fc, data=0x5");
    }

    @Test
    void givenRepeatedlyFailingChannel_whenClosed_thenNextChannelIsUnaffected() throws Exception {
        for (int i = 0; i < 300; i++) {
            try (PushBuffer bad = new PushBuffer(transport)) {
                bad.methods(0, ChannelClass.SET_OBJECT, ClassId.SOFTWARE.number() + 1)
                        .methods(0, M2mfClass.NOP, 0, 0, 0, 0)
                        .fail();
            }
            try (PushBuffer fresh = new PushBuffer(transport)) {
                checkWorks(fresh);
            }
        }
    }

    @Test
    void givenUnknownClass_whenBoundAndUsed_thenReportNamesClass() throws Exception {
        ChannelFailure failure =
                push.methods(0, ChannelClass.SET_OBJECT, ClassId.SOFTWARE.number() + 1)
                        .methods(0, M2mfClass.NOP, 0)
                        .fail();

        check(failure, Kind.METHOD, "PGRAPH: ILLEGAL_CLASS, subchannel=0, .*");
    }

    @Test
    void givenCopyEngine_whenFirmwareRefusesMethod_thenReportNamesEngine() throws Exception {
        int s = 4;
        ChannelFailure failure =
                push.bind(s, ClassId.COPY0).methods(s, CopyClass.SRC_PITCH, -1).fail();

        check(
                failure,
                Kind.METHOD,
                "COPY0: INVALID_BITFIELD, subchannel=4, method=0x31c, data=0xffffffff");
    }

    @Test
    void givenSubchannelWithoutObject_whenUsed_thenPbdmaNamesSubchannel() throws Exception {
        ChannelFailure failure = push.methods(3, M2mfClass.NOP, 9).fail();

        check(failure, Kind.METHOD, "PBDMA\\d: EMPTY_SUBC, subchannel=3, method=0x100, data=0x9");
    }

    @Test
    void givenInvalidCommandWord_whenRead_thenPbdmaNamesWord() throws Exception {
        ChannelFailure failure = push.word(MethodHeader.of(MethodHeader.RESERVED, 0, 0, 0)).fail();

        check(failure, Kind.METHOD, "PBDMA\\d: ILLEGAL_CMD, .*");
    }

    @Test
    void givenEndlessKernel_whenWatchdogFires_thenTimeoutIsReported() throws Exception {
        TestKernel kernel = new TestKernel(transport, TestKernel.ENDLESS);

        ChannelFailure failure = kernel.launch(push, 0).fail();

        check(failure, Kind.TIMEOUT, ".*CTXSW_TIMEOUT of engine GRAPH");
    }

    @Test
    void givenSeveralFailures_whenQueried_thenFirstFailureIsReported() throws Exception {
        TestKernel kernel = new TestKernel(transport, TestKernel.ILLEGAL);
        ChannelFailure first = kernel.launch(push, 0).fail();

        kernel.launch(push, 0).release(false).submit();
        awaitDone(push);

        assertEquals(first, push.channel.failure());
        assertNotNull(first);
    }

    private void awaitDone(PushBuffer channel) throws InterruptedException {
        long end = System.nanoTime() + 10_000_000_000L;
        while (!channel.isDone()) {
            assertTrue(System.nanoTime() < end, "channel does not continue");
            transport.awaitNews(1_000_000);
        }
    }
}
