package io.gpuvm.vfio;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.driver.BarSpaces;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Host memory for the page tables of the BARs, mapped for the device in addition to the owner's
/// mappings.
///
/// Confined to the owner's thread.
final class VfioTableMemory implements BarSpaces.TableMemory, AutoCloseable {
    private record Piece(MappedMemory memory, long iova, long bytes) {}

    private final Iommu iommu;
    private final List<Piece> pieces = new ArrayList<>();

    VfioTableMemory(Iommu iommu) {
        this.iommu = iommu;
    }

    @Override
    public MemorySegment allocate(String name, long iova, long bytes) {
        MappedMemory memory = memory(name, bytes);
        try {
            iommu.map(memory.segment().address(), iova, bytes, true);
        } catch (RuntimeException e) {
            memory.close();
            throw e;
        }
        pieces.add(new Piece(memory, iova, bytes));
        return memory.segment();
    }

    private static MappedMemory memory(String name, long bytes) {
        try (MemFd file = MemFd.create(name, bytes)) {
            return MappedMemory.map(file.descriptor(), 0, bytes, MappedMemory.Access.READ_WRITE);
        } catch (LinuxException e) {
            throw new GpuDeviceException(
                    "%s: table memory, bytes=%#x: %s".formatted(name, bytes, e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        for (Piece piece : pieces) {
            iommu.unmap(piece.iova, piece.bytes);
            piece.memory.close();
        }
        pieces.clear();
    }
}
