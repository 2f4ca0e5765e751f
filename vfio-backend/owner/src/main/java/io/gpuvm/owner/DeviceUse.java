package io.gpuvm.owner;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.Arrays;

/// How long a GPU has worked for each virtual machine, by the GPU's own count of its channels: what
/// the scheduler's charges can be compared with.
///
/// A channel's count belongs to whoever has the channel. The owner's thread tells who that is; any
/// thread asks.
public final class DeviceUse {
    /// No virtual machine: the owner, or nobody.
    private static final int NOBODY = AttachedVm.OWNER;

    private final DeviceTimes times;

    /// By virtual machine and engine: of channels that it gave back.
    private final long[][] settledNs;

    /// By channel: who has it, and what the GPU had counted when it was taken.
    private final int[] holders = new int[Pfifo.CHANNELS];

    private final long[][] takenAtNs = new long[Pfifo.CHANNELS][EngineId.COUNT];

    /// @param vms how many virtual machines there are
    public DeviceUse(DeviceTimes times, int vms) {
        this.times = times;
        settledNs = new long[vms][EngineId.COUNT];
        Arrays.fill(holders, NOBODY);
    }

    /// Nanoseconds that an engine has worked for a virtual machine. While a channel of it runs, up
    /// to a moment less.
    ///
    /// @param vm its number, in the order in which they were attached
    public synchronized long ns(int vm, EngineId engine) {
        long sum = settledNs[vm][engine.number()];
        for (int channel = 0; channel < holders.length; channel++) {
            if (holders[channel] == vm) {
                sum += sinceTaken(channel, engine);
            }
        }
        return sum;
    }

    /// A virtual machine gets a channel, which is off its engine; or the owner does.
    synchronized void taken(int channel, int vm) {
        holders[channel] = vm;
        for (EngineId engine : EngineId.values()) {
            if (engine != EngineId.SOFTWARE) {
                takenAtNs[channel][engine.number()] = times.ns(channel, engine);
            }
        }
    }

    /// It does not have it any more, and it is off its engine.
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
