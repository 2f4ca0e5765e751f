package io.gpuvm.softgpu.fifo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.softgpu.engine.CopyPrograms;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChannelTimesTest {
    private static final long VA = 0x4000_0000L;
    private static final int PIECE = 1 << 16;
    private static final int LARGE = 1 << 20;
    private static final long PAUSE_NS = 1_000_000;

    private final TestGpu gpu = new TestGpu();

    @AfterEach
    void close() {
        gpu.close();
    }

    private long ns(int channel, EngineId engine) {
        return gpu.times.ns(channel, engine);
    }

    @Test
    void givenTwoChannels_whenFirstRunsTwoSlices_thenOnlyFirstIsCharged() {
        TestChannel first = new TestChannel(gpu, 1).bind().start();
        new TestChannel(gpu, 2).bind().start();
        gpu.runlist(1, 2);
        gpu.run();
        long before = ns(1, EngineId.GRAPH);
        long others = ns(2, EngineId.GRAPH);

        first.submit(new GpuProgram().reference(1));
        gpu.run();
        first.submit(new GpuProgram().reference(2));
        gpu.run();

        assertEquals(2 * TestGpu.LOOK_NS, ns(1, EngineId.GRAPH) - before);
        assertEquals(others, ns(2, EngineId.GRAPH));
    }

    @Test
    void givenCopiesOnTwoEngines_whenOneSliceRunsBoth_thenTimeIsChargedToEachEngine() {
        TestChannel channel = TestChannel.running(gpu, 1);
        channel.map(VA, 2 * PIECE);
        long before = ns(1, EngineId.GRAPH);

        channel.submit(CopyPrograms.m2mfLinear(VA, VA + PIECE, PIECE));
        gpu.run();
        assertEquals(0, ns(1, EngineId.COPY0));
        assertTrue(ns(1, EngineId.GRAPH) > before);

        long graph = ns(1, EngineId.GRAPH);
        channel.submit(CopyPrograms.copyLinear(ClassId.COPY0, VA, VA + PIECE, PIECE));
        gpu.run();
        assertEquals(TestGpu.LOOK_NS, ns(1, EngineId.COPY0));
        assertEquals(TestGpu.LOOK_NS, ns(1, EngineId.GRAPH) - graph);
        assertEquals(0, ns(1, EngineId.COPY1));
    }

    @Test
    void givenWorkOfTwoSlices_whenPauseSeparatesSlices_thenEngineCountsAsBusy() {
        TestChannel channel = TestChannel.running(gpu, 1);
        channel.map(VA, 2 * LARGE);
        channel.submit(CopyPrograms.m2mfLines(VA, 0, VA + LARGE, 0, LARGE, 100));
        gpu.fifo.doWork();
        long before = ns(1, EngineId.GRAPH);
        gpu.hostNs += PAUSE_NS;
        gpu.fifo.doWork();
        assertEquals(PAUSE_NS + TestGpu.LOOK_NS, ns(1, EngineId.GRAPH) - before);

        channel.stop();
        gpu.write(Pfifo.PREEMPT, 1);
        gpu.hostNs += PAUSE_NS;
        channel.start();
        before = ns(1, EngineId.GRAPH);
        gpu.fifo.doWork();
        assertEquals(TestGpu.LOOK_NS, ns(1, EngineId.GRAPH) - before);
    }

    @Test
    void givenChannelWaitingForSemaphore_whenPollFails_thenPollIsNotCharged() {
        TestChannel channel = TestChannel.running(gpu, 1);
        long shared = channel.map(VA, PIECE);
        channel.submit(new GpuProgram().acquire(VA, 1, ChannelClass.ACQUIRE_EQUAL).reference(1));
        gpu.run();
        long before = ns(1, EngineId.GRAPH);

        for (int look = 0; look < 100; look++) {
            gpu.fifo.doWork();
        }
        assertEquals(before, ns(1, EngineId.GRAPH));

        gpu.word(shared, 1);
        gpu.run();
        assertEquals(1, channel.userd.refCount());
        assertTrue(ns(1, EngineId.GRAPH) > before);
    }
}
