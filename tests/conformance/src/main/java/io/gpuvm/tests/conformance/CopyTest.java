package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.mmu.MemoryTarget;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tests of copies by each engine, between VRAM and host memory, compared with arrays.
@GpuTest
final class CopyTest {
    private static final int BYTES = 64 << 10;
    private static final int HALF = BYTES / 2;
    private static final int RECTANGLES = 20;
    private static final long SEED = 20_140_619;

    private final Bench bench;
    private final Random random = new Random(SEED);
    private final byte[] model = new byte[BYTES];
    private final long source;
    private final long target;
    private final TestChannel channel;

    CopyTest(Bench bench) {
        this.bench = bench;
        source = bench.allocate(BYTES);
        target = bench.allocate(BYTES);
        channel = bench.running(2);
        random.nextBytes(model);
        slice(source).copyFrom(MemorySegment.ofArray(model));
    }

    private MemorySegment slice(long offset) {
        return bench.host().segment().asSlice(offset, BYTES);
    }

    private void assertTargetIsTheModel(String where) {
        long difference = slice(target).mismatch(MemorySegment.ofArray(model));
        assertEquals(-1, difference, () -> "%s, seed=%d".formatted(where, SEED));
    }

    @Test
    void givenM2mf_whenCopyingThroughVram_thenEveryByteArrives() {
        copyThroughVram(ClassId.M2MF);
    }

    @Test
    void givenCopyEngine0_whenCopyingThroughVram_thenEveryByteArrives() {
        copyThroughVram(ClassId.COPY0);
    }

    @Test
    void givenCopyEngine1_whenCopyingThroughVram_thenEveryByteArrives() {
        copyThroughVram(ClassId.COPY1);
    }

    /// Copies from host memory to VRAM, within VRAM, and from VRAM to host memory.
    private void copyThroughVram(ClassId engine) {
        long elsewhere = Bench.VRAM_VA + Bench.MIB;
        int lines = 8;
        int bytes = BYTES / lines;
        channel.run(
                new Program()
                        .copyLines(
                                engine,
                                Bench.HOST_VA + source,
                                bytes,
                                Bench.VRAM_VA,
                                bytes,
                                bytes,
                                lines)
                        .copyLines(engine, Bench.VRAM_VA, bytes, elsewhere, bytes, bytes, lines)
                        .copyLines(
                                engine,
                                elsewhere,
                                bytes,
                                Bench.HOST_VA + target,
                                bytes,
                                bytes,
                                lines));
        assertTargetIsTheModel(engine.name());
    }

    @Test
    void givenOddSizesAndPitches_whenM2mfCopies_thenMemoryEqualsModel() {
        copyRectangles(ClassId.M2MF);
    }

    @Test
    void givenOddSizesAndPitches_whenCopyEngine0Copies_thenMemoryEqualsModel() {
        copyRectangles(ClassId.COPY0);
    }

    @Test
    void givenOddSizesAndPitches_whenCopyEngine1Copies_thenMemoryEqualsModel() {
        copyRectangles(ClassId.COPY1);
    }

    /// Copies rectangles from the lower to the upper half of an area in VRAM.
    private void copyRectangles(ClassId engine) {
        channel.run(new Program().copy(ClassId.M2MF, Bench.HOST_VA + source, Bench.VRAM_VA, BYTES));
        for (int i = 0; i < RECTANGLES; i++) {
            int bytes = random.nextInt(2000);
            int lines = random.nextInt(8);
            int from = random.nextInt(4096);
            int to = HALF + random.nextInt(4096);
            int pitchIn = random.nextInt(3000);
            int pitchOut = bytes + random.nextInt(1000);
            copyModel(from, pitchIn, to, pitchOut, bytes, lines);
            channel.run(
                    new Program()
                            .copyLines(
                                    engine,
                                    Bench.VRAM_VA + from,
                                    pitchIn,
                                    Bench.VRAM_VA + to,
                                    pitchOut,
                                    bytes,
                                    lines)
                            .copy(ClassId.M2MF, Bench.VRAM_VA, Bench.HOST_VA + target, BYTES));
            assertTargetIsTheModel(engine + " rectangle " + i);
        }
    }

    private void copyModel(int from, int pitchIn, int to, int pitchOut, int bytes, int lines) {
        for (int line = 0; line < lines; line++) {
            System.arraycopy(model, from + line * pitchIn, model, to + line * pitchOut, bytes);
        }
    }

    @Test
    void givenPermutedPages_whenCopied_thenDataIsInOrderOfVirtualAddresses() {
        long scattered = Bench.HOST_VA + 2 * Bench.MIB;
        int pages = (int) (BYTES / Bench.PAGE_BYTES);
        for (int page = 0; page < pages; page++) {
            long offset = source + (page * 7 % pages) * Bench.PAGE_BYTES;
            bench.space()
                    .map(
                            scattered + page * Bench.PAGE_BYTES,
                            MemoryTarget.SYSTEM_COHERENT,
                            bench.hostIova(offset),
                            Bench.PAGE_BYTES);
        }
        bench.space().flush();
        byte[] before = model.clone();
        for (int page = 0; page < pages; page++) {
            int size = (int) Bench.PAGE_BYTES;
            System.arraycopy(before, page * 7 % pages * size, model, page * size, size);
        }

        channel.run(new Program().copy(ClassId.M2MF, scattered, Bench.HOST_VA + target, BYTES));

        assertTargetIsTheModel("scattered");
    }

    @Test
    void givenThreeChannels_whenEachUsesSeparateEngine_thenAllCopiesArrive() {
        ClassId[] engines = {ClassId.M2MF, ClassId.COPY0, ClassId.COPY1};
        TestChannel[] channels = new TestChannel[engines.length];
        for (int i = 0; i < engines.length; i++) {
            channels[i] = bench.channel(10 + i).start();
        }
        bench.runlist(10, 11, 12);
        int part = BYTES / 4;
        for (int i = 0; i < engines.length; i++) {
            long at = (long) i * part;
            channels[i].submit(
                    new Program()
                            .copy(engines[i], Bench.HOST_VA + source + at, Bench.VRAM_VA + at, part)
                            .reference(1));
        }
        for (TestChannel one : channels) {
            bench.await("copy of channel " + one.id, () -> one.userd.refCount() == 1);
        }
        int copied = engines.length * part;
        channels[0].run(
                new Program().copy(ClassId.M2MF, Bench.VRAM_VA, Bench.HOST_VA + target, copied));

        assertEquals(
                -1,
                slice(target)
                        .asSlice(0, copied)
                        .mismatch(MemorySegment.ofArray(model).asSlice(0, copied)));
    }
}
