package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests of endless work, and of its removal from engines.
@GpuTest
@Tag(GpuTest.ENGINES)
final class PreemptionTest {
    /// Number of preemptions that exceeds any queue for deferred answers.
    private static final int BURST = 6_000;

    private final Bench bench;

    PreemptionTest(Bench bench) {
        this.bench = bench;
    }

    private EndlessCopy running(int id) {
        EndlessCopy copy = EndlessCopy.on(bench, bench.running(id));
        copy.awaitProgress();
        return copy;
    }

    private int graphStatus() {
        return bench.read(Pfifo.ENGINE_STATUS.element(EngineId.GRAPH.number()));
    }

    private boolean isOnTheEngine(TestChannel channel) {
        int status = graphStatus();
        return Pfifo.STATUS_BUSY.isSet(status) && Pfifo.STATUS_CHANNEL.get(status) == channel.id;
    }

    @Test
    void givenLongCopy_whenStatusIsRead_thenEngineIsBusyWithChannel() {
        EndlessCopy copy = running(6);

        assertTrue(isOnTheEngine(copy.channel()));
    }

    @Test
    @UnsharedGpuOnly("the backend preempts no command before its end or its limit")
    void givenLongCopy_whenOtherChannelHasWork_thenOtherChannelGetsTurns() {
        EndlessCopy copy = EndlessCopy.on(bench, bench.channel(1).start());
        TestChannel other = bench.channel(2).start();
        bench.runlist(1, 2);
        for (int i = 1; i <= 5; i++) {
            copy.awaitProgress();
            other.run(new Program().reference(i));
            assertEquals(i, other.userd.refCount());
        }
    }

    @Test
    void givenLongCopy_whenStoppedAndPreempted_thenCopyIsOffEngine() {
        EndlessCopy copy = running(1);

        copy.channel().stop();
        copy.channel().preempt();

        assertEquals(1, Pfifo.PREEMPT_CHANNEL.get(bench.read(Pfifo.PREEMPT)));
        assertFalse(isOnTheEngine(copy.channel()));
        copy.change();
        bench.channel(2).start();
        bench.runlist(1, 2);
        TestChannel other = bench.running(3);
        other.run(new Program());
        assertFalse(copy.hasCopied());
    }

    @Test
    void givenBurstOfPreemptions_whenNoReadIntervenes_thenAllPreemptionsComplete() {
        for (int i = 0; i < BURST; i++) {
            bench.write(Pfifo.PREEMPT, 1);
        }
        bench.await("preemptions", () -> !Pfifo.PREEMPT_BUSY.isSet(bench.read(Pfifo.PREEMPT)));

        EndlessCopy copy = running(1);
        copy.channel().stop();
        copy.channel().preempt();
        assertFalse(isOnTheEngine(copy.channel()));
    }

    @Test
    void givenPreemptedCopy_whenStartedAgain_thenCopyContinues() {
        EndlessCopy copy = running(1);
        for (int i = 0; i < 5; i++) {
            copy.channel().stop();
            copy.channel().preempt();
            copy.channel().start();
            copy.awaitProgress();
        }
    }

    @Test
    void givenPreemptedCopy_whenChannelIsStillRunnable_thenCopyContinues() {
        EndlessCopy copy = running(1);
        for (int i = 0; i < 5; i++) {
            copy.channel().preempt();
            copy.awaitProgress();
        }
    }

    @Test
    void givenLongCopy_whenRemovedFromRunlist_thenCopyStopsAndOtherChannelUsesEngine() {
        EndlessCopy copy = running(1);
        bench.runlist();
        copy.channel().preempt();
        copy.change();
        long data = Bench.HOST_VA + bench.allocate(Bench.PAGE_BYTES);

        TestChannel other = bench.running(2);
        other.run(new Program().copy(ClassId.M2MF, data, data + 64, 64).reference(1));

        assertEquals(1, other.userd.refCount());
        assertFalse(copy.hasCopied());
        bench.runlist(1, 2);
        copy.awaitProgress();
    }

    @Test
    void givenLongCopy_whenChannelIsClosed_thenCopyEndsAndEngineIsFree() {
        EndlessCopy copy = running(1);
        copy.channel().stop();
        copy.channel().preempt();
        bench.runlist();
        copy.channel().unbind();
        assertFalse(isOnTheEngine(copy.channel()));
        copy.change();

        TestChannel next = bench.running(1);
        long data = Bench.HOST_VA + bench.allocate(Bench.PAGE_BYTES);
        next.run(new Program().copy(ClassId.M2MF, data, data + 64, 64));

        assertFalse(copy.hasCopied());
    }

    @Test
    void givenCopiesOnEachEngine_whenChannelsAreClosed_thenNewChannelsRun() {
        ClassId[] engines = {ClassId.COPY0, ClassId.COPY1};
        long data = Bench.HOST_VA + bench.allocate(Bench.PAGE_BYTES);
        int lines = 8000;
        int bytes = 60_000;
        for (ClassId engine : engines) {
            TestChannel channel = bench.running(1);
            channel.submit(
                    new Program()
                            .copyLines(
                                    engine,
                                    Bench.VRAM_VA,
                                    0,
                                    Bench.VRAM_VA + Bench.MIB,
                                    0,
                                    bytes,
                                    lines));
            channel.leave();

            TestChannel next = bench.running(2);
            next.run(new Program().copy(engine, data, data + 64, 64).reference(1));
            assertEquals(1, next.userd.refCount());
        }
    }

    @Test
    void givenPreemptedSemaphoreWait_whenChannelIsStartedAgain_thenWaitCompletes() {
        long semaphore = bench.allocate(Bench.PAGE_BYTES);
        TestChannel channel = bench.running(1);
        channel.submit(
                new Program()
                        .acquire(Bench.HOST_VA + semaphore, 3, ChannelClass.ACQUIRE_EQUAL)
                        .reference(1));
        bench.await("wait", () -> Pfifo.STATE_ACQUIRE_PENDING.isSet(channel.state()));

        channel.stop();
        channel.preempt();
        assertFalse(Pfifo.STATE_ACQUIRE_PENDING.isSet(channel.state()));
        bench.host().word(semaphore, 3);
        channel.start();

        bench.await("end of the wait", () -> channel.userd.refCount() == 1);
    }

    @Test
    void givenFrozenEngines_whenThawed_thenPendingWorkCompletes() {
        TestChannel channel = bench.running(1);
        bench.write(Pfifo.ENGINE_FREEZE, -1);
        long data = Bench.HOST_VA + bench.allocate(Bench.PAGE_BYTES);
        channel.submit(new Program().copy(ClassId.M2MF, data, data + 64, 64).reference(1));
        assertEquals(0, channel.userd.refCount());

        bench.write(Pfifo.ENGINE_FREEZE, 0);

        bench.await("thawed work", () -> channel.userd.refCount() == 1);
    }
}
