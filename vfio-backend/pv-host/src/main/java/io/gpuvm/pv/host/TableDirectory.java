package io.gpuvm.pv.host;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Page directory of one address space, and the tables that it references: for each span at most
/// one table of small pages and one of big pages. Records the tables' offsets in the arena and
/// their numbers of present entries.
///
/// The GPU may read at any time, so a table is zeroed before it is added to the directory. Up to
/// [#KEPT_EMPTY] empty tables stay in the directory for later mappings; additional empty tables are
/// removed. Confined to the poller.
final class TableDirectory {
    /// Number of empty tables that stay in the directory, one for each page size. If a guest
    /// repeatedly maps and unmaps one page, the table is therefore not zeroed at each mapping.
    static final int KEPT_EMPTY = 2;

    private static final TableGeometry GEOMETRY = VmArena.GEOMETRY;
    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHARED_WORD = WORD.varHandle();

    private final VmArena arena;
    private final MemorySegment memory;

    /// Receives tables that leave the directory; null without a directory.
    private RetiredTables retired;

    /// Offset of the directory in the arena.
    private long directory = VmArena.NONE;

    /// Offsets of the tables in the arena, by directory index.
    private final long[] smallTables = new long[GEOMETRY.directoryEntries()];

    private final long[] bigTables = new long[GEOMETRY.directoryEntries()];

    /// Number of present entries of each table.
    private final int[] smallPresent = new int[GEOMETRY.directoryEntries()];

    private final int[] bigPresent = new int[GEOMETRY.directoryEntries()];

    private long present;

    /// Number of empty tables.
    private int empty;

    /// Creates an object without a directory; [#open] allocates it.
    TableDirectory(VmArena arena) {
        this.arena = arena;
        this.memory = arena.memory();
        Arrays.fill(smallTables, VmArena.NONE);
        Arrays.fill(bigTables, VmArena.NONE);
    }

    /// Allocates an empty directory, on first use or after [#close()].
    ///
    /// @param receiver receives tables that leave the directory
    /// @return false if the arena has no room for the directory
    boolean open(RetiredTables receiver) {
        directory = arena.take(ArenaBlock.DIRECTORY);
        boolean open = directory != VmArena.NONE;
        retired = open ? receiver : null;
        return open;
    }

    /// Releases the directory and its tables. Called when the GPU no longer reads the directory.
    void close() {
        for (int index = 0; index < smallTables.length; index++) {
            giveBack(ArenaBlock.SMALL_TABLE, smallTables, smallPresent, index);
            giveBack(ArenaBlock.BIG_TABLE, bigTables, bigPresent, index);
        }
        arena.giveBack(ArenaBlock.DIRECTORY, directory);
        directory = VmArena.NONE;
        retired = null;
        present = 0;
        empty = 0;
    }

    /// Returns the bus address of the directory.
    long iova() {
        return arena.iovaOf(directory);
    }

    /// Returns the number of present entries in all tables.
    long present() {
        return present;
    }

    /// Returns the offset in the arena of a span's table of small pages, [VmArena#NONE] if there is
    /// none.
    long small(int index) {
        return smallTables[index];
    }

    /// Returns the offset in the arena of a span's table of big pages, [VmArena#NONE] if there is
    /// none.
    long big(int index) {
        return bigTables[index];
    }

    /// Returns the number of present small pages of a span.
    int smallPresent(int index) {
        return smallPresent[index];
    }

    /// Returns the number of present big pages of a span.
    int bigPresent(int index) {
        return bigPresent[index];
    }

    /// Adds to the number of present small pages of a span.
    void countSmall(int index, int more) {
        count(smallPresent, index, more);
    }

    /// Adds to the number of present big pages of a span.
    void countBig(int index, int more) {
        count(bigPresent, index, more);
    }

    /// Adds an empty table to a span.
    ///
    /// @return false if the arena has no room for the table
    boolean add(int index, PageSize size) {
        boolean small = size == PageSize.SMALL_4K;
        long table = arena.take(small ? ArenaBlock.SMALL_TABLE : ArenaBlock.BIG_TABLE);
        if (table == VmArena.NONE) {
            return false;
        }
        empty++;
        long entry = memory.get(WORD, slot(index));
        long iova = arena.iovaOf(table);
        MemoryTarget target = VmArena.TARGET;
        if (small) {
            smallTables[index] = table;
            entry = PageDirectoryEntry.withSmallTable(entry, target, iova);
        } else {
            bigTables[index] = table;
            entry = PageDirectoryEntry.withBigTable(entry, target, iova);
        }
        set(index, entry);
        return true;
    }

    /// Removes empty tables of a span from the directory, while more than [#KEPT_EMPTY] are empty.
    void retireEmpty(int index) {
        if (empty > KEPT_EMPTY && isEmpty(smallTables, smallPresent, index)) {
            set(index, PageDirectoryEntry.withoutSmallTable(memory.get(WORD, slot(index))));
            retire(ArenaBlock.SMALL_TABLE, smallTables, index);
        }
        if (empty > KEPT_EMPTY && isEmpty(bigTables, bigPresent, index)) {
            set(index, PageDirectoryEntry.withoutBigTable(memory.get(WORD, slot(index))));
            retire(ArenaBlock.BIG_TABLE, bigTables, index);
        }
    }

    private static boolean isEmpty(long[] tables, int[] counts, int index) {
        return tables[index] != VmArena.NONE && counts[index] == 0;
    }

    private void retire(ArenaBlock kind, long[] tables, int index) {
        retired.add(kind, tables[index]);
        tables[index] = VmArena.NONE;
        empty--;
    }

    private void giveBack(ArenaBlock kind, long[] tables, int[] counts, int index) {
        if (tables[index] != VmArena.NONE) {
            arena.giveBack(kind, tables[index]);
            tables[index] = VmArena.NONE;
            counts[index] = 0;
        }
    }

    private void count(int[] counts, int index, int more) {
        boolean wasEmpty = counts[index] == 0;
        counts[index] += more;
        present += more;
        boolean isEmpty = counts[index] == 0;
        empty += (isEmpty ? 1 : 0) - (wasEmpty ? 1 : 0);
    }

    private void set(int index, long entry) {
        SHARED_WORD.setRelease(memory, slot(index), entry);
    }

    private long slot(int index) {
        return directory + (long) index * PageDirectoryEntry.BYTES;
    }
}
