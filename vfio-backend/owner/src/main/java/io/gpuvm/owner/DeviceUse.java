package io.gpuvm.owner;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.Arrays;

/// Time for which a GPU has worked for each virtual machine, as counted by the GPU per channel. For
/// comparison with the scheduler's charges.
///
/// A channel's time is attributed to the channel's holder. The owner's thread records holders; any
/// thread may query.
public final class DeviceUse {
    /// Number that stands for the holder of free channels and of the owner's channels.
    private static final int NOBODY = AttachedVm.OWNER;

    private final DeviceTimes times;

    /// Time of released channels, by virtual machine and engine.
    private final long[][] settledNs;

    /// Holder, by channel.
    private final int[] holders = new int[Pfifo.CHANNELS];

    /// GPU's count when the holder acquired the channel, by channel and engine.
    private final long[][] takenAtNs = new long[Pfifo.CHANNELS][EngineId.COUNT];

    /// @param vms maximum number of virtual machines
    public DeviceUse(DeviceTimes times, int vms) {
        this.times = times;
        settledNs = new long[vms][EngineId.COUNT];
        Arrays.fill(holders, NOBODY);
    }

    /// Returns the time for which an engine has worked for a virtual machine, in nanoseconds;
    /// slightly less while one of its channels runs.
    ///
    /// @param vm number of the virtual machine
    public synchronized long ns(int vm, EngineId engine) {
        long sum = settledNs[vm][engine.number()];
        for (int channel = 0; channel < holders.length; channel++) {
            if (holders[channel] == vm) {
                sum += sinceTaken(channel, engine);
            }
        }
        return sum;
    }

    /// Records that a virtual machine, or the owner, acquires a channel, which is off its engine.
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

    /// Sets the time of a virtual machine without channels to 0, for another one with its number.
    synchronized void forget(int vm) {
        Arrays.fill(settledNs[vm], 0);
    }

    private long sinceTaken(int channel, EngineId engine) {
        return times.ns(channel, engine) - takenAtNs[channel][engine.number()];
    }
}
