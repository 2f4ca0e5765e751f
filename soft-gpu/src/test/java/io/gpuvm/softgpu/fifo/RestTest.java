package io.gpuvm.softgpu.fifo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.reg.Pfifo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Listener for idle channels: called when a channel has no more work or waits.
class RestTest {
    private static final long VA = 0x3000_0000L;

    private final TestGpu gpu = new TestGpu();
    private TestChannel channel;
    private int rests;

    @BeforeEach
    void start() {
        long semaphore = gpu.allocate(TestGpu.PAGE_BYTES);
        channel = new TestChannel(gpu, 1).bind().start();
        channel.space.mapVram(VA, semaphore, TestGpu.PAGE_BYTES);
        gpu.runlist(1);
    }

    @AfterEach
    void close() {
        gpu.close();
    }

    @Test
    void givenChannel_whenAllWorkIsDone_thenListenerIsCalledAfterStateChange() {
        gpu.fifo.onRest(() -> {
            rests++;
            assertEquals(7, channel.userd.refCount());
            assertFalse(Pfifo.STATE_PENDING.isSet(gpu.read(Pfifo.CHANNEL_STATE.at(1))));
        });
        channel.submit(new GpuProgram().reference(7));
        gpu.run();

        assertEquals(1, rests);
    }

    @Test
    void givenWaitingChannel_whenPollFails_thenListenerIsCalledOnce() {
        gpu.fifo.onRest(() -> rests++);
        channel.submit(new GpuProgram().acquire(VA, 1, ChannelClass.ACQUIRE_EQUAL));
        gpu.run();
        gpu.run();

        assertEquals(1, rests);
    }

    @Test
    void givenNoWork_whenEnginesRun_thenListenerIsNotCalled() {
        gpu.fifo.onRest(() -> rests++);
        gpu.run();

        assertEquals(0, rests);
    }

    @Test
    void givenNewListener_whenChannelRests_thenOnlyNewListenerIsCalled() {
        gpu.fifo.onRest(() -> rests += 100);
        gpu.fifo.onRest(() -> rests++);
        channel.submit(new GpuProgram().reference(1));
        gpu.run();

        assertEquals(1, rests);
    }
}
