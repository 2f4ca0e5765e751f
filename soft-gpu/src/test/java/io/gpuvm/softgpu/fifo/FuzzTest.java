package io.gpuvm.softgpu.fifo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.linux.MemFd;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Random contents of push buffers, rings, tables and registers: no error is thrown, every call
/// returns, and a valid channel works afterwards.
class FuzzTest {
    private static final long VA = 0x4000_0000L;
    private static final int PIECE = 1 << 16;
    private static final long IOVA = 0x10_0000;
    private static final int[] ENGINE_METHODS = {
        M2mfClass.EXEC,
        M2mfClass.DATA,
        M2mfClass.LINE_LENGTH,
        M2mfClass.LINE_COUNT,
        M2mfClass.OFFSET_IN_HIGH,
        M2mfClass.OFFSET_IN_LOW,
        M2mfClass.OFFSET_OUT_HIGH,
        M2mfClass.OFFSET_OUT_LOW,
        M2mfClass.TILE_MODE_IN,
        M2mfClass.TILE_MODE_OUT,
        M2mfClass.PITCH_IN,
        M2mfClass.QUERY_ADDRESS_HIGH,
        M2mfClass.QUERY_ADDRESS_LOW,
        CopyClass.EXEC,
        CopyClass.X_COUNT,
        CopyClass.Y_COUNT,
        CopyClass.FORMAT,
        CopyClass.DST_ADDRESS_LOW,
        CopyClass.SRC_TILE_MODE,
        CopyClass.DST_TILE_MODE
    };
    private static final int[] OBJECTS = {
        ChannelClass.object(ClassId.M2MF),
        ChannelClass.object(ClassId.COPY0),
        ChannelClass.object(ClassId.COPY1),
        ChannelClass.object(ClassId.THREED),
        ChannelClass.object(ClassId.SOFTWARE),
        0x0001_90b2,
        0x0004_1234,
        0x0000_9197,
        0x0009_0000
    };

    @Test
    void givenRandomPushBuffers_whenRun_thenNoErrorIsThrownAndNextChannelRuns() {
        for (long seed = 0; seed < 150; seed++) {
            fuzz(seed);
        }
    }

    @Test
    @Tag("long")
    void givenManyRandomPushBuffers_whenRun_thenNoErrorIsThrownAndNextChannelRuns() {
        for (long seed = 1000; seed < 20_000; seed++) {
            fuzz(seed);
        }
    }

    private static void fuzz(long seed) {
        Random random = new Random(seed);
        try (TestGpu gpu = new TestGpu()) {
            TestChannel[] channels = new TestChannel[3];
            for (int i = 0; i < channels.length; i++) {
                channels[i] = channel(gpu, i, random);
            }
            gpu.runlist(0, 1, 2);
            for (int step = 0; step < 60; step++) {
                guestStep(gpu, channels[random.nextInt(channels.length)], random);
                for (int i = 0; i < 6; i++) {
                    gpu.fifo.doWork();
                }
                driverStep(gpu, channels, random);
            }
            recover(gpu, channels);
        } catch (RuntimeException | Error thrown) {
            throw new AssertionError("seed=" + seed, thrown);
        }
    }

    private static TestChannel channel(TestGpu gpu, int id, Random random) {
        TestChannel channel = new TestChannel(gpu, id);
        channel.map(VA, PIECE);
        channel.space.map(VA + PIECE, MemoryTarget.SYSTEM_COHERENT, IOVA, PIECE);
        if (random.nextInt(4) == 0) {
            channel.ramfc().commandForms(Ramfc.CommandForms.BOTH);
        }
        return channel.bind().start();
    }

    private static void guestStep(TestGpu gpu, TestChannel channel, Random random) {
        switch (random.nextInt(10)) {
            case 0 -> channel.enter(random.nextLong()).ring();
            case 1 -> {
                channel.userd.ibPut(random.nextInt());
                gpu.doorbell(channel.id);
            }
            case 2 -> channel.enter(GpfifoEntry.of(VA, GpfifoEntry.MAX_DWORDS)).ring();
            case 3 -> {
                long slot = channel.space.directory() + 8L * random.nextInt(8192);
                gpu.memory.write(MemoryTarget.VRAM, slot, 8, random.nextLong());
            }
            default -> channel.submit(program(random));
        }
    }

    private static GpuProgram program(Random random) {
        GpuProgram program = new GpuProgram();
        int commands = 1 + random.nextInt(30);
        for (int i = 0; i < commands; i++) {
            int subchannel = random.nextInt(3);
            switch (random.nextInt(8)) {
                case 0 -> program.word(random.nextInt());
                case 1 ->
                        program.methods(
                                subchannel,
                                ChannelClass.SET_OBJECT,
                                OBJECTS[random.nextInt(OBJECTS.length)]);
                case 2 ->
                        program.methods(
                                subchannel,
                                random.nextInt(ChannelClass.FIRST_ENGINE_METHOD) & -4,
                                value(random));
                case 3 ->
                        program.word(
                                MethodHeader.of(
                                        random.nextInt(8),
                                        subchannel,
                                        random.nextInt() & MethodHeader.METHOD_MASK,
                                        random.nextInt(40)));
                default ->
                        program.methods(
                                subchannel,
                                ENGINE_METHODS[random.nextInt(ENGINE_METHODS.length)],
                                value(random),
                                value(random));
            }
        }
        return program;
    }

    private static int value(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextInt();
            case 1 -> -1;
            case 2 -> (int) VA + random.nextInt(2 * PIECE);
            case 3 -> random.nextInt(0x4000);
            case 4 -> 0x0110 | random.nextInt(0x10) << 12;
            default -> random.nextInt(5);
        };
    }

    private static void driverStep(TestGpu gpu, TestChannel[] channels, Random random) {
        TestChannel channel = channels[random.nextInt(channels.length)];
        switch (random.nextInt(14)) {
            case 0 -> gpu.write(Pfifo.PREEMPT, channel.id);
            case 1 -> channel.unbind().bind().start();
            case 2 -> gpu.runlist(random.nextInt(128), channel.id, channel.id);
            case 3 -> gpu.write(Pfifo.ENGINE_FREEZE, random.nextInt());
            case 4 -> gpu.write(Pfifo.ENGINE_FREEZE, 0);
            case 5 -> gpu.fifo.invalidateTlb(0, random.nextInt());
            case 6 -> gpu.fifo.resetEngines(random.nextInt() & ~(1 << 8));
            case 7 -> gpu.write(Pfifo.FAULT_INJECT.at(random.nextInt(6)), random.nextInt());
            case 8 -> mapOrUnmap(gpu, random);
            case 9 -> gpu.write(Pfifo.CHANNEL.at(random.nextInt(128)), random.nextInt());
            case 10 -> gpu.write(Pfifo.RUNLIST, random.nextInt());
            case 11 -> gpu.write(0x2000 + (random.nextInt(0x2000) & -4), random.nextInt());
            default -> acknowledge(gpu);
        }
    }

    private static void mapOrUnmap(TestGpu gpu, Random random) {
        gpu.fifo.unmapDma(0, 1L << 40);
        if (random.nextBoolean()) {
            MemFd file = gpu.file(PIECE);
            DmaMapping mapping = new DmaMapping(file.descriptor(), 0, PIECE, IOVA, true);
            gpu.fifo.mapDma(mapping);
            if (random.nextInt(3) == 0) {
                file.resize(4096);
            }
        }
    }

    private static void acknowledge(TestGpu gpu) {
        for (int i = 0; i < Pbdma.COUNT; i++) {
            gpu.write(Pbdma.INTR.at(i), -1);
        }
        gpu.graphTrap.acknowledge(-1);
        gpu.copyTrap.acknowledge(-1);
        gpu.write(Pfifo.VM_FAULT_SOURCE, -1);
        gpu.write(Pfifo.INTR, -1);
    }

    private static void recover(TestGpu gpu, TestChannel[] channels) {
        acknowledge(gpu);
        gpu.write(Pfifo.ENGINE_FREEZE, -1);
        for (int id = 0; id < Pfifo.CHANNELS; id++) {
            gpu.write(Pfifo.CHANNEL_STATE.at(id), 0);
            gpu.write(Pfifo.CHANNEL.at(id), 0);
        }
        gpu.fifo.resetEngines(~(1 << 8));
        gpu.write(Pfifo.ENGINE_FREEZE, 0);
        acknowledge(gpu);
        gpu.run();
        for (int engine = 0; engine < 6; engine++) {
            assertEquals(0, gpu.read(Pfifo.ENGINE_STATUS.at(engine)));
        }
        TestChannel next = TestChannel.running(gpu, channels.length);
        next.submit(new GpuProgram().reference(42));
        gpu.run();
        assertEquals(42, next.userd.refCount());
    }
}
