package io.gpuvm.cuda.service.session;

import static io.gpuvm.cuda.service.session.TestFrontEnd.assertStatus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.cuda.service.Kernels;
import io.gpuvm.cuda.service.session.TestFrontEnd.Settings;
import io.gpuvm.tests.cuda.CudaCompletion;
import io.gpuvm.tests.cuda.RandomCalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Tests of clients that send anything: the front end neither throws nor loses a completion.
class HostileClientTest {
    private static final int CALLS = 40_000;
    private static final int COMPLETION_ENTRIES = 256;

    /// Unanswered calls from which the client waits, so that entries are left for the ends of host
    /// functions.
    private static final int MOST_UNANSWERED = COMPLETION_ENTRIES / 2;

    private static final byte[] CUBIN = Kernels.cubin();

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    /// Calls without completion, by number: whether a call is a host function.
    private final Map<Long, Boolean> unanswered = new HashMap<>();

    private int succeeded;

    @Test
    void givenRandomCalls_whenExecuted_thenEachIsAnsweredOnce() {
        try (TestFrontEnd session = session()) {
            run(session);
        }
    }

    @Test
    void givenDataAreaThatChangesMeanwhile_whenCallsAreExecuted_thenEachIsAnsweredOnce()
            throws InterruptedException {
        try (TestFrontEnd session = session()) {
            AtomicBoolean ended = new AtomicBoolean();
            MemorySegment data = session.client.data();
            Thread scribbler = new Thread(() -> scribble(data, ended));
            scribbler.start();
            try {
                run(session);
            } finally {
                ended.set(true);
                scribbler.join();
            }
        }
    }

    private static TestFrontEnd session() {
        return new TestFrontEnd(
                Settings.DEFAULT
                        .withGpu("workers=1,watchdog=0.2")
                        .withEntries(64, COMPLETION_ENTRIES)
                        .withContexts(2));
    }

    private static void scribble(MemorySegment data, AtomicBoolean ended) {
        Random own = new Random(1);
        while (!ended.get()) {
            long at = data.byteSize() - 1 - own.nextInt(1 << 17);
            data.set(ValueLayout.JAVA_BYTE, at, (byte) own.nextInt());
        }
    }

    private void run(TestFrontEnd session) {
        try {
            session.succeed(TestFrontEnd.connect());
            RandomCalls calls = new RandomCalls(random, session.client);
            calls.addBytes("factor".getBytes(StandardCharsets.UTF_8));
            calls.addBytes(TestFrontEnd.sha256(CUBIN));
            for (int i = 0; i < CALLS; i++) {
                if (random.nextInt(50) == 0) {
                    createUsual(session);
                }
                RandomCalls.Sent sent = calls.send();
                if (sent.isAnswered()) {
                    expect(sent.number(), sent.opcode() == CudaOpcode.LAUNCH_HOST_FUNC);
                }
                answer(session, calls);
                while (unanswered.size() > MOST_UNANSWERED) {
                    session.turn();
                    answer(session, calls);
                }
            }
            end(session, calls);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("seed=" + seed + ", call=" + session.client.last(), e);
        }
        assertTrue(succeeded > CALLS / 100, "seed=" + seed + ", succeeded=" + succeeded);
    }

    /// Creates objects with the handles that calls usually name.
    private void createUsual(TestFrontEnd session) {
        expect(session.client.send(new CudaCall.CtxCreate(1, 0, 0, 1)), false);
        MemorySegment.copy(CUBIN, 0, session.client.data(), ValueLayout.JAVA_BYTE, 0, CUBIN.length);
        if (random.nextInt(10) == 0) {
            session.client
                    .data()
                    .set(ValueLayout.JAVA_BYTE, random.nextInt(CUBIN.length), (byte) 1);
        }
        expect(
                session.client.send(
                        new CudaCall.ModuleLoadData(
                                1,
                                1,
                                0,
                                random.nextInt(4) == 0 ? 0 : CUBIN.length,
                                TestFrontEnd.REPLY,
                                random.nextInt(10) == 0 ? 100 : TestFrontEnd.REPLY_BYTES,
                                ByteBuffer.wrap(TestFrontEnd.sha256(CUBIN)))),
                false);
        ByteBuffer parameters =
                ByteBuffer.allocate(Kernels.BYTES_OF_TWO).order(ByteOrder.LITTLE_ENDIAN);
        session.client.send(
                new CudaCall.LaunchKernel(
                        1,
                        random.nextInt(3) == 0 ? random.nextInt(10) : 0,
                        0,
                        1,
                        1,
                        1,
                        1,
                        1,
                        1,
                        0,
                        1,
                        parameters));
    }

    private void expect(long number, boolean isHostFunction) {
        unanswered.put(number, isHostFunction);
    }

    /// Takes completions, and ends the host functions that the client may run.
    private void answer(TestFrontEnd session, RandomCalls calls) {
        session.client.collect();
        for (long number : unanswered.keySet().toArray(Long[]::new)) {
            if (session.client.hasArrived(number)) {
                CudaCompletion completion = session.client.await(number);
                boolean isHostFunction = unanswered.remove(number);
                boolean isSuccess = completion.status() == CudaStatus.SUCCESS;
                succeeded += isSuccess ? 1 : 0;
                if (isSuccess && completion.result(0) > TestFrontEnd.RANGE.first()) {
                    calls.addAddress(completion.result(0));
                }
                if (isSuccess && isHostFunction || random.nextInt(100) == 0) {
                    session.client.send(new CudaCall.HostFunctionDone(number));
                }
            }
        }
    }

    /// Waits for all completions.
    private void end(TestFrontEnd session, RandomCalls calls) {
        for (long context = 1; context <= 3; context++) {
            session.client.send(new CudaCall.CtxDestroy(context));
        }
        while (!unanswered.isEmpty()) {
            session.turn();
            answer(session, calls);
        }
        assertStatus(CudaStatus.SUCCESS, session.client.call(new CudaCall.Nop()));
        assertEquals(session.client.last() + 1, session.client.retired());
        assertStatus(
                CudaStatus.NOT_SUPPORTED,
                session.client.await(session.client.sendEntry(CudaOpcode.INIT, _ -> {})));
    }
}
