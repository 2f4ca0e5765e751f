package io.gpuvm.softgpu;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.owner.BarSpace;
import io.gpuvm.gf100.owner.RegisterPort;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.Seal;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

/// The page tables of BARs that are handed out in slices. They are in host memory at the upper end
/// of what the GPU can address, and come into being with the first slice: a GPU that belongs to one
/// guest has all addresses for that guest.
///
/// Confined to the register thread.
final class OwnTables implements AutoCloseable {
    /// More than the tables of both BARs take, and a small part of 40 bits.
    private static final long RESERVED_BYTES = 1L << 28;

    /// Where the addresses that the GPU needs for itself begin.
    static final long FIRST_IOVA = (1L << TableGeometry.VA_BITS) - RESERVED_BYTES;

    private record Tables(MemFd file, MappedMemory mapping, BarSpace space) {}

    /// Does something with a range of bus addresses.
    interface RangeAction {
        void accept(long iova, long bytes);
    }

    private final GpuDevice gpu;
    private final Map<Bar, Tables> byBar = new EnumMap<>(Bar.class);
    private long nextIova = FIRST_IOVA;

    OwnTables(GpuDevice gpu) {
        this.gpu = gpu;
    }

    BarSlice open(Bar bar, long bytes) {
        if (bar != Bar.BAR1 && bar != Bar.BAR3) {
            throw new IllegalArgumentException("slice of %s, limit=BAR1, BAR3".formatted(bar));
        }
        return byBar.computeIfAbsent(bar, this::create).space.open(bytes);
    }

    /// Applies an action to a range, leaving out the addresses of the tables.
    void around(long iova, long bytes, RangeAction action) {
        long last = iova + bytes - 1;
        boolean touches =
                !byBar.isEmpty()
                        && bytes != 0
                        && Long.compareUnsigned(iova, nextIova) < 0
                        && Long.compareUnsigned(last, FIRST_IOVA) >= 0;
        if (!touches) {
            action.accept(iova, bytes);
            return;
        }
        if (Long.compareUnsigned(iova, FIRST_IOVA) < 0) {
            action.accept(iova, FIRST_IOVA - iova);
        }
        if (Long.compareUnsigned(last, nextIova) >= 0) {
            action.accept(nextIova, last - nextIova + 1);
        }
    }

    /// Makes the BARs translate again after a reset.
    void rebind() {
        byBar.values().forEach(tables -> tables.space.bind());
    }

    @Override
    public void close() {
        byBar.values()
                .forEach(tables -> {
                    tables.mapping.close();
                    tables.file.close();
                });
        byBar.clear();
    }

    private Tables create(Bar bar) {
        long barBytes = gpu.identity().bytesOf(bar);
        long bytes = BarSpace.tableBytes(barBytes);
        long iova = nextIova;
        MemFd file = MemFd.create("gpuvm-" + bar, bytes);
        file.seal(EnumSet.of(Seal.SHRINK, Seal.GROW, Seal.SEAL));
        gpu.mapDma(new DmaMapping(file.descriptor(), 0, bytes, iova, true));
        nextIova += bytes;
        MappedMemory mapping =
                MappedMemory.map(file.descriptor(), 0, bytes, MappedMemory.Access.READ_WRITE);
        BarSpace space =
                new BarSpace(bar, barBytes, mapping.segment(), iova, new RegisterPort(gpu));
        space.bind();
        return new Tables(file, mapping, space);
    }
}
