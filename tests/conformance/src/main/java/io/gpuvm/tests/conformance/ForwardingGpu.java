package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.device.PciIdentity;
import java.util.List;

/// GPU that forwards to another GPU, for subclasses that change part of its behaviour. Subclasses
/// define [#close()].
abstract class ForwardingGpu implements GpuDevice {
    /// GPU to which calls are forwarded.
    final GpuDevice gpu;

    ForwardingGpu(GpuDevice gpu) {
        this.gpu = gpu;
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
        return gpu.read(bar, offset, width);
    }

    @Override
    public void write(Bar bar, long offset, int width, long value) {
        gpu.write(bar, offset, width, value);
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
}
