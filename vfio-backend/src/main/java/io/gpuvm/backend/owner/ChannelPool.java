package io.gpuvm.backend.owner;

import io.gpuvm.gf100.reg.Pfifo;

/// The GPU's channels: which are free, and whose the others are. Confined to the owner's thread.
final class ChannelPool {
    private final OwnedChannel[] holders = new OwnedChannel[Pfifo.CHANNELS];
    private final int[] listed = new int[Pfifo.CHANNELS];

    /// Takes the lowest free channel.
    ///
    /// @return its number, -1 if none is free
    int take(OwnedChannel holder) {
        for (int id = 0; id < holders.length; id++) {
            if (holders[id] == null) {
                holders[id] = holder;
                return id;
            }
        }
        return -1;
    }

    void giveBack(int id) {
        holders[id] = null;
    }

    /// Whose a channel is; null if nobody's.
    OwnedChannel holder(int id) {
        return holders[id];
    }

    /// The channel with an instance block; null if there is none.
    OwnedChannel withInstance(long instanceIova) {
        for (OwnedChannel holder : holders) {
            if (holder != null && holder.instanceIova == instanceIova) {
                return holder;
            }
        }
        return null;
    }

    /// Numbers of the channels that are in their virtual machine's runlist, in the first
    /// [#listedCount()] elements.
    int[] listed() {
        return listed;
    }

    /// Collects the channels for a runlist of all virtual machines.
    ///
    /// @return how many there are
    int collectListed() {
        int count = 0;
        for (int id = 0; id < holders.length; id++) {
            if (holders[id] != null && holders[id].listed) {
                listed[count++] = id;
            }
        }
        return count;
    }
}
