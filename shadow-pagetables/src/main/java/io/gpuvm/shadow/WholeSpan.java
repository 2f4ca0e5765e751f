package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;

/// Span for a guest whose big pages have the same size as hardware's: each of the guest's tables
/// has a shadow with the same layout.
final class WholeSpan extends ShadowSpan {
    private static final TableGeometry GEOMETRY = VmArena.GEOMETRY;

    private final ArenaTable smallShadow;
    private final ArenaTable bigShadow;
    private final TablePair tables;
    private int sizeShift;

    WholeSpan(ShadowParts parts, ShadowSpace space) {
        smallShadow = new ArenaTable(parts, space, ArenaBlock.SMALL_TABLE);
        bigShadow = new ArenaTable(parts, space, ArenaBlock.BIG_TABLE);
        tables =
                new TablePair(
                        GEOMETRY,
                        GEOMETRY.spanBytes(),
                        slot(parts, smallShadow, PageSize.SMALL_4K),
                        slot(parts, bigShadow, GEOMETRY.bigPage()));
    }

    private static TableSlot slot(ShadowParts parts, ArenaTable shadow, PageSize size) {
        return new TableSlot(parts, shadow, new SamePages(shadow, parts.translation, size));
    }

    @Override
    boolean follow(int part, long guestEntry) {
        sizeShift = PageDirectoryEntry.sizeShift(guestEntry);
        return tables.follow(guestEntry);
    }

    @Override
    long directoryEntry() {
        long entry = PageDirectoryEntry.EMPTY;
        if (smallShadow.exists()) {
            long table = smallShadow.iova();
            entry = PageDirectoryEntry.withSmallTable(entry, VmArena.TARGET, table);
        }
        if (bigShadow.exists()) {
            entry = PageDirectoryEntry.withBigTable(entry, VmArena.TARGET, bigShadow.iova());
        }
        return entry == PageDirectoryEntry.EMPTY
                ? entry
                : PageDirectoryEntry.withSizeShift(entry, sizeShift);
    }

    @Override
    void readUnseen() {
        tables.readUnseen();
    }
}
