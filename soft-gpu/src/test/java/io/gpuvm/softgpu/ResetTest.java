package io.gpuvm.softgpu;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.fifo.RunlistEntry;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pcopy;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pgraph;
import io.gpuvm.gf100.reg.Ptimer;
import io.gpuvm.gf100.reg.RegisterMap;
import io.gpuvm.softgpu.fifo.GpuProgram;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests that a reset separates two successive guests of one GPU: no state of the first guest may
/// remain.
class ResetTest {
    private static final int WORD = Integer.BYTES;
    private static final long PAGE = 4096;
    private static final long INSTANCES = 0x1_0000;
    private static final long DIRECTORY = 0x2_0000;
    private static final long TABLE = 0x4_0000;
    private static final long RUNLIST = 0xf_0000;
    private static final long USERDS = 0x10_0000;
    private static final long RINGS = 0x11_0000;
    private static final long PROGRAMS = 0x12_0000;
    private static final long MAPPED_BYTES = 0x20_0000;
    private static final long NOWHERE = 0xfe_dcba_9000L;

    private final SoftGpu gpu = create();
    private final VramWindow vram = gpu.openWindow(MAPPED_BYTES);
    private int channels;

    private static SoftGpu create() {
        return new SoftGpu(SoftGpuConfig.parse("vram=64M"), () -> 1_000_000);
    }

    @Test
    void givenWorkFaultsAndErrors_whenReset_thenRegistersHaveValuesOfNewGpu() {
        makeTrouble();
        gpu.reset();
        assertAsNew("after faults");

        makeTrouble();
        for (int offset : RegisterMap.gf100().definedOffsets()) {
            gpu.write(Bar.BAR0, offset, WORD, 0x5a5a_5a5aL);
        }
        gpu.reset();
        assertAsNew("after faults and writes");
        vram.close();
        gpu.close();
    }

    private void assertAsNew(String when) {
        try (SoftGpu fresh = create()) {
            List<String> different = new ArrayList<>();
            for (int offset : RegisterMap.gf100().definedOffsets()) {
                long found = gpu.read(Bar.BAR0, offset, WORD);
                long expected = fresh.read(Bar.BAR0, offset, WORD);
                if (found != expected) {
                    String name = RegisterMap.gf100().nameOf(offset);
                    different.add("%s=%#x, new=%#x".formatted(name, found, expected));
                }
            }
            assertEquals(List.of(), different, when);
        }
        assertEquals(0xffff_ffffL, gpu.read(Bar.BAR1, 0, WORD), when);
        assertEquals(0xffff_ffffL, gpu.read(Bar.BAR3, 0, WORD), when);
    }

    private void makeTrouble() {
        channels = 0;
        vram.point(0);
        vram.memory()
                .set(
                        JAVA_LONG,
                        DIRECTORY,
                        PageDirectoryEntry.withSmallTable(0, MemoryTarget.VRAM, TABLE));
        for (long page = 0; page < MAPPED_BYTES / PAGE; page++) {
            long entry = PageTableEntry.of(MemoryTarget.VRAM, page * PAGE);
            vram.memory().set(JAVA_LONG, TABLE + page * PageTableEntry.BYTES, entry);
        }
        write(Ptimer.ALARM.offset(), 1_000_000);
        channel(new GpuProgram().methods(3, ChannelClass.SET_OBJECT, 0x9197));
        channel(new GpuProgram().bind(1, ClassId.COPY0).methods(1, 0x2fc, 0x55));
        channel(new GpuProgram().bind(1, ClassId.COPY1).methods(1, 0x2fc, 0x66));
        channel(new GpuProgram().release(NOWHERE, 1, true));
        channel(new GpuProgram().methods(2, 0x500, 7).interrupt());
        write(Pfifo.RUNLIST.offset(), (int) (RUNLIST / PAGE));
        write(Pfifo.RUNLIST_LENGTH.offset(), channels);
        while (gpu.doWork() > 0) {
            Thread.onSpinWait();
        }
        write(Pbus.BAR1.offset(), 1 << 31 | (int) (INSTANCES / PAGE));
        write(Pbus.BAR3.offset(), 1 << 31 | (int) (INSTANCES / PAGE));
        gpu.read(Bar.BAR1, 0, WORD);
        gpu.read(Bar.BAR1, MAPPED_BYTES, WORD);
        gpu.read(Bar.BAR3, MAPPED_BYTES, WORD);
        assertNotEquals(0, gpu.read(Bar.BAR0, Pfifo.VM_FAULT_SOURCE.offset(), WORD));
        assertNotEquals(0, gpu.read(Bar.BAR0, Pgraph.INTR.offset(), WORD));
        assertNotEquals(0, gpu.read(Bar.BAR0, Pcopy.FALCON_0.intr().offset(), WORD));
        assertNotEquals(0, gpu.read(Bar.BAR0, Pcopy.FALCON_1.intr().offset(), WORD));
        assertNotEquals(0, gpu.read(Bar.BAR0, Pbdma.INTR.at(0), WORD));
    }

    private void channel(GpuProgram program) {
        int id = channels++;
        long instance = INSTANCES + id * PAGE;
        long userd = USERDS + id * PAGE;
        long ring = RINGS + id * PAGE;
        long start = PROGRAMS + id * PAGE;
        int[] words = program.toArray();
        for (int i = 0; i < words.length; i++) {
            vram.memory().set(JAVA_INT, start + (long) i * WORD, words[i]);
        }
        new InstanceBlock()
                .wrap(vram.memory(), instance)
                .directory(MemoryTarget.VRAM, DIRECTORY)
                .limit((1L << 40) - 1);
        new Ramfc().wrap(vram.memory(), instance).initialize(MemoryTarget.VRAM, userd, ring, 6);
        new Userd().wrap(vram.memory(), userd).ibPut(1);
        vram.memory().set(JAVA_LONG, ring, GpfifoEntry.of(start, words.length));
        long slot = RUNLIST + (long) id * RunlistEntry.BYTES;
        vram.memory().set(JAVA_LONG, slot, RunlistEntry.of(id));
        write(Pfifo.CHANNEL.at(id), 0xc000_0000 | (int) (instance / PAGE));
        write(Pfifo.CHANNEL_STATE.at(id), 0x001f_0001);
    }

    private void write(int offset, int value) {
        gpu.write(Bar.BAR0, offset, WORD, Integer.toUnsignedLong(value));
    }
}
