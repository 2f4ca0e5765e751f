package io.gpuvm.owner;

import io.gpuvm.gf100.reg.Pfifo;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// The GPU's channels: which are free, and whose the others are. Confined to the owner's thread,
/// except [#nameOf].
///
/// Half of them are divided among the virtual machines and wait for them; the other half goes to
/// whoever asks.
final class ChannelPool {
    private static final int GUARANTEED = Pfifo.CHANNELS / 2;

    private final List<AttachedVm> vms;
    private final DeviceUse use;
    private final OwnedChannel[] holders = new OwnedChannel[Pfifo.CHANNELS];
    private final AtomicReferenceArray<OwnedChannel> shown =
            new AtomicReferenceArray<>(Pfifo.CHANNELS);
    private final int[] listed = new int[Pfifo.CHANNELS];
    private int taken;

    /// @param vms those that share the channels, as they are when the first one is taken
    /// @param use told who has which
    ChannelPool(List<AttachedVm> vms, DeviceUse use) {
        this.vms = vms;
        this.use = use;
    }

    /// How many channels each of some virtual machines finds, whatever the others do.
    static int guaranteed(int vms) {
        return GUARANTEED / vms;
    }

    /// Takes the lowest free channel.
    ///
    /// @return its number, -1 if none is free that is not kept for another virtual machine
    int take(OwnedChannel holder) {
        if (holders.length - taken <= keptForOthersThan(holder.vm())) {
            return -1;
        }
        int id = 0;
        while (holders[id] != null) {
            id++;
        }
        holders[id] = holder;
        shown.set(id, holder);
        taken++;
        holder.vm().channelsHeld++;
        use.taken(id, holder.vm().number);
        return id;
    }

    void giveBack(int id) {
        use.givenBack(id);
        holders[id].vm().channelsHeld--;
        holders[id] = null;
        taken--;
    }

    private int keptForOthersThan(AttachedVm vm) {
        int guaranteed = guaranteed(Math.max(1, vms.size()));
        int kept = 0;
        for (int i = 0; i < vms.size(); i++) {
            AttachedVm other = vms.get(i);
            if (other != vm) {
                kept += Math.max(0, guaranteed - other.channelsHeld);
            }
        }
        return kept;
    }

    /// What to call a channel: whose it is, or was last, and its number there. Any thread.
    String nameOf(int id) {
        OwnedChannel holder = shown.get(id);
        return holder == null ? "channel " + id : holder.toString();
    }

    /// Whose a channel is; null if nobody's.
    OwnedChannel holder(int id) {
        return holders[id];
    }

    /// The channel with an instance block; null if there is none.
    OwnedChannel withInstance(long instanceIova) {
        for (OwnedChannel holder : holders) {
            if (holder != null && holder.instanceIova() == instanceIova) {
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
            if (holders[id] != null && holders[id].isListed()) {
                listed[count++] = id;
            }
        }
        return count;
    }
}
