package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.linux.EventFd;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// GPU that records calls. The value of a read depends only on BAR and width, except for the
/// interrupt registers. The interrupt behaves as the port requires: INTx is masked when it signals,
/// and signals again if it is unmasked while its level is asserted.
final class RecordingGpu implements GpuDevice {
    private static final long MIB = 1 << 20;
    private static final int NONE = -1;

    private final List<String> calls = new ArrayList<>();
    private InterruptKind kind;
    private int event = NONE;
    private boolean masked;
    private boolean level;
    private boolean connectionsFail;

    /// Returns the calls since the last call of this method.
    List<String> takeCalls() {
        List<String> taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }

    /// Raises or lowers the interrupt.
    void level(boolean raised) {
        level = raised;
        signal();
    }

    private void signal() {
        if (!level || event == NONE || kind == InterruptKind.INTX && masked) {
            return;
        }
        masked = kind == InterruptKind.INTX;
        EventFd.signal(event);
    }

    @Override
    public PciIdentity identity() {
        return new PciIdentity(
                0x10de,
                0x06d8,
                0xa3,
                0x030000,
                0x10de,
                0x076f,
                Map.of(
                        Bar.BAR0, 16 * MIB,
                        Bar.BAR1, 128 * MIB,
                        Bar.BAR3, 64 * MIB,
                        Bar.BAR5, 128L,
                        Bar.ROM, 0x10000L));
    }

    @Override
    public long vramBytes() {
        return 512 * MIB;
    }

    @Override
    public long read(Bar bar, long offset, int width) {
        if (bar == Bar.BAR0 && offset == Pmc.INTR_HOST.offset()) {
            return level ? Pmc.INTR_PFIFO.mask() : 0;
        }
        if (bar == Bar.BAR0 && offset == Pmc.INTR_MASK_HOST.offset()) {
            return Pmc.INTR_PFIFO.mask();
        }
        return (bar.index() + 1) * 0x0101_0101_0101_0101L & -1L >>> 64 - 8 * width;
    }

    @Override
    public void write(Bar bar, long offset, int width, long value) {
        calls.add("write %s %x %d %x".formatted(bar, offset, width, value));
    }

    /// Sets whether connections of interrupts fail.
    void failConnections(boolean fail) {
        connectionsFail = fail;
    }

    @Override
    public List<IovaRange> iovaRanges() {
        return List.of(new IovaRange(0, Long.MAX_VALUE));
    }

    @Override
    public void mapDma(DmaMapping mapping) {
        calls.add("map %x+%x".formatted(mapping.iova(), mapping.bytes()));
    }

    @Override
    public void unmapDma(long iova, long bytes) {
        calls.add("unmap %x+%x".formatted(iova, bytes));
    }

    @Override
    public void connectInterrupt(InterruptKind newKind, int eventDescriptor) {
        calls.add("connect " + newKind);
        if (connectionsFail) {
            throw new GpuDeviceException("made up");
        }
        kind = newKind;
        event = eventDescriptor;
        signal();
    }

    @Override
    public void disconnectInterrupt() {
        calls.add("disconnect");
        event = NONE;
    }

    @Override
    public void maskInterrupt() {
        calls.add("mask");
        masked = true;
    }

    @Override
    public void unmaskInterrupt() {
        calls.add("unmask");
        masked = false;
        signal();
    }

    @Override
    public void reset() {
        calls.add("reset");
        level = false;
    }

    @Override
    public void close() {
        calls.add("close");
    }
}
