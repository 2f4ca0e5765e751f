package io.gpuvm.pv.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.gf100.push.CopyUnit;
import io.gpuvm.gf100.push.Fences;
import io.gpuvm.gf100.push.InlineFill;
import io.gpuvm.gf100.push.PushBuffer;
import io.gpuvm.gf100.push.Rectangle;
import io.gpuvm.pv.bare.NativeTransport;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.tests.gpu.RunningGpu;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandQueueTest {
    private static final long RING_BYTES = 1 << 18;

    /// Subchannel of M2MF.
    private static final int M2MF = 2;

    private final RunningGpu gpu = new RunningGpu();
    private final NativeTransport transport = NativeTransport.open(gpu.device());
    private final ContextState state = new ContextState();
    private final GpuWait news = new GpuWait(transport, state);

    @AfterEach
    void close() {
        transport.close();
        gpu.close();
    }

    /// A waiting thread adds an interrupt to the ring, as the queue itself does at the end of a
    /// part.
    @Test
    void givenAnyRoomLeftInRing_whenThreadWaits_thenRingIsNotOverrun() throws Exception {
        CommandQueue queue = queue(0);
        HostMemory gate = transport.allocateHost(Integer.BYTES);
        for (int left = 1; left < 20; left++) {
            long number = fillTheRing(queue, left, gate.gpuVa());
            int words = left;
            waitAsleep(queue, number, () -> gate.segment().set(ValueLayout.JAVA_INT, 0, words));
        }
    }

    /// Fills the ring except for `left` words. The last submission waits until the gate contains
    /// `left`.
    private static long fillTheRing(CommandQueue queue, int left, long gate) {
        queue.lock();
        try {
            PushBuffer push = queue.begin(CommandQueue.MAX_WORDS);
            while (freeWords(push) >= 2 * CommandQueue.MAX_WORDS) {
                pad(push, CommandQueue.MAX_WORDS);
                queue.submit();
                push = queue.begin(CommandQueue.MAX_WORDS);
            }
            // The last part of the ring has begun, so the following words cross no boundary between
            // parts.
            pad(push, freeWords(push) / 2);
            queue.await(queue.submit());
            push = queue.begin(Fences.WORDS);
            Fences.acquire(push, gate, left);
            pad(push, freeWords(push) - left - Fences.WORDS);
            assertEquals(left + Fences.WORDS, freeWords(push));
            return queue.submit();
        } finally {
            queue.unlock();
        }
    }

    private static int freeWords(PushBuffer push) {
        return (int) (RING_BYTES - push.position()) / Integer.BYTES;
    }

    private static void pad(PushBuffer push, int words) {
        for (int i = 0; i < words; i++) {
            push.immediate(M2MF, M2mfClass.SERIALIZE, 0);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {(1L << 31) - 300, (1L << 32) - 300, (1L << 33) - 1})
    void givenFenceBeforeWrapAround_whenSubmissionsPassWrapAround_thenWaitsEnd(long done) {
        CommandQueue queue = queue(done);
        CommandQueue other = queue(0);
        HostMemory memory = transport.allocateHost(Integer.BYTES);
        for (int i = 1; i <= 1000; i++) {
            long number = fill(queue, memory, i);
            assertEquals(done + 1 + i, number);
            assertFalse(queue.isDone(number + 1));
            if (i % 7 == 0) {
                other.await(submitAcquire(other, queue, number));
                assertEquals((byte) i, memory.segment().get(ValueLayout.JAVA_BYTE, 0));
                assertTrue(queue.isDone(number));
            }
        }
    }

    @Test
    void givenFinishedEvent_whenAwaited_thenNoWaitIsSubmitted() {
        CommandQueue queue = queue(0);
        try (TestContext user = new TestContext()) {
            GpuEvent event = user.context().newEvent();
            user.stream().record(event);
            event.synchronize();
            queue.lock();
            assertEquals(0, event.await(user.context(), queue));
            queue.unlock();
        }
    }

    /// A long copy is followed directly by an interrupt. A waiting thread must add an interrupt
    /// only for a short copy.
    @ParameterizedTest
    @CsvSource({"1048576, 0", "1024, 1"})
    void givenAwaitedCopy_whenThreadWaits_thenInterruptIsAddedOnlyForShortCopy(int bytes, int added)
            throws Exception {
        CommandQueue queue = queue(0);
        HostMemory gate = transport.allocateHost(Integer.BYTES);
        HostMemory source = transport.allocateHost(bytes);
        GpuMemory target = transport.allocateVram(bytes);
        queue.lock();
        Fences.acquire(queue.begin(Fences.WORDS), gate.gpuVa(), 1);
        queue.submit();
        long number =
                RectangleCopy.copy(queue, Rectangle.line(target.gpuVa(), source.gpuVa(), bytes));
        queue.unlock();

        waitAsleep(queue, number, () -> gate.segment().set(ValueLayout.JAVA_INT, 0, 1));

        assertEquals(number + added, queue.awaitSubmitted());
    }

    @Test
    void givenOpenSubmission_whenCommandsJoinIt_thenOneFenceFollowsAll() {
        CommandQueue queue = queue(0);
        HostMemory memory = transport.allocateHost(2);
        long number = fillBehind(queue, memory.gpuVa(), 1);
        assertEquals(number, fillBehind(queue, memory.gpuVa() + 1, 2));
        assertFalse(queue.isDone(number));
        queue.flush();
        queue.flush();
        assertEquals(number, queue.awaitSubmitted());
        queue.await(number);
        assertEquals(1, memory.segment().get(ValueLayout.JAVA_BYTE, 0));
        assertEquals(2, memory.segment().get(ValueLayout.JAVA_BYTE, 1));
    }

    @Test
    void givenOpenSubmission_whenAwaited_thenItIsSubmitted() {
        CommandQueue queue = queue(0);
        HostMemory memory = transport.allocateHost(1);
        queue.await(fillBehind(queue, memory.gpuVa(), 3));
        assertEquals(3, memory.segment().get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void givenOpenSubmission_whenOtherFollows_thenOrderIsThatOfCalls() {
        CommandQueue queue = queue(0);
        HostMemory memory = transport.allocateHost(1);
        long number = fillBehind(queue, memory.gpuVa(), 4);
        assertEquals(number + 1, fill(queue, memory, 5));
        queue.await(number + 1);
        assertEquals(5, memory.segment().get(ValueLayout.JAVA_BYTE, 0));
        // The wait may have submitted an interrupt.
        assertEquals(fillBehind(queue, memory.gpuVa(), 6), queue.awaitSubmitted());
    }

    /// Enough commands for several passes of the ring.
    @Test
    void givenManyCommands_whenTheyJoinSubmissions_thenAllAreExecuted() {
        CommandQueue queue = queue(0);
        HostMemory memory = transport.allocateHost(1 << 16);
        long before = queue.awaitSubmitted();
        for (int i = 0; i < 1 << 16; i++) {
            if (!hasRoom(queue)) {
                queue.flush();
                queue.await(queue.awaitSubmitted());
            }
            fillBehind(queue, memory.gpuVa() + i, i);
        }
        long last = queue.awaitSubmitted();
        queue.await(last);
        assertTrue(last - before < 1 << 14, "submissions=" + (last - before));
        for (int i = 0; i < 1 << 16; i++) {
            assertEquals((byte) i, memory.segment().get(ValueLayout.JAVA_BYTE, i));
        }
    }

    private static boolean hasRoom(CommandQueue queue) {
        queue.lock();
        try {
            return queue.hasRoom();
        } finally {
            queue.unlock();
        }
    }

    private static long fillBehind(CommandQueue queue, long gpuVa, int value) {
        queue.lock();
        try {
            InlineFill.seed(queue.beginBehind(InlineFill.SEED_WORDS), gpuVa, 1, value);
            return queue.leaveOpen();
        } finally {
            queue.unlock();
        }
    }

    /// Waits for a submission on another thread, which is asleep before the gate is opened.
    private static void waitAsleep(CommandQueue queue, long number, Runnable openGate)
            throws Exception {
        FutureTask<Void> wait = new FutureTask<>(() -> queue.await(number), null);
        Thread waiter = Thread.ofPlatform().start(wait);
        while (waiter.getState() != Thread.State.TIMED_WAITING && !wait.isDone()) {
            Thread.onSpinWait();
        }
        openGate.run();
        wait.get();
        assertTrue(queue.isDone(number));
    }

    private CommandQueue queue(long done) {
        CommandQueue queue = new CommandQueue(transport, state, news, CopyUnit.M2MF, done);
        queue.lock();
        CopyUnit.M2MF.bind(queue.begin(CopyUnit.BIND_WORDS));
        queue.submit();
        queue.unlock();
        return queue;
    }

    private static long fill(CommandQueue queue, HostMemory memory, int value) {
        queue.lock();
        try {
            PushBuffer push = queue.begin(InlineFill.SEED_WORDS);
            InlineFill.seed(push, memory.gpuVa(), 1, value);
            return queue.submit();
        } finally {
            queue.unlock();
        }
    }

    private static long submitAcquire(CommandQueue queue, CommandQueue other, long number) {
        queue.lock();
        try {
            Fences.acquire(queue.begin(Fences.WORDS), other.fenceGpuVa(), (int) number);
            return queue.submit();
        } finally {
            queue.unlock();
        }
    }
}
