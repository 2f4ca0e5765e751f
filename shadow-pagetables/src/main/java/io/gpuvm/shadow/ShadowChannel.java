package io.gpuvm.shadow;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import java.lang.foreign.MemorySegment;

/// What hardware is shown in the place of a channel that a guest has bound: an instance block with
/// translated pointers, and a USERD page that no guest writes.
///
/// Confined to the VM's thread; hardware saves the channel's state in the instance block and its
/// progress in USERD.
public final class ShadowChannel implements Binding {
    private final ShadowSpaces spaces;
    private final int guestId;
    private final MemoryTarget guestTarget;
    private final long guestInstance;
    private final long instanceOffset;
    private final long userdOffset;
    private ShadowSpace space;

    private ShadowChannel(
            ShadowSpaces spaces, int guestId, MemoryTarget guestTarget, long guestInstance) {
        this.spaces = spaces;
        this.guestId = guestId;
        this.guestTarget = guestTarget;
        this.guestInstance = guestInstance;
        instanceOffset = arena().take(ArenaBlock.INSTANCE);
        userdOffset = arena().take(ArenaBlock.USERD);
    }

    /// Copies and checks the instance block of a channel that the guest binds.
    ///
    /// @param guestId the guest's number of the channel
    /// @param target where its instance block lies, null for the code that means nothing
    /// @param guestInstance its address there, in guest VRAM or guest-physical
    public static Binding bind(
            ShadowSpaces spaces, int guestId, MemoryTarget target, long guestInstance) {
        return new Refused("not implemented");
    }

    /// The guest's number.
    public int guestId() {
        return guestId;
    }

    /// Where the guest's instance block lies.
    public MemoryTarget guestTarget() {
        return guestTarget;
    }

    /// Address of the guest's instance block, as the guest knows it.
    public long guestInstance() {
        return guestInstance;
    }

    /// Bus address of the instance block that hardware is to use.
    public long instanceIova() {
        return arena().iovaOf(instanceOffset);
    }

    /// Bus address of the USERD page that hardware is to use.
    public long userdIova() {
        return arena().iovaOf(userdOffset);
    }

    /// The USERD page that hardware uses, laid out as [Userd].
    public MemorySegment userd() {
        return arena().memory().asSlice(userdOffset, Userd.BYTES);
    }

    /// The address space that hardware uses for the channel.
    public ShadowSpace space() {
        return space;
    }

    /// Whether an offset in the guest's VRAM is one of its instance block.
    public boolean covers(long guestVram) {
        return guestTarget == MemoryTarget.VRAM
                && guestVram >= guestInstance
                && guestVram < guestInstance + InstanceBlock.BYTES;
    }

    /// The channel is to be activated: follows what the guest has changed in its instance block and
    /// in its page tables.
    ///
    /// @return whether hardware must be flushed: see [ShadowSpaces#forEachToFlush]
    public boolean prepare() {
        return spaces.prepare(space);
    }

    /// Gives the guest back what hardware has saved, and frees the shadow. After hardware has let
    /// go of the channel.
    public void release() {
        spaces.release(space);
    }

    private ShadowArena arena() {
        return spaces.setup().arena();
    }
}
