package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Model of a page walk, without shadows: walks the guest's tables for one address and translates
/// the final entry. Based only on the formats, without the classes that create the shadows.
final class NaiveWalk {
    private static final int PAGE_BITS = 12;
    private static final int ENTRY_BITS = 3;
    private static final long ADDRESS_FIELD = (1L << 28) - 1;
    private static final int ADDRESS_SHIFT = 4;

    /// Start of the small table's half in a directory entry.
    private static final int SMALL_HALF = 32;

    private final TestGuest guest;
    private final boolean bigPagesOf64KiB;
    private final MemoryTarget directoryTarget;
    private final long directory;
    private final WalkCoverage coverage;

    NaiveWalk(
            TestGuest guest,
            boolean bigPagesOf64KiB,
            MemoryTarget directoryTarget,
            long directory,
            WalkCoverage coverage) {
        this.guest = guest;
        this.bigPagesOf64KiB = bigPagesOf64KiB;
        this.directoryTarget = directoryTarget;
        this.directory = directory;
        this.coverage = coverage;
    }

    /// Returns the entry that hardware must find, with the physical address of the 4 KiB page; 0 if
    /// hardware must fault.
    long walk(long gpuVa) {
        int spanBits = bigPagesOf64KiB ? 26 : 27;
        int bigBits = bigPagesOf64KiB ? 16 : 17;
        long pde = read(directoryTarget, directory + (gpuVa >>> spanBits << ENTRY_BITS));
        long inSpan = gpuVa & (1L << spanBits) - 1;
        if (inSpan >= 1L << spanBits - (pde >>> 2 & 3)) {
            coverage.beyondASpan();
            return 0;
        }
        long small = inTable(pde >>> SMALL_HALF, inSpan, PAGE_BITS);
        return small != 0 ? small : inTable(pde, inSpan, bigBits);
    }

    /// @param half half of a directory entry, which may point to a table
    private long inTable(long half, long inSpan, int pageBits) {
        MemoryTarget target =
                switch ((int) (half & 3)) {
                    case 1 -> MemoryTarget.VRAM;
                    case 2 -> MemoryTarget.SYSTEM_COHERENT;
                    case 3 -> MemoryTarget.SYSTEM_NONCOHERENT;
                    default -> null;
                };
        if (target == null) {
            return 0;
        }
        long table = (half >>> ADDRESS_SHIFT & ADDRESS_FIELD) << PAGE_BITS;
        long pte = read(target, table + (inSpan >>> pageBits << ENTRY_BITS));
        if ((pte & 1) == 0) {
            return 0;
        }
        long page = (pte >>> ADDRESS_SHIFT & ADDRESS_FIELD) << PAGE_BITS;
        long end = page + (1L << pageBits);
        int aperture = (int) (pte >>> 33 & 3);
        long host = toHost(aperture, page, end);
        boolean big = pageBits != PAGE_BITS;
        if (host < 0 || page % (1L << pageBits) != 0) {
            coverage.refused(bigPagesOf64KiB, big);
            return 0;
        }
        coverage.found(bigPagesOf64KiB, big, directoryTarget, target, memory(aperture));
        host += inSpan & (1L << pageBits) - 1 & -TestGuest.PAGE;
        long others = pte & ~(ADDRESS_FIELD << ADDRESS_SHIFT);
        return others | host >>> PAGE_BITS << ADDRESS_SHIFT;
    }

    /// Returns the host's address of a page, negative if the page does not belong to the guest.
    private static long toHost(int aperture, long page, long end) {
        return switch (aperture) {
            case 0 -> end > TestGuest.VRAM_BYTES ? -1 : TestGuest.VRAM_SHARE.hostBase() + page;
            case 2, 3 ->
                    end > TestGuest.IOVA_SHARE.bytes() ? -1 : TestGuest.IOVA_SHARE.base() + page;
            default -> -1;
        };
    }

    private static MemoryTarget memory(int aperture) {
        return switch (aperture) {
            case 0 -> MemoryTarget.VRAM;
            case 2 -> MemoryTarget.SYSTEM_COHERENT;
            default -> MemoryTarget.SYSTEM_NONCOHERENT;
        };
    }

    /// Reads a word of the guest's memory; absent memory reads as 0.
    private long read(MemoryTarget target, long address) {
        boolean there =
                target == MemoryTarget.VRAM
                        ? address < TestGuest.VRAM_BYTES
                        : address >= TestGuest.RAM_START
                                && address < TestGuest.RAM_START + TestGuest.RAM_BYTES;
        return there ? guest.word(target, address) : 0;
    }
}
