package io.gpuvm.owner;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.Arrays;

/// Working time of a GPU for each virtual machine, by the GPU's own count of its channels, for
/// comparison with the scheduler's charges.
///
/// A channel's time belongs to the channel's holder. The owner's thread reports the holder; any
/// thread may query.
public final class DeviceUse {
    /// No virtual machine: a channel of the owner's, or a free one.
    private static final int NOBODY = AttachedVm.OWNER;

    private final DeviceTimes times;

    /// Time of released channels, by virtual machine and engine.
    private final long[][] settledNs;

    /// Holder of each channel; [#takenAtNs] has the GPU's count at that moment.
    private final int[] holders = new int[Pfifo.CHANNELS];

    private final long[][] takenAtNs = new long[Pfifo.CHANNELS][EngineId.COUNT];

    /// @param vms number of virtual machines
    public DeviceUse(DeviceTimes times, int vms) {
        this.times = times;
        settledNs = new long[vms][EngineId.COUNT];
        Arrays.fill(holders, NOBODY);
    }

    /// Returns the time for which an engine has worked for a virtual machine, in nanoseconds;
    /// slightly less while one of its channels runs.
    ///
    /// @param vm number of the virtual machine, in the order of attachment
    public synchronized long ns(int vm, EngineId engine) {
        long sum = settledNs[vm][engine.number()];
        for (int channel = 0; channel < holders.length; channel++) {
            if (holders[channel] == vm) {
                sum += sinceTaken(channel, engine);
            }
        }
        return sum;
    }

    /// Records that a virtual machine, or the owner, takes a channel, which is off its engine.
    synchronized void taken(int channel, int vm) {
        holders[channel] = vm;
        for (EngineId engine : EngineId.values()) {
            if (engine != EngineId.SOFTWARE) {
                takenAtNs[channel][engine.number()] = times.ns(channel, engine);
            }
        }
    }

    /// Records that the holder releases a channel, which is off its engine.
    synchronized void givenBack(int channel) {
        int holder = holders[channel];
        for (EngineId engine : EngineId.values()) {
            if (engine != EngineId.SOFTWARE && holder != NOBODY) {
                settledNs[holder][engine.number()] += sinceTaken(channel, engine);
            }
        }
        holders[channel] = NOBODY;
    }

    private long sinceTaken(int channel, EngineId engine) {
        return times.ns(channel, engine) - takenAtNs[channel][engine.number()];
    }
}
