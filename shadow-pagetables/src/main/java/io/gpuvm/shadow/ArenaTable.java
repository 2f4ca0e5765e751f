package io.gpuvm.shadow;

import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Directory or table that hardware reads.
///
/// Occupies memory in the arena while it has users. Hardware may read the table at any time, so
/// each entry is written with a single store, after the structure to which the entry points.
final class ArenaTable implements ShadowTable {
    private static final VarHandle ENTRY =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    private static final MemorySegment BLANK =
            MemorySegment.ofArray(new long[GuestReader.PAGE_WORDS]).asReadOnly();

    private final ShadowParts parts;
    private final ShadowSpace space;
    private final ArenaBlock kind;
    private final MemorySegment memory;
    private long offset = VmArena.NONE;
    private int users;

    ArenaTable(ShadowParts parts, ShadowSpace space, ArenaBlock kind) {
        this.parts = parts;
        this.space = space;
        this.kind = kind;
        this.memory = parts.arena.memory();
    }

    /// Returns whether the table has users.
    boolean exists() {
        return users > 0;
    }

    /// @return false if the arena has no space
    @Override
    public boolean retain() {
        if (users == 0) {
            offset = parts.arena.take(kind);
            if (offset == VmArena.NONE) {
                parts.refusals.quota(kind);
                return false;
            }
        }
        users++;
        return true;
    }

    @Override
    public void release() {
        users--;
        if (users == 0) {
            parts.arena.giveBack(kind, offset);
            offset = VmArena.NONE;
        }
    }

    /// Returns the bus address of the table.
    long iova() {
        return parts.arena.iovaOf(offset);
    }

    @Override
    public void set(int entry, long word) {
        long at = offset + (long) entry * Long.BYTES;
        if ((long) ENTRY.get(memory, at) != word) {
            ENTRY.setRelease(memory, at, word);
            space.onShadowWritten();
        }
    }

    /// Returns whether `count` entries, which fill at most one page, are zero.
    boolean isBlank(int first, int count) {
        long at = offset + (long) first * Long.BYTES;
        long bytes = (long) count * Long.BYTES;
        return MemorySegment.mismatch(memory, at, at + bytes, BLANK, 0, bytes) < 0;
    }
}
