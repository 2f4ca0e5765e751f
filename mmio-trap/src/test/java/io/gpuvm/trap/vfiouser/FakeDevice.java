package io.gpuvm.trap.vfiouser;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.DmaRefusals;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.FileStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Device with regions of plain memory that records the server's calls.
final class FakeDevice implements VfioUserDevice {
    static final int BAR0_BYTES = 4096;
    static final int BAR2_BYTES = 0x8000;
    static final int ROM_BYTES = 0x10000;
    static final int CONFIG_BYTES = 4096;
    static final int VECTORS = 24;

    private static final long PAGE_BYTES = 4096;

    private static final int COMMAND = 4;
    private static final int MASTER = 4;

    private final Region[] regions = new Region[RegionTable.COUNT];
    private final ByteBuffer[] memory = new ByteBuffer[RegionTable.COUNT];
    private final Map<String, Integer> events = new HashMap<>();
    private final List<String> calls = new ArrayList<>();

    /// Memory that a guest page maps, by address of the page.
    private final Map<Long, String> pages = new HashMap<>();

    /// Number of mappings, or of ranges to be unmapped, by call.
    private final List<Integer> batches = new ArrayList<>();

    /// Address at which mappings fail.
    private long unusable = -1;

    private boolean mapFails;
    private boolean mapBreaks;
    private boolean unmapBreaks;
    private boolean readFails;

    /// Number of vectors that are connected before a connection fails.
    private int connections = Integer.MAX_VALUE;

    FakeDevice() {
        Arrays.fill(regions, Region.ABSENT);
        region(0, Region.trapped(BAR0_BYTES, true));
        region(6, Region.trapped(ROM_BYTES, false));
        region(7, Region.trapped(CONFIG_BYTES, true));
    }

    /// Replaces a region. Must be called before the server is created.
    FakeDevice region(int index, Region region) {
        regions[index] = region;
        memory[index] =
                ByteBuffer.allocate((int) Math.min(region.bytes(), 1 << 21))
                        .order(ByteOrder.LITTLE_ENDIAN);
        return this;
    }

    /// Returns the calls since the last call of this method, without reads and writes.
    List<String> takeCalls() {
        List<String> taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }

    ByteBuffer memory(int region) {
        return memory[region];
    }

    void failMappings(boolean fail) {
        mapFails = fail;
    }

    /// Makes mappings at one address fail.
    void failMappings(long iova) {
        unusable = iova;
    }

    /// Makes mappings fail with an internal error of the device.
    void breakMappings() {
        mapBreaks = true;
    }

    /// Sets whether unmappings fail with an internal error of the device.
    void breakUnmappings(boolean fail) {
        unmapBreaks = fail;
    }

    /// Sets the number of additional vectors that are connected before a connection fails.
    void failConnections(int after) {
        connections = after;
    }

    void failReads(boolean fail) {
        readFails = fail;
    }

    /// Signals a vector as the device would.
    boolean signal(Irq irq, int vector) {
        Integer event = events.get(irq + " " + vector);
        return event != null && EventFd.signal(event);
    }

    @Override
    public Region region(int index) {
        return regions[index];
    }

    @Override
    public long read(int region, long offset, int width) {
        if (readFails) {
            throw new IllegalStateException("broken device");
        }
        ByteBuffer bytes = memory[region];
        int at = (int) offset;
        return switch (width) {
            case 1 -> Byte.toUnsignedLong(bytes.get(at));
            case 2 -> Short.toUnsignedLong(bytes.getShort(at));
            case 4 -> Integer.toUnsignedLong(bytes.getInt(at));
            default -> bytes.getLong(at);
        };
    }

    @Override
    public void write(int region, long offset, int width, long value) {
        ByteBuffer bytes = memory[region];
        int at = (int) offset;
        switch (width) {
            case 1 -> bytes.put(at, (byte) value);
            case 2 -> bytes.putShort(at, (short) value);
            case 4 -> bytes.putInt(at, (int) value);
            default -> bytes.putLong(at, value);
        }
    }

    @Override
    public TrapRegion trapRegion(int region, long offset) {
        return switch (region) {
            case 0 -> TrapRegion.BAR0;
            case 6 -> TrapRegion.ROM;
            case 7 -> TrapRegion.CONFIG;
            default -> TrapRegion.BAR1;
        };
    }

    @Override
    public int vectors(Irq irq) {
        return switch (irq) {
            case MSI -> VECTORS;
            case MSIX -> 0;
            default -> 1;
        };
    }

    @Override
    public void connectInterrupt(Irq irq, int vector, int eventDescriptor) {
        if (connections-- == 0) {
            throw new IllegalStateException("no more vectors");
        }
        calls.add("connect " + irq + " " + vector);
        events.put(irq + " " + vector, eventDescriptor);
    }

    @Override
    public void disconnectInterrupt(Irq irq, int vector) {
        calls.add("disconnect " + irq + " " + vector);
        events.remove(irq + " " + vector);
    }

    @Override
    public void maskInterrupt() {
        calls.add("mask");
    }

    @Override
    public void unmaskInterrupt() {
        calls.add("unmask");
    }

    @Override
    public boolean busMaster() {
        return (memory[RegionTable.CONFIG].getShort(COMMAND) & MASTER) != 0;
    }

    @Override
    public boolean isOwnRange(long guestPhys, long bytes) {
        return false;
    }

    @Override
    public void mapDma(DmaMapping mapping) {
        calls.add(
                "map %x+%x from %x%s"
                        .formatted(
                                mapping.iova(),
                                mapping.bytes(),
                                mapping.offset(),
                                mapping.writable() ? " writable" : ""));
        if (mapBreaks) {
            throw new IllegalStateException("broken device");
        }
        if (mapFails || mapping.iova() == unusable) {
            throw new GpuDeviceException("memory is unusable");
        }
        FileStatus file = FileStatus.of(mapping.descriptor());
        for (long page = 0; page < mapping.bytes(); page += PAGE_BYTES) {
            String behind = behind(file, mapping.offset() + page, mapping.writable());
            assertNull(pages.put(mapping.iova() + page, behind), "mapped twice");
        }
    }

    /// Returns the guest memory that the device reaches, page by page.
    Map<Long, String> pages() {
        return pages;
    }

    /// Describes the memory that a page maps.
    static String behind(FileStatus file, long offset, boolean writable) {
        return "inode %d at %x%s".formatted(file.inode(), offset, writable ? " writable" : "");
    }

    @Override
    public void unmapDma(long iova, long bytes) {
        if (unmapBreaks) {
            throw new IllegalStateException("broken device");
        }
        calls.add("unmap %x+%x".formatted(iova, bytes));
        pages.keySet().removeIf(page -> Long.compareUnsigned(page - iova, bytes) < 0);
    }

    @Override
    public void mapDma(List<DmaMapping> mappings, DmaRefusals refusals) {
        batches.add(mappings.size());
        VfioUserDevice.super.mapDma(mappings, refusals);
    }

    @Override
    public void unmapDma(List<DmaRange> ranges) {
        batches.add(ranges.size());
        VfioUserDevice.super.unmapDma(ranges);
    }

    /// Returns the number of mappings or ranges in each list since the last call of this method.
    List<Integer> takeBatches() {
        List<Integer> taken = List.copyOf(batches);
        batches.clear();
        return taken;
    }

    @Override
    public void reset() {
        calls.add("reset");
        memory[RegionTable.CONFIG].putShort(COMMAND, (short) 0);
    }

    @Override
    public void disconnected() {
        calls.add("disconnected");
        memory[RegionTable.CONFIG].putShort(COMMAND, (short) 0);
    }
}
