package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Guest that writes random page tables: mostly valid entries, some entries that point outside the
/// guest's memory, and some random words. Collects addresses near the entries.
final class RandomTables {
    private static final MemoryTarget[] TARGETS = MemoryTarget.values();
    private static final int SPANS = 6;
    private static final int KINDS = 256;
    private static final int TAGS = 1 << 17;
    private static final int SIZES = 4;
    private static final int FILLS = 12;

    final List<Long> addresses = new ArrayList<>();

    private final Random random;
    private final TestGuest guest;
    private final TableGeometry geometry;

    RandomTables(Random random, TestGuest guest) {
        this.random = random;
        this.guest = guest;
        this.geometry = guest.mmu.geometry();
    }

    /// Returns the kind of memory for a directory.
    MemoryTarget directoryTarget() {
        return tableTarget();
    }

    /// Returns the address of a page in a kind of memory, rarely outside of the memory.
    long page(MemoryTarget target) {
        long bytes =
                target == MemoryTarget.VRAM
                        ? TestGuest.VRAM_BYTES
                        : TestGuest.RAM_START + TestGuest.RAM_BYTES;
        long limit = oneIn(12) ? 2 * bytes : bytes;
        return random.nextLong(limit) & -TestGuest.PAGE;
    }

    /// Makes a change as [#edit(MemoryTarget, long, int)] does, at a random index.
    void edit(MemoryTarget target, long directory) {
        edit(target, directory, directoryIndex());
    }

    /// Changes an entry of a directory or a part of its tables; sometimes changes another word
    /// instead.
    void edit(MemoryTarget target, long directory, int index) {
        long slot = directory + (long) index * PageDirectoryEntry.BYTES;
        switch (random.nextInt(8)) {
            case 0 -> write(target, slot, directoryEntry());
            case 1 -> write(target, slot, oneIn(3) ? random.nextLong() : 0);
            case 2 -> editBytes(target, slot);
            case 3 -> write(randomTarget(), page(randomTarget()), random.nextLong());
            default -> editTable(target, slot, index);
        }
    }

    /// Fills a directory and some of its tables.
    void populate(MemoryTarget target, long directory) {
        int spans = 1 + random.nextInt(4);
        for (int i = 0; i < spans; i++) {
            int index = directoryIndex();
            long slot = directory + (long) index * PageDirectoryEntry.BYTES;
            write(target, slot, oneIn(20) ? random.nextLong() : directoryEntry());
            for (int j = random.nextInt(12); j >= 0; j--) {
                editTable(target, slot, index);
            }
        }
        for (int i = 0; i < 8; i++) {
            addresses.add(random.nextLong(TableGeometry.VA_MASK + 1));
        }
    }

    private void editTable(MemoryTarget target, long slot, int index) {
        long pde = guest.word(target, slot);
        boolean small = random.nextBoolean();
        MemoryTarget tableTarget =
                small ? PageDirectoryEntry.smallTarget(pde) : PageDirectoryEntry.bigTarget(pde);
        if (tableTarget == null) {
            return;
        }
        long table = small ? PageDirectoryEntry.smallTable(pde) : PageDirectoryEntry.bigTable(pde);
        PageSize size = small ? PageSize.SMALL_4K : geometry.bigPage();
        // The entries are close together, so that small and big pages overlap.
        int pages = geometry.tableEntries(size);
        int near = Math.max(1, (int) ((1 << 21) / size.bytes()));
        int entry = oneIn(4) ? random.nextInt(pages) : random.nextInt(near);
        // The address is in the page or near it.
        int offset = random.nextInt(oneIn(4) ? 1 << 17 : (int) size.bytes());
        addresses.add(index * geometry.spanBytes() + entry * size.bytes() + offset);
        long at = table + (long) entry * PageTableEntry.BYTES;
        if (oneIn(8)) {
            editBytes(tableTarget, at);
        } else {
            write(tableTarget, at, oneIn(5) ? 0 : pageEntry(size));
        }
    }

    private void editBytes(MemoryTarget target, long address) {
        int width = 1 << random.nextInt(3);
        long at = address + (long) random.nextInt(Long.BYTES / width) * width;
        guest.write(target, at, width, random.nextLong());
    }

    private void write(MemoryTarget target, long address, long word) {
        if (target == MemoryTarget.VRAM && oneIn(8)) {
            guest.writeTrapped(address, Long.BYTES, word);
        } else {
            guest.word(target, address, word);
        }
    }

    /// Fills the tables of an entry of a directory.
    void populate(MemoryTarget target, long directory, int index) {
        long slot = directory + (long) index * PageDirectoryEntry.BYTES;
        write(target, slot, directoryEntry());
        for (int i = 0; i < FILLS; i++) {
            editTable(target, slot, index);
        }
    }

    private int directoryIndex() {
        return oneIn(8) ? geometry.directoryEntries() - 1 : random.nextInt(SPANS);
    }

    private long directoryEntry() {
        long entry = PageDirectoryEntry.EMPTY;
        if (!oneIn(4)) {
            MemoryTarget target = tableTarget();
            entry = PageDirectoryEntry.withSmallTable(entry, target, page(target));
        }
        if (!oneIn(4)) {
            MemoryTarget target = tableTarget();
            entry = PageDirectoryEntry.withBigTable(entry, target, page(target));
        }
        return oneIn(4) ? PageDirectoryEntry.withSizeShift(entry, random.nextInt(SIZES)) : entry;
    }

    private MemoryTarget tableTarget() {
        return oneIn(4) ? systemTarget() : MemoryTarget.VRAM;
    }

    private MemoryTarget systemTarget() {
        return oneIn(2) ? MemoryTarget.SYSTEM_COHERENT : MemoryTarget.SYSTEM_NONCOHERENT;
    }

    private MemoryTarget randomTarget() {
        return TARGETS[random.nextInt(TARGETS.length)];
    }

    private long pageEntry(PageSize size) {
        if (oneIn(16)) {
            return random.nextLong();
        }
        MemoryTarget target = oneIn(12) ? MemoryTarget.PEER : randomTarget();
        long page = page(target);
        long entry = PageTableEntry.of(target, oneIn(8) ? page : page & -size.bytes());
        entry = random.nextBoolean() ? PageTableEntry.readOnly(entry) : entry;
        entry = oneIn(8) ? PageTableEntry.privileged(entry) : entry;
        entry = PageTableEntry.withKind(entry, oneIn(2) ? 0 : random.nextInt(KINDS));
        return PageTableEntry.withCompressionTag(entry, oneIn(2) ? 0 : random.nextInt(TAGS));
    }

    private boolean oneIn(int many) {
        return random.nextInt(many) == 0;
    }
}
