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

    /// Returns the default for a set of virtual machines. On few processors, separate polling
    /// threads take processor time from paravirtual guests, so one thread is better. A guest that
    /// accesses registers waits for the owner's answer, which should not wait for the engines, so
    /// separate threads are better.
    ///
    /// @param processors number of processors available to the backend
    public static ThreadMode usualFor(List<VmConfig> vms, int processors) {
        boolean allParavirtual = vms.stream().allMatch(vm -> vm.mode() == VmMode.PV);
        return allParavirtual && processors < PROCESSORS_FOR_ALL ? COMPACT : SEPARATE;
    }
}
