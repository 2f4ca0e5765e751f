package io.gpuvm.shadow;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.port.VmArena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Instance block that hardware uses in place of a guest's.
///
/// ```text
///   guest's block --copy--> guest --translate--> staged --words that differ--> hardware's block
///                                                shown <-----------------/
/// ```
///
/// Hardware sees only translated words. Words that the guest has not changed are not written,
/// because hardware saves the channel's state in the first half. Only known fields of the guest's
/// block are translated, because an unknown word might be a pointer.
final class ShadowInstance {
    /// Receiver of the words that hardware has saved.
    interface SavedWord {
        /// @param offset offset in the block
        void accept(long offset, int word);
    }

    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final EngineId[] ENGINES = {
        EngineId.GRAPH,
        EngineId.MSPDEC,
        EngineId.MSPPP,
        EngineId.MSVLD,
        EngineId.COPY0,
        EngineId.COPY1
    };

    private final long[] guestWords = new long[GuestReader.PAGE_WORDS];
    private final MemorySegment guestBlock = MemorySegment.ofArray(guestWords);
    private final MemorySegment staged = block();
    private final MemorySegment shown = block();

    private final InstanceBlock guest = new InstanceBlock().wrap(guestBlock, 0);
    private final Ramfc guestRamfc = new Ramfc().wrap(guestBlock, 0);
    private final InstanceBlock stagedInstance = new InstanceBlock().wrap(staged, 0);
    private final Ramfc stagedRamfc = new Ramfc().wrap(staged, 0);

    private final MemorySegment hardware;

    /// @param hardware block that hardware uses, zeroed
    ShadowInstance(MemorySegment hardware) {
        this.hardware = hardware;
    }

    /// Returns the buffer for a copy of the guest's block, which the caller fills.
    long[] guestWords() {
        return guestWords;
    }

    /// Returns the last copy of the guest's block.
    InstanceBlock guest() {
        return guest;
    }

    /// Returns the first part of the last copy of the guest's block.
    Ramfc guestRamfc() {
        return guestRamfc;
    }

    /// Returns whether all engine contexts are in the channel's own address space.
    boolean isEveryContextVirtual() {
        for (EngineId engine : ENGINES) {
            if (!isAcceptable(guest.context(engine))) {
                return false;
            }
        }
        return true;
    }

    /// Writes the guest's changes to hardware's block.
    ///
    /// @param space address space of the channel
    /// @param userdIova bus address of the channel's USERD
    void show(ShadowSpace space, long userdIova) {
        MemorySegment.copy(guestBlock, 0, staged, 0, Ramfc.BYTES);
        stagedRamfc.userd(VmArena.TARGET, userdIova);
        stagedInstance.directory(space.target(), space.directoryIova()).limit(guest.limit());
        for (EngineId engine : ENGINES) {
            long context = guest.context(engine);
            stagedInstance.context(engine, isAcceptable(context) ? context : 0);
        }
        for (long at = 0; at < Ramfc.BYTES; at += Integer.BYTES) {
            int word = staged.get(U32, at);
            if (word != shown.get(U32, at)) {
                shown.set(U32, at, word);
                hardware.set(U32, at, word);
            }
        }
        // Each pointer is written with a single store, because a mixture of two pointers could
        // refer to any address.
        for (long at = Ramfc.BYTES; at < InstanceBlock.BYTES; at += Long.BYTES) {
            long word = staged.get(U64, at);
            if (word != shown.get(U64, at)) {
                shown.set(U64, at, word);
                hardware.set(U64, at, word);
            }
        }
    }

    /// Reports the words of RAMFC that hardware has saved since [#show]. Called after hardware has
    /// released the block. The pointer to USERD is not reported.
    void forEachSaved(SavedWord action) {
        MemorySegment.copy(shown, 0, staged, 0, Ramfc.BYTES);
        new Ramfc().wrap(hardware, 0).userd(stagedRamfc.userdTarget(), stagedRamfc.userdAddress());
        for (long at = 0; at < Ramfc.BYTES; at += Integer.BYTES) {
            int word = hardware.get(U32, at);
            if (word != shown.get(U32, at)) {
                action.accept(at, word);
            }
        }
    }

    private static boolean isAcceptable(long context) {
        return context == 0 || InstanceBlock.isVirtual(context);
    }

    private static MemorySegment block() {
        return MemorySegment.ofArray(new long[GuestReader.PAGE_WORDS]);
    }
}
