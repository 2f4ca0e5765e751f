package io.gpuvm.vfio;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MappedMemory.Access;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Access to one region: by load and store in the parts that the kernel permits mapping, by pread
/// and pwrite elsewhere.
///
/// A mapped access is one instruction of the requested width, in the order of the calls: it is
/// volatile, so that the compiler neither merges, repeats nor moves it, and the processor's rules
/// for device memory preserve the order.
///
/// The kernel unmaps the memory of a device that is off or asleep. A thread that then accesses it
/// receives SIGBUS, which the JVM reports as an [InternalError]; compiled code may throw it
/// slightly later, in a caller. Therefore the top-level loops of threads catch it, not this class.
///
/// Confined to the owner's thread.
final class RegionAccess implements AutoCloseable {
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
    private static final VarHandle SHORT = ValueLayout.JAVA_SHORT.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private record Mapped(VfioRegion.Area area, MappedMemory memory) {}

    private final KernelFile device;
    private final VfioRegion region;
    private final List<Mapped> mapped;

    RegionAccess(KernelFile device, VfioRegion region) {
        this.device = device;
        this.region = region;
        this.mapped = mapAll(device, region);
    }

    private static List<Mapped> mapAll(KernelFile device, VfioRegion region) {
        List<Mapped> parts = new ArrayList<>();
        try {
            for (VfioRegion.Area area : region.mappable()) {
                long offset = region.fileOffset() + area.offset();
                parts.add(
                        new Mapped(
                                area,
                                MappedMemory.map(
                                        device.descriptor(),
                                        offset,
                                        area.bytes(),
                                        Access.READ_WRITE)));
            }
            return List.copyOf(parts);
        } catch (LinuxException e) {
            parts.forEach(part -> part.memory.close());
            throw new GpuDeviceException(
                    "%s: region=%d: %s".formatted(device.name(), region.index(), e.getMessage()),
                    e);
        }
    }

    VfioRegion region() {
        return region;
    }

    /// Returns a mapped part of the region.
    ///
    /// @return the memory, null if that part cannot be mapped as a whole
    MemorySegment memory(long offset, long bytes) {
        for (Mapped part : mapped) {
            if (part.area.contains(offset, bytes)) {
                return part.memory.segment().asSlice(offset - part.area.offset(), bytes);
            }
        }
        return null;
    }

    long read(long offset, int width) {
        Objects.checkFromIndexSize(offset, width, region.bytes());
        for (int i = 0; i < mapped.size(); i++) {
            Mapped part = mapped.get(i);
            if (part.area.contains(offset, width)) {
                return load(part.memory.segment(), offset - part.area.offset(), width);
            }
        }
        return device.read(region.fileOffset() + offset, width);
    }

    void write(long offset, int width, long value) {
        Objects.checkFromIndexSize(offset, width, region.bytes());
        for (int i = 0; i < mapped.size(); i++) {
            Mapped part = mapped.get(i);
            if (part.area.contains(offset, width)) {
                store(part.memory.segment(), offset - part.area.offset(), width, value);
                return;
            }
        }
        device.write(region.fileOffset() + offset, width, value);
    }

    private static long load(MemorySegment memory, long offset, int width) {
        return switch (width) {
            case Byte.BYTES -> Byte.toUnsignedLong((byte) BYTE.getVolatile(memory, offset));
            case Short.BYTES -> Short.toUnsignedLong((short) SHORT.getVolatile(memory, offset));
            case Integer.BYTES -> Integer.toUnsignedLong((int) INT.getVolatile(memory, offset));
            case Long.BYTES -> (long) LONG.getVolatile(memory, offset);
            default -> throw badWidth(width);
        };
    }

    private static void store(MemorySegment memory, long offset, int width, long value) {
        switch (width) {
            case Byte.BYTES -> BYTE.setVolatile(memory, offset, (byte) value);
            case Short.BYTES -> SHORT.setVolatile(memory, offset, (short) value);
            case Integer.BYTES -> INT.setVolatile(memory, offset, (int) value);
            case Long.BYTES -> LONG.setVolatile(memory, offset, value);
            default -> throw badWidth(width);
        }
    }

    private static IllegalArgumentException badWidth(int width) {
        return new IllegalArgumentException(
                "width=%d, expected one of 1, 2, 4, 8".formatted(width));
    }

    @Override
    public void close() {
        mapped.forEach(part -> part.memory.close());
    }
}
