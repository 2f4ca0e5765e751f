package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.reg.RegisterMap;
import java.util.ArrayList;
import java.util.List;

/// Counters of accesses to registers that no unit declares. Either the model lacks such a register,
/// or the register does not exist on hardware.
///
/// Counters lie in blocks of 4 KiB of BAR0 that are allocated at the first access to a block, so a
/// guest that accesses the whole space causes an allocation of at most 32 MiB in total. Confined to
/// the thread of the table that reports to it; another thread may take a snapshot, which can miss
/// the latest accesses.
public final class UndeclaredAccesses {
    /// Number of accesses to an offset.
    ///
    /// @param offset byte offset in BAR0
    /// @param reads number of reads, saturating
    /// @param writes number of writes, saturating
    public record Entry(int offset, int reads, int writes) {
        /// Returns the name of the offset, such as `PNVIO+0x104`.
        public String name() {
            return RegisterMap.gf100().nameOf(offset);
        }
    }

    /// Receiver of the first read and the first write of each register, called on the thread of the
    /// table.
    @FunctionalInterface
    public interface FirstAccess {
        /// Called at the first read and at the first write of each register that no unit declares.
        /// A guest that accesses the whole space causes up to 8 million calls.
        ///
        /// @param offset byte offset in BAR0
        /// @param written true for a write, false for a read
        void on(int offset, boolean written);
    }

    private static final int BLOCK_SHIFT = 12;
    private static final int BLOCK_REGISTERS = (1 << BLOCK_SHIFT) / Register.BYTES;

    private final int[][] reads = new int[Register.SPACE_BYTES >>> BLOCK_SHIFT][];
    private final int[][] writes = new int[Register.SPACE_BYTES >>> BLOCK_SHIFT][];
    private final FirstAccess firstAccess;

    /// @param firstAccess called once per offset and direction, for the log
    public UndeclaredAccesses(FirstAccess firstAccess) {
        this.firstAccess = firstAccess;
    }

    /// Returns the text of a first access, for the log.
    ///
    /// @param written true for a write, false for a read
    public static String text(int offset, boolean written) {
        return "undeclared register %s: offset=%#08x (%s)"
                .formatted(
                        written ? "written" : "read", offset, RegisterMap.gf100().nameOf(offset));
    }

    void onRead(int offset) {
        if (count(reads, offset) == 1) {
            firstAccess.on(offset, false);
        }
    }

    void onWrite(int offset) {
        if (count(writes, offset) == 1) {
            firstAccess.on(offset, true);
        }
    }

    /// Returns an entry for every accessed offset, in ascending order.
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
