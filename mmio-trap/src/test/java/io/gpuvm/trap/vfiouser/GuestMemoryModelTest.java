package io.gpuvm.trap.vfiouser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.FileStatus;
import io.gpuvm.linux.MemFd;
import io.gpuvm.logging.LogLimit;
import io.gpuvm.tests.support.OpenDescriptors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Comparison of [DmaRegions] with a simple model: one map entry per page.
class GuestMemoryModelTest {
    private static final long PAGE = 4096;
    private static final int PAGES = 48;
    private static final int STEPS = 20_000;
    private static final String UNREACHABLE = "client only";

    private final FakeDevice device = new FakeDevice();
    private final DmaRegions memory = new DmaRegions(device, new TrapCounters(), LogLimit.once());
    private final Map<Long, String> announced = new HashMap<>();
    private boolean busMaster;

    @Test
    void givenRandomMapsAndUnmaps_whenSettled_thenDeviceReachesExactlyMappedMemory() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<MemFd> files =
                List.of(MemFd.create("a", PAGES * PAGE), MemFd.create("b", PAGES * PAGE));
        int descriptors = OpenDescriptors.count();
        for (int step = 0; step < STEPS; step++) {
            String where = "seed=" + seed + " step=" + step;
            switch (random.nextInt(16)) {
                case 0 -> busMaster(!busMaster);
                case 1 -> memory.settle();
                case 2 -> unmap(0, 1L << 40);
                case 3, 4, 5, 6, 7 ->
                        unmap(random.nextInt(PAGES) * PAGE, random.nextInt(1, 8) * PAGE);
                default -> map(random, files, where);
            }
            if (random.nextInt(4) == 0) {
                memory.settle();
                assertEquals(reachable(), device.pages(), where);
            }
            assertTrue(device.pages().entrySet().containsAll(reachable().entrySet()), where);
        }
        memory.clear();
        assertEquals(Map.of(), device.pages());
        assertEquals(descriptors, OpenDescriptors.count());
        files.forEach(MemFd::close);
    }

    @Test
    void givenUnsettledUnmaps_whenLimitIsReached_thenUnmapsAreSettled() {
        long pages = 4096;
        memory.onBusMaster(true);
        try (MemFd file = MemFd.create("a", pages * PAGE)) {
            map(0, pages * PAGE, 0, true, file);
            for (long page = 0; page < pages; page += 2) {
                memory.unmap(page * PAGE, page * PAGE + PAGE - 1);
            }
        }
        assertEquals(pages / 2, device.pages().size());
        memory.clear();
    }

    private void map(Random random, List<MemFd> files, String where) {
        long iova = random.nextInt(PAGES) * PAGE;
        long bytes = random.nextInt(1, 8) * PAGE;
        // The offset usually depends only on the address, as in QEMU, so that identical ranges
        // recur.
        long offset = random.nextInt(4) == 0 ? random.nextInt(PAGES - 8) * PAGE : iova / 2 & -PAGE;
        boolean writable = random.nextInt(8) != 0;
        MemFd file = random.nextInt(8) == 0 ? null : files.get(random.nextInt(2));
        Refusal refusal = map(iova, bytes, offset, writable, file);
        boolean overlaps = false;
        boolean same = true;
        for (long at = 0; at < bytes; at += PAGE) {
            String before = announced.get(iova + at);
            overlaps |= before != null;
            same &= behind(file, offset + at, writable).equals(before);
        }
        if (refusal != null) {
            assertEquals(Refusal.DMA_RANGE_OVERLAPS, refusal, where);
            assertTrue(overlaps, where);
            return;
        }
        assertTrue(!overlaps || same, where);
        for (long at = 0; at < bytes; at += PAGE) {
            announced.put(iova + at, behind(file, offset + at, writable));
        }
    }

    private Refusal map(long iova, long bytes, long offset, boolean writable, MemFd file) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(DmaMapBody.BYTES);
            DmaMapBody body =
                    new DmaMapBody()
                            .wrap(buffer, 0)
                            .flags(writable ? 3 : 1)
                            .fileOffset(offset)
                            .iova(iova)
                            .size(bytes);
            if (file == null) {
                return memory.map(body);
            }
            Descriptor descriptor = Descriptor.duplicate(file.descriptor());
            return memory.map(body, FileStatus.of(descriptor.number()), descriptor);
        }
    }

    private void unmap(long iova, long bytes) {
        memory.unmap(iova, iova + bytes - 1);
        announced.keySet().removeIf(page -> page >= iova && page < iova + bytes);
    }

    private void busMaster(boolean on) {
        busMaster = on;
        memory.onBusMaster(on);
    }

    private Map<Long, String> reachable() {
        Map<Long, String> pages = new HashMap<>();
        if (busMaster) {
            announced.forEach((page, behind) -> {
                if (!behind.startsWith(UNREACHABLE)) {
                    pages.put(page, behind);
                }
            });
        }
        return pages;
    }

    private static String behind(MemFd file, long offset, boolean writable) {
        return file == null
                ? UNREACHABLE + (writable ? " writable" : "")
                : FakeDevice.behind(FileStatus.of(file.descriptor()), offset, writable);
    }
}
