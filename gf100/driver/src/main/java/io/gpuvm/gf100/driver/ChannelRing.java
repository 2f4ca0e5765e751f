package io.gpuvm.gf100.driver;

import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.IntSupplier;

/// Ring of a channel; the channel's user adds push-buffer segments. One thread at a time.
public final class ChannelRing {
    /// Binary logarithm of the number of entries, of which one always remains free.
    public static final int ORDER = 10;

    /// Size of the ring in bytes.
    public static final long BYTES = (long) GpfifoEntry.BYTES << ORDER;

    private static final int MASK = (1 << ORDER) - 1;
    private static final ValueLayout.OfLong ENTRY =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment entries;
    private final IntSupplier gpuGet;
    private int put;
    private int get;

    /// @param entries [#BYTES] of memory
    /// @param gpuGet supplier of the last known index of the entry that the GPU reads next
    public ChannelRing(MemorySegment entries, IntSupplier gpuGet) {
        this.entries = entries;
        this.gpuGet = gpuGet;
    }

    /// Adds a push-buffer segment, without notifying the GPU.
    ///
    /// @param gpuVa address of the segment, a multiple of 4
    /// @param words length of the segment, 1 to [GpfifoEntry#MAX_DWORDS]
    /// @return false if the ring is full
    public boolean offer(long gpuVa, int words) {
        check(gpuVa, words);
        int next = put + 1 & MASK;
        if (next == get) {
            get = gpuGet.getAsInt();
            if (next == get) {
                return false;
            }
        }
        entries.setAtIndex(ENTRY, put, GpfifoEntry.of(gpuVa, words));
        put = next;
        return true;
    }

    /// Returns the index of the first entry that the GPU must not read.
    public int put() {
        return put;
    }

    private static void check(long gpuVa, int words) {
        if ((gpuVa & Integer.BYTES - 1) != 0 || (gpuVa & ~TableGeometry.VA_MASK) != 0) {
            throw new IllegalArgumentException(
                    "gpuVa=%#x, expected a multiple of %d, up to %#x"
                            .formatted(gpuVa, Integer.BYTES, TableGeometry.VA_MASK));
        }
        if (words < 1 || words > GpfifoEntry.MAX_DWORDS) {
            throw new IllegalArgumentException(
                    "words=%d, expected 1 to %d".formatted(words, GpfifoEntry.MAX_DWORDS));
        }
    }
}
