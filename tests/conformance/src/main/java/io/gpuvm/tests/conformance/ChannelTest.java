package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pfifo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests of channels, from the doorbell to completed work.
@GpuTest
@Tag(GpuTest.ENGINES)
final class ChannelTest {
    private final Bench bench;

    ChannelTest(Bench bench) {
        this.bench = bench;
    }

    @Test
    void givenRunningChannel_whenDoorbellIsRung_thenProgramRunsAndUserdIsUpdated() {
        TestChannel channel = bench.running(3);
        int[] words = new Program().reference(4711).toArray();
        long program = channel.push(words);

        channel.enter(GpfifoEntry.of(program, words.length)).ring();

        bench.await("reference count", () -> channel.userd.refCount() == 4711);
        long end = program + (long) words.length * Integer.BYTES;
        bench.await("GET", () -> channel.userd.get() == end);
        assertEquals(1, channel.userd.ibGet());
        assertEquals(end, channel.userd.mget());
    }

    @Test
    void givenCompletedWork_whenGetAndPutAreReadTogether_thenBothIndexesAreCurrent() {
        TestChannel channel = bench.running(3);
        channel.run(new Program());
        channel.run(new Program());

        bench.await("both", () -> channel.userd.ibGetAndPut() == (2L << Integer.SIZE | 2));
    }

    @Test
    void givenInstanceBlockWithoutSignature_whenDoorbellIsRung_thenErrorIsReported() {
        long nothing = bench.hostIova(bench.allocate(Bench.PAGE_BYTES));

        assertSignatureIsMissed(nothing, MemoryTarget.SYSTEM_COHERENT);
    }

    @Test
    void givenInstanceBlockOutsideVram_whenDoorbellIsRung_thenErrorIsReported() {
        assertSignatureIsMissed(bench.gpu.vramBytes(), MemoryTarget.VRAM);
    }

    private void assertSignatureIsMissed(long instance, MemoryTarget target) {
        TestChannel other = bench.running(9);
        TestChannel channel = bench.channel(3);
        channel.bindTo(instance, target).start();
        bench.runlist(3, 9);
        channel.submit(new Program().reference(1));

        bench.await(
                "report of a PBDMA",
                () -> Pbdma.INTR_SIGNATURE_MISMATCH.isSet(bench.read(Pbdma.INTR.element(0))));
        assertEquals(3, Pbdma.CHANNEL_ID.get(bench.read(Pbdma.CHANNEL.element(0))));
        channel.leave();
        bench.write(Pbdma.INTR.element(0), -1);

        other.run(new Program().reference(2));
        assertEquals(2, other.userd.refCount());
        assertEquals(0, channel.userd.refCount());
        assertEquals(0, bench.read(Pbdma.INTR.element(0)));
    }

    @Test
    void givenInstanceBlockInHostMemory_whenBound_thenChannelRuns() {
        TestChannel channel = bench.channel(5, bench.space(), MemoryTarget.SYSTEM_COHERENT).start();
        bench.runlist(5);

        channel.run(new Program().reference(2));

        assertEquals(2, channel.userd.refCount());
    }

    @Test
    void givenFirstAndLastChannel_whenDoorbellsAreRung_thenBothChannelsRun() {
        TestChannel first = bench.channel(0).start();
        TestChannel last = bench.channel(Pfifo.CHANNELS - 1).start();
        bench.runlist(last.id, first.id);

        last.run(new Program().reference(2));
        first.run(new Program().reference(1));

        assertEquals(1, first.userd.refCount());
        assertEquals(2, last.userd.refCount());
    }

    @Test
    void givenUnlistedChannel_whenDoorbellIsRung_thenChannelRunsWhenListed() {
        TestChannel idle = bench.channel(7).start();
        TestChannel other = bench.running(8);
        idle.submit(new Program().reference(1));
        other.run(new Program().reference(1));
        assertEquals(0, idle.userd.refCount());

        bench.runlist(7, 8);

        bench.await("listed channel", () -> idle.userd.refCount() == 1);
    }

    @Test
    void givenStoppedChannel_whenDoorbellIsRung_thenChannelRunsWhenStarted() {
        TestChannel idle = bench.channel(7);
        TestChannel other = bench.channel(8).start();
        bench.runlist(7, 8);
        idle.submit(new Program().reference(1));
        other.run(new Program().reference(1));
        assertEquals(0, idle.userd.refCount());

        idle.start();

        bench.await("started channel", () -> idle.userd.refCount() == 1);
    }

    @Test
    void givenRing_whenMoreEntriesThanSlotsAreSubmitted_thenRingWrapsAround() {
        TestChannel channel = bench.running(1);
        int rounds = 3 * TestChannel.RING_ENTRIES + 5;

        for (int i = 1; i <= rounds; i++) {
            channel.run(new Program().reference(i));
            assertEquals(i, channel.userd.refCount());
        }

        bench.await("IB_GET", () -> channel.userd.ibGet() == rounds % TestChannel.RING_ENTRIES);
    }

    @Test
    void givenManyEntries_whenDoorbellIsRungOnce_thenAllEntriesRunInOrder() {
        TestChannel channel = bench.running(1);
        long data = bench.allocate(Bench.PAGE_BYTES);
        for (int i = 1; i < TestChannel.RING_ENTRIES - 1; i++) {
            int[] words = new Program().release(Bench.HOST_VA + data, i, true).toArray();
            channel.enter(GpfifoEntry.of(channel.push(words), words.length));
        }

        channel.run(new Program().reference(1));

        assertEquals(TestChannel.RING_ENTRIES - 2, bench.host().word(data));
    }

    @Test
    void givenMethodInSeveralSegments_whenFetched_thenMethodContinuesInNextSegment() {
        TestChannel channel = bench.running(1);
        long data = bench.allocate(Bench.PAGE_BYTES);
        for (int word : new Program().release(Bench.HOST_VA + data, 77, true).toArray()) {
            channel.enter(GpfifoEntry.of(channel.push(word), 1));
            channel.enter(GpfifoEntry.of(channel.push(), 0));
        }
        channel.ring();

        bench.await("release", () -> bench.host().word(data) == 77);
    }

    @Test
    void givenSeveralChannels_whenAllHaveWork_thenEachChannelCompletes() {
        TestChannel[] channels = new TestChannel[6];
        int[] ids = new int[channels.length];
        for (int i = 0; i < channels.length; i++) {
            ids[i] = 10 + 2 * i;
            channels[i] = bench.channel(ids[i]).start();
        }
        bench.runlist(ids);

        for (int round = 1; round <= 5; round++) {
            for (TestChannel channel : channels) {
                channel.submit(new Program().reference(channel.id + round));
            }
            for (TestChannel channel : channels) {
                int expected = channel.id + round;
                bench.await("channel", () -> channel.userd.refCount() == expected);
            }
        }
    }

    @Test
    void givenTwoAddressSpaces_whenChannelsUseSameAddress_thenMemoryIsSeparate() {
        long shared = Bench.HOST_VA + 2 * Bench.MIB;
        TestChannel[] channels = new TestChannel[2];
        long[] data = new long[2];
        for (int i = 0; i < 2; i++) {
            data[i] = bench.allocate(Bench.PAGE_BYTES);
            TestAddressSpace space = bench.newSpace();
            long iova = bench.hostIova(data[i]);
            space.map(shared, MemoryTarget.SYSTEM_COHERENT, iova, Bench.PAGE_BYTES);
            channels[i] = bench.channel(i, space, MemoryTarget.VRAM).start();
        }
        bench.runlist(0, 1);

        channels[0].run(new Program().release(shared, 100, true));
        channels[1].run(new Program().release(shared, 101, true));

        assertEquals(100, bench.host().word(data[0]));
        assertEquals(101, bench.host().word(data[1]));
    }

    @Test
    void givenEmptyRunlist_whenCommitted_thenNoChannelRunsUntilNextRunlist() {
        TestChannel channel = bench.running(1);
        bench.runlist();
        assertEquals(0, Pfifo.RUNLIST_ENTRIES.get(bench.read(Pfifo.RUNLIST_LOADED_LENGTH)));
        channel.submit(new Program().reference(5));
        TestChannel other = bench.running(2);
        other.run(new Program());
        assertEquals(0, channel.userd.refCount());

        bench.runlist(1);

        bench.await("listed again", () -> channel.userd.refCount() == 5);
    }

    @Test
    void givenChannel_whenAllWorkCompletes_thenEngineIsIdle() {
        TestChannel channel = bench.running(4);
        long data = Bench.HOST_VA + bench.allocate(Bench.PAGE_BYTES);

        channel.run(new Program().copy(ClassId.M2MF, data, data + 64, 64));

        bench.await(
                "idle engine",
                () -> !Pfifo.STATUS_BUSY.isSet(bench.read(Pfifo.ENGINE_STATUS.element(0))));
        assertTrue(Pfifo.STATE_RUNNABLE.isSet(channel.state()));
    }

    @Test
    void givenChannelNumber_whenReused_thenReferenceCountAndRingIndexStartAtZero() {
        TestChannel first = bench.running(1);
        first.run(new Program().reference(9));
        first.leave();

        TestChannel next = bench.running(1);
        next.run(new Program());

        assertEquals(0, next.userd.refCount());
        bench.await("IB_GET", () -> next.userd.ibGet() == 1);
    }
}
