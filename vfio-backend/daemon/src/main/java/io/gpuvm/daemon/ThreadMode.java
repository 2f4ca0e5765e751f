package io.gpuvm.daemon;

import java.util.List;

/// Assignment of the parts of a backend to threads.
public enum ThreadMode {
    /// One thread each for the GPU's owner, the poller of paravirtual guests and the engines of a
    /// software GPU. The parts run in parallel.
    SEPARATE,
    /// One thread for all parts, in turns. No part waits for another thread to wake up. For hosts
    /// with few processors, and short commands.
    COMPACT;

    /// Number of processors that suffices for one processor per part, and for the guests.
    static final int PROCESSORS_FOR_ALL = 4;

    /// Returns the default for a set of virtual machines. On few processors, one thread is better
    /// for paravirtual guests, because separate polling threads would use processor time that the
    /// guests need. Separate threads are better for guests that access registers: such a guest
    /// waits for the owner, which should not wait for the engines.
    ///
    /// @param processors number of processors available to the backend
    public static ThreadMode usualFor(List<VmConfig> vms, int processors) {
        boolean allParavirtual = vms.stream().allMatch(vm -> vm.mode().isParavirtual());
        return allParavirtual && processors < PROCESSORS_FOR_ALL ? COMPACT : SEPARATE;
    }
}
