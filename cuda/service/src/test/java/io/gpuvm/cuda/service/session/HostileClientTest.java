package io.gpuvm.cuda.service.session;

import static io.gpuvm.cuda.service.session.TestFrontEnd.assertStatus;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.cuda.service.Kernels;
import io.gpuvm.cuda.service.session.TestFrontEnd.Settings;
import io.gpuvm.tests.cuda.HostileClient;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Tests of clients that send anything: the front end neither throws nor loses a completion.
class HostileClientTest {
    private static final int STEPS = 40_000;
    private static final int COMPLETION_ENTRIES = 256;

    /// Length of the part of the data area that changes while calls are executed: arguments.
    private static final int CHANGING_BYTES = 1 << 17;

    private final long seed = System.nanoTime();

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
            long at = data.byteSize() - 1 - own.nextInt(CHANGING_BYTES);
            data.set(ValueLayout.JAVA_BYTE, at, (byte) own.nextInt());
        }
    }

    private void run(TestFrontEnd session) {
        try {
            session.endFirstGpu();
            session.succeed(TestFrontEnd.connect());
            HostileClient hostile =
                    new HostileClient(
                            new Random(seed),
                            session.client,
                            Kernels.cubin(),
                            COMPLETION_ENTRIES / 2);
            for (int i = 0; i < STEPS; i++) {
                hostile.step();
            }
            hostile.finish();
            assertStatus(
                    CudaStatus.NOT_SUPPORTED,
                    session.client.await(session.client.sendEntry(CudaOpcode.INIT, _ -> {})));
            // Calls without replies may still use the data area: destroyed contexts end their work.
            while (session.client.retired() != session.client.last() + 1) {
                session.client.pause();
            }
            assertTrue(hostile.succeeded() > STEPS / 100, "succeeded=" + hostile.succeeded());
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("seed=" + seed + ", call=" + session.client.last(), e);
        }
    }
}
