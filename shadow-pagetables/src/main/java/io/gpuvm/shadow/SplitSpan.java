package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;

/// Span for a guest whose big pages have half the size of hardware's big pages: two entries of the
/// guest's directory, with two tables each, share one shadow table of small pages.
final class SplitSpan extends ShadowSpan {
    private static final TableGeometry GEOMETRY = TableGeometry.BIG_PAGES_64K;

    /// Number of guest directory entries per entry of the shadow.
    static final int HALVES = (int) (VmArena.GEOMETRY.spanBytes() / GEOMETRY.spanBytes());

    private final ArenaTable shadow;
    private final TablePair[] halves = new TablePair[HALVES];

    SplitSpan(ShadowParts parts, ShadowSpace space) {
        shadow = new ArenaTable(parts, space, ArenaBlock.SMALL_TABLE);
        for (int half = 0; half < HALVES; half++) {
            int base = half * GEOMETRY.tableEntries(PageSize.SMALL_4K);
            MergedPages pages = new MergedPages(shadow, parts.translation, GEOMETRY, base);
            halves[half] = pages.tables(parts, GEOMETRY.spanBytes());
        }
    }

    @Override
    boolean follow(int half, long guestEntry) {
        return halves[half].follow(guestEntry);
    }

    @Override
    long directoryEntry() {
        return shadow.exists()
                ? PageDirectoryEntry.withSmallTable(
                        PageDirectoryEntry.EMPTY, VmArena.TARGET, shadow.iova())
                : PageDirectoryEntry.EMPTY;
    }

    @Override
    void readUnseen() {
        for (TablePair half : halves) {
            half.readUnseen();
        }
    }
}
