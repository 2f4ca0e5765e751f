package io.gpuvm.pv.host;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;

/// What the hardware wants to have of each channel: an instance block and a USERD page, in the
/// guest's arena, where the guest cannot reach them. Confined to the poller.
final class ChannelBlocks {
    private final VmArena arena;
    private final InstanceBlock instance = new InstanceBlock();
    private final Ramfc ramfc = new Ramfc();

    ChannelBlocks(VmArena arena) {
        this.arena = arena;
    }

    /// Takes both for a channel.
    ///
    /// @return false if the arena has no room for them; it has neither then
    boolean take(GuestChannel channel) {
        long instanceAt = arena.take(ArenaBlock.INSTANCE);
        if (instanceAt == VmArena.NONE) {
            return false;
        }
        long userdAt = arena.take(ArenaBlock.USERD);
        if (userdAt == VmArena.NONE) {
            arena.giveBack(ArenaBlock.INSTANCE, instanceAt);
            return false;
        }
        channel.place(instanceAt, userdAt);
        return true;
    }

    /// Gives both back; the GPU uses them no more.
    void giveBack(GuestChannel channel) {
        arena.giveBack(ArenaBlock.INSTANCE, channel.instance());
        arena.giveBack(ArenaBlock.USERD, channel.userdOffset());
    }

    /// Writes what a channel begins with: its address space, and where its ring is.
    ///
    /// @param ringGpuVa a multiple of 8, checked
    /// @param order logarithm of the ring's number of entries, checked
    void describe(GuestChannel channel, long ringGpuVa, int order) {
        channel.userd().wrap(arena.memory(), channel.userdOffset());
        instance.wrap(arena.memory(), channel.instance())
                .directory(VmArena.TARGET, channel.space().tables().directoryIova())
                .limit(TableGeometry.VA_MASK);
        ramfc.wrap(arena.memory(), channel.instance())
                .initialize(VmArena.TARGET, userdIova(channel), ringGpuVa, order);
    }

    /// Bus address of a channel's instance block.
    long instanceIova(GuestChannel channel) {
        return arena.iovaOf(channel.instance());
    }

    /// Bus address of a channel's USERD.
    long userdIova(GuestChannel channel) {
        return arena.iovaOf(channel.userdOffset());
    }
}
