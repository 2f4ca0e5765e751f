package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.driver.BarSpaces;
import io.gpuvm.trap.vgpu.MappableBars;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// GPU from the guest's side: a virtual GPU, or a GPU that is passed through. The guest writes the
/// BARs' page tables, which are in its own memory, and reaches VRAM only through the BARs. Its VMM
/// maps all parts of the BARs that can be mapped, but accesses through this object are always
/// trapped.
///
/// The guest connects when this object is created, and disconnects when it is closed. The GPU
/// remains.
final class GuestGpu extends ForwardingGpu {
    /// Length of the memory for the BARs' page tables, at the end of the guest's memory.
    private static final long TABLE_BYTES = 16 * Bench.MIB;

    private final MappableBars mappable;
    private final IovaRange free;
    private final List<DmaBuffer> tables = new ArrayList<>();
    private final BarSpaces bars;
    private boolean closed;

    GuestGpu(GpuDevice gpu, MappableBars mappable) {
        super(gpu);
        this.mappable = mappable;
        mappable.open();
        IovaRange all = gpu.iovaRanges().getFirst();
        long tablesStart = all.last() + 1 - TABLE_BYTES;
        free = new IovaRange(all.first(), tablesStart - 1);
        bars = new BarSpaces(this, new IovaRange(tablesStart, all.last()), this::allocateTables);
    }

    private MemorySegment allocateTables(String name, long iova, long bytes) {
        DmaBuffer memory = DmaBuffer.create(bytes);
        tables.add(memory);
        gpu.mapDma(memory.at(iova));
        return memory.segment();
    }

    /// Opens a slice of a BAR, whose page-table entries the guest writes.
    BarSlice openSlice(Bar bar, long bytes) {
        return bars.open(bar, bytes);
    }

    @Override
    public List<IovaRange> iovaRanges() {
        return List.of(free);
    }

    @Override
    public void mapDma(DmaMapping mapping) {
        if (mapping.iova() + mapping.bytes() - 1 > free.last() && mapping.iova() <= free.last()) {
            throw new GpuDeviceException("iova=%#x, limit=%s".formatted(mapping.iova(), free));
        }
        gpu.mapDma(mapping);
    }

    @Override
    public void unmapDma(long iova, long bytes) {
        if (Long.compareUnsigned(iova, free.last()) <= 0) {
            long most = free.last() + 1 - iova;
            gpu.unmapDma(iova, Long.compareUnsigned(bytes, most) < 0 ? bytes : most);
        }
    }

    @Override
    public void reset() {
        gpu.reset();
        bars.rebind();
    }

    /// Disconnects the guest, as the server of its PCI function does.
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            gpu.reset();
            mappable.close();
            gpu.disconnectInterrupt();
            gpu.unmaskInterrupt();
            IovaRange all = gpu.iovaRanges().getFirst();
            gpu.unmapDma(all.first(), all.last() - all.first() + 1);
            tables.forEach(DmaBuffer::close);
        }
    }
}
