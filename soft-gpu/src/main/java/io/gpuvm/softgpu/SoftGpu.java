package io.gpuvm.softgpu;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.Exported;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.unit.UndeclaredAccesses;
import io.gpuvm.softgpu.engine.WorkCounters;
import java.util.Map;
import java.util.Optional;

/// A GF100 in software.
public final class SoftGpu implements GpuDevice {
    private final SoftGpuConfig config;
    private final UndeclaredAccesses undeclared = new UndeclaredAccesses(_ -> {});
    private final SoftGpuCounters counters = new SoftGpuCounters(new WorkCounters(), () -> 0);

    public SoftGpu(SoftGpuConfig config) {
        this.config = config;
    }

    public int doWork() {
        return 0;
    }

    public boolean prepareToPark() {
        return true;
    }

    public long nanosUntilWork() {
        return Long.MAX_VALUE;
    }

    public void onWork(Runnable wake) {}

    public UndeclaredAccesses undeclared() {
        return undeclared;
    }

    public SoftGpuCounters counters() {
        return counters;
    }

    @Override
    public PciIdentity identity() {
        return new PciIdentity(0, 0, 0, 0, 0, 0, Map.of());
    }

    @Override
    public long vramBytes() {
        return config.vramBytes();
    }

    @Override
    public long read(Bar bar, long offset, int width) {
        return 0;
    }

    @Override
    public void write(Bar bar, long offset, int width, long value) {}

    @Override
    public VramWindow openWindow(long bytes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Exported> export(Bar bar, long offset, long bytes) {
        return Optional.empty();
    }

    @Override
    public void mapDma(DmaMapping mapping) {}

    @Override
    public void unmapDma(long iova, long bytes) {}

    @Override
    public void connectInterrupt(InterruptKind kind, int eventDescriptor) {}

    @Override
    public void disconnectInterrupt() {}

    @Override
    public void maskInterrupt() {}

    @Override
    public void unmaskInterrupt() {}

    @Override
    public void reset() {}

    @Override
    public void close() {}
}
