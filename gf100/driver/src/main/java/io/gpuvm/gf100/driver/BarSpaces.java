package io.gpuvm.gf100.driver;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.IovaRange;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;

/// BAR1 and BAR3 of a GPU, allocated in slices. A BAR's tables are created with its first slice,
/// because a GPU whose BARs belong to a guest needs no tables.
///
/// Confined to the owner's thread.
public final class BarSpaces {
    /// Allocator of memory for tables.
    public interface TableMemory {
        /// Allocates zeroed host memory that the GPU can access.
        ///
        /// @param name name of the memory for diagnostics
        /// @param iova bus address of the memory
        MemorySegment allocate(String name, long iova, long bytes);
    }

    private final GpuDevice gpu;
    private final IovaRange reserved;
    private final TableMemory memory;
    private final Map<Bar, BarSpace> byBar = new EnumMap<>(Bar.class);
    private long nextIova;

    /// @param reserved bus addresses reserved for tables
    public BarSpaces(GpuDevice gpu, IovaRange reserved, TableMemory memory) {
        this.gpu = gpu;
        this.reserved = reserved;
        this.memory = memory;
        this.nextIova = reserved.first();
    }

    /// Allocates a slice; see [PhysicalGpu#openSlice].
    public BarSlice open(Bar bar, long bytes) {
        if (bar != Bar.BAR1 && bar != Bar.BAR3) {
            throw new IllegalArgumentException("bar=%s, expected BAR1 or BAR3".formatted(bar));
        }
        return byBar.computeIfAbsent(bar, this::create).open(bytes);
    }

    /// Returns the end of the bus addresses that tables use; the start of [#reserved] if there are
    /// no tables.
    public long usedEnd() {
        return nextIova;
    }

    /// Restores the translation of the BARs after a reset.
    public void rebind() {
        byBar.values().forEach(BarSpace::bind);
    }

    private BarSpace create(Bar bar) {
        long barBytes = gpu.identity().bytesOf(bar);
        long bytes = BarSpace.tableBytes(barBytes);
        long iova = nextIova;
        if (!reserved.contains(iova, bytes)) {
            throw new GpuDeviceException(
                    "%s tables: bytes=%#x, iova=%#x, expected a range within %s"
                            .formatted(bar, bytes, iova, reserved));
        }
        MemorySegment tables = memory.allocate("gpuvm-" + bar, iova, bytes);
        nextIova += bytes;
        BarSpace space = new BarSpace(bar, barBytes, tables, iova, new RegisterPort(gpu));
        space.bind();
        return space;
    }
}
