package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.reg.RegisterMap;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Counts accesses to registers that no unit declares: each is a fact about the hardware that the
/// model lacks, or a guest looking where nothing is.
///
/// Counters lie in blocks of 4 KiB of BAR0 that are made at the first access to a block, so a guest
/// that walks the whole space costs 32 MiB at the most, once. Confined to the thread of the table
/// that reports to it; a snapshot may be taken from another thread and can then miss the latest
/// accesses.
public final class UndeclaredAccesses {
    /// What was seen at one offset.
    ///
    /// @param offset byte offset in BAR0
    /// @param reads number of reads, saturating
    /// @param writes number of writes, saturating
    public record Entry(int offset, int reads, int writes) {
        /// What is known of the place, such as `PNVIO+0x104`.
        public String name() {
            return RegisterMap.gf100().nameOf(offset);
        }
    }

    private static final int BLOCK_SHIFT = 12;
    private static final int BLOCK_REGISTERS = (1 << BLOCK_SHIFT) / Register.BYTES;

    /// A guest that walks the whole space must not fill the log with it.
    private static final int MAX_TOLD = 200;

    private final int[][] reads = new int[Register.SPACE_BYTES >>> BLOCK_SHIFT][];
    private final int[][] writes = new int[Register.SPACE_BYTES >>> BLOCK_SHIFT][];
    private final Consumer<String> firstAccess;
    private int told;

    /// @param firstAccess told once per offset and direction, in words, for the log; after many it
    ///   is told that there are more, and then nothing
    public UndeclaredAccesses(Consumer<String> firstAccess) {
        this.firstAccess = firstAccess;
    }

    void onRead(int offset) {
        if (count(reads, offset) == 1) {
            tell("read", offset);
        }
    }

    void onWrite(int offset) {
        if (count(writes, offset) == 1) {
            tell("written", offset);
        }
    }

    /// Every offset that was accessed, in ascending order.
    public List<Entry> snapshot() {
        List<Entry> entries = new ArrayList<>();
        for (int block = 0; block < reads.length; block++) {
            for (int i = 0; i < BLOCK_REGISTERS; i++) {
                int read = reads[block] == null ? 0 : reads[block][i];
                int written = writes[block] == null ? 0 : writes[block][i];
                if (read + written != 0) {
                    entries.add(
                            new Entry((block << BLOCK_SHIFT) + i * Register.BYTES, read, written));
                }
            }
        }
        return entries;
    }

    private void tell(String what, int offset) {
        if (told == MAX_TOLD) {
            return;
        }
        String name = RegisterMap.gf100().nameOf(offset);
        firstAccess.accept(
                "undeclared register %s: offset=%#08x (%s)".formatted(what, offset, name));
        if (++told == MAX_TOLD) {
            firstAccess.accept("undeclared registers: further ones are only counted");
        }
    }

    private static int count(int[][] counters, int offset) {
        int block = offset >>> BLOCK_SHIFT;
        if (counters[block] == null) {
            counters[block] = new int[BLOCK_REGISTERS];
        }
        int index = (offset & (1 << BLOCK_SHIFT) - 1) / Register.BYTES;
        int before = counters[block][index];
        if (before != Integer.MAX_VALUE) {
            counters[block][index] = before + 1;
        }
        return counters[block][index];
    }
}
