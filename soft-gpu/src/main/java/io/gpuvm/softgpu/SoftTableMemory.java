package io.gpuvm.softgpu;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.driver.BarSpaces;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.Seal;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;

/// Host memory for the page tables of the GPU's BARs, accessed by the GPU.
///
/// Confined to the register thread.
final class SoftTableMemory implements BarSpaces.TableMemory, AutoCloseable {
    /// Size of the address range, in bytes: more than the tables of both BARs need, and a small
    /// part of the 40-bit address space.
    private static final long BYTES = 1L << 28;

    private static final long END = 1L << TableGeometry.VA_BITS;

    /// Bus addresses of this memory. A guest may map addresses in this range that no table occupies
    /// yet.
    static final IovaRange RANGE = new IovaRange(END - BYTES, END - 1);

    private final Consumer<DmaMapping> map;
    private final List<MappedMemory> pieces = new ArrayList<>();

    /// @param map maps memory for the GPU
    SoftTableMemory(Consumer<DmaMapping> map) {
        this.map = map;
    }

    @Override
    public MemorySegment allocate(String name, long iova, long bytes) {
        try (MemFd file = MemFd.create(name, bytes)) {
            file.seal(EnumSet.of(Seal.SHRINK, Seal.GROW, Seal.SEAL));
            // The mapping is refused if a guest already uses these addresses.
            map.accept(new DmaMapping(file.descriptor(), 0, bytes, iova, true));
            MappedMemory mapping =
                    MappedMemory.map(file.descriptor(), 0, bytes, MappedMemory.Access.READ_WRITE);
            pieces.add(mapping);
            return mapping.segment();
        }
    }

    @Override
    public void close() {
        pieces.forEach(MappedMemory::close);
        pieces.clear();
    }
}
