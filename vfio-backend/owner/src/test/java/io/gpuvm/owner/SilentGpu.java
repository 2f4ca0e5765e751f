package io.gpuvm.owner;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.Exported;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.PfifoFlush;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// GPU that can be made unresponsive. While it is, every wait for it times out immediately.
final class SilentGpu implements PhysicalGpu {
    private static final Set<Integer> WAITED_FOR =
            Set.of(
                    Pfifo.PREEMPT.offset(),
                    Pfifo.RUNLIST_LOADED_LENGTH.offset(),
                    PfifoFlush.FLUSH_CTRL.offset());

    private final PhysicalGpu gpu;
    private boolean silent;

    /// Number of waits that have timed out.
    int waits;

    SilentGpu(PhysicalGpu gpu) {
        this.gpu = gpu;
    }

    void silent(boolean now) {
        silent = now;
    }

    @Override
    public PciIdentity identity() {
        return gpu.identity();
    }

    @Override
    public long vramBytes() {
        return gpu.vramBytes();
    }

    @Override
    public long read(Bar bar, long offset, int width) {
        if (silent && bar == Bar.BAR0 && WAITED_FOR.contains((int) offset)) {
            waits++;
            throw new GpuDeviceException("no answer at %#x".formatted(offset));
        }
        return gpu.read(bar, offset, width);
    }

    @Override
    public void write(Bar bar, long offset, int width, long value) {
        gpu.write(bar, offset, width, value);
    }

    @Override
    public VramWindow openWindow(long bytes) {
        return gpu.openWindow(bytes);
    }

    @Override
    public BarSlice openSlice(Bar bar, long bytes) {
        return new Slice(gpu.openSlice(bar, bytes));
    }

    @Override
    public Optional<Exported> export(Bar bar, long offset, long bytes) {
        return gpu.export(bar, offset, bytes);
    }

    @Override
    public Optional<SharedWindow> openSharedWindow(long bytes) {
        return gpu.openSharedWindow(bytes);
    }

    @Override
    public KernelPosition takeKernelPosition(int channel) {
        return gpu.takeKernelPosition(channel);
    }

    /// Never calls its listener: the owner polls, as it does on a card.
    @Override
    public boolean onRest(Runnable listener) {
        return false;
    }

    @Override
    public List<IovaRange> iovaRanges() {
        return gpu.iovaRanges();
    }

    @Override
    public void mapDma(DmaMapping mapping) {
        gpu.mapDma(mapping);
    }

    @Override
    public void unmapDma(long iova, long bytes) {
        gpu.unmapDma(iova, bytes);
    }

    @Override
    public void connectInterrupt(InterruptKind kind, int eventDescriptor) {
        gpu.connectInterrupt(kind, eventDescriptor);
    }

    @Override
    public void disconnectInterrupt() {
        gpu.disconnectInterrupt();
    }

    @Override
    public void maskInterrupt() {
        gpu.maskInterrupt();
    }

    @Override
    public void unmaskInterrupt() {
        gpu.unmaskInterrupt();
    }

    @Override
    public void reset() {
        gpu.reset();
    }

    @Override
    public void close() {
        gpu.close();
    }

    private final class Slice implements BarSlice {
        private final BarSlice slice;

        Slice(BarSlice slice) {
            this.slice = slice;
        }

        @Override
        public Bar bar() {
            return slice.bar();
        }

        @Override
        public long offset() {
            return slice.offset();
        }

        @Override
        public long bytes() {
            return slice.bytes();
        }

        @Override
        public void set(int page, long entry) {
            slice.set(page, entry);
        }

        @Override
        public void flush() {
            if (silent) {
                waits++;
                throw new GpuDeviceException("no answer to a flush of doorbells");
            }
            slice.flush();
        }

        @Override
        public void close() {
            slice.close();
        }
    }
}
