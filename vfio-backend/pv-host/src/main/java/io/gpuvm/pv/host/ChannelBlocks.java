package io.gpuvm.pv.host;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;

/// Blocks that the hardware needs for each channel: an instance block and a USERD page, in the
/// guest's arena, which the guest cannot access. Confined to the poller.
final class ChannelBlocks {
    private final VmArena arena;
    private final InstanceBlock instance = new InstanceBlock();
    private final Ramfc ramfc = new Ramfc();

    ChannelBlocks(VmArena arena) {
        this.arena = arena;
    }

    /// Allocates both blocks for a channel.
    ///
    /// @return false if the arena has no room for both; the channel then has neither
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

    /// Releases both blocks, which the GPU no longer uses.
    void giveBack(GuestChannel channel) {
        arena.giveBack(ArenaBlock.INSTANCE, channel.instance());
        arena.giveBack(ArenaBlock.USERD, channel.userdOffset());
    }

    /// Writes a channel's initial state: its address space and the location of its ring.
    ///
    /// @param ringGpuVa address of the ring, a multiple of 8, already checked
    /// @param order binary logarithm of the ring's number of entries, already checked
    void describe(GuestChannel channel, long ringGpuVa, int order) {
        channel.userd().wrap(arena.memory(), channel.userdOffset());
        instance.wrap(arena.memory(), channel.instance())
                .directory(VmArena.TARGET, channel.space().tables().directoryIova())
                .limit(TableGeometry.VA_MASK);
        ramfc.wrap(arena.memory(), channel.instance())
                .initialize(VmArena.TARGET, userdIova(channel), ringGpuVa, order);
    }

    /// Returns the bus address of a channel's instance block.
    long instanceIova(GuestChannel channel) {
        return arena.iovaOf(channel.instance());
    }

    /// Returns the bus address of a channel's USERD.
    long userdIova(GuestChannel channel) {
        return arena.iovaOf(channel.userdOffset());
    }
}
