package io.gpuvm.owner;

import io.gpuvm.gf100.reg.Pfifo;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// The GPU's channels, both free and held by virtual machines. Confined to the owner's thread,
/// except [#nameOf].
///
/// Each virtual machine has a number of reserved channels. The other channels are allocated on
/// request, first come, first served.
final class ChannelPool {
    private final List<AttachedVm> vms;
    private final DeviceUse use;
    private final OwnedChannel[] holders = new OwnedChannel[Pfifo.CHANNELS];
    private final AtomicReferenceArray<OwnedChannel> shown =
            new AtomicReferenceArray<>(Pfifo.CHANNELS);
    private final int[] listed = new int[Pfifo.CHANNELS];
    private int taken;

    /// @param vms virtual machines that share the channels at any time
    /// @param use records the holder of each channel
    ChannelPool(List<AttachedVm> vms, DeviceUse use) {
        this.vms = vms;
        this.use = use;
    }

    /// Throws [IllegalStateException] if a number of channels cannot be reserved, in addition to
    /// the channels that are reserved or held.
    void checkFree(int wanted) {
        int free = holders.length - taken - keptForOthersThan(null);
        if (wanted > free) {
            throw new IllegalStateException(
                    "channels=%d, free=%d (not held by a virtual machine, and not reserved)"
                            .formatted(wanted, free));
        }
    }

    /// Forgets a virtual machine that holds no channels.
    void forget(AttachedVm vm) {
        for (int id = 0; id < holders.length; id++) {
            OwnedChannel last = shown.get(id);
            if (last != null && last.vm() == vm) {
                shown.set(id, null);
            }
        }
        use.forget(vm.number);
    }

    /// Acquires the free channel with the lowest number.
    ///
    /// @return number of the channel, -1 if every free channel is reserved for other virtual
    ///   machines
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

    /// @param vm virtual machine; null to include all
    private int keptForOthersThan(AttachedVm vm) {
        int kept = 0;
        for (int i = 0; i < vms.size(); i++) {
            AttachedVm other = vms.get(i);
            if (other != vm) {
                kept += Math.max(0, other.channelsReserved() - other.channelsHeld);
            }
        }
        return kept;
    }

    /// Returns the name of a channel for messages: its current or last virtual machine, and its
    /// number in that virtual machine. Any thread.
    String nameOf(int id) {
        OwnedChannel holder = shown.get(id);
        return holder == null ? "channel " + id : holder.toString();
    }

    /// Returns the holder of a channel; null if the channel is free.
    OwnedChannel holder(int id) {
        return holders[id];
    }

    /// Returns the channel that uses an instance block; null if no channel uses it.
    OwnedChannel withInstance(long instanceIova) {
        for (OwnedChannel holder : holders) {
            if (holder != null && holder.instanceIova() == instanceIova) {
                return holder;
            }
        }
        return null;
    }

    /// Returns the array into which [#collectListed()] writes the numbers of the channels that are
    /// in their virtual machine's runlist.
    int[] listed() {
        return listed;
    }

    /// Collects the channels for a runlist of all virtual machines.
    ///
    /// @return number of channels
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
