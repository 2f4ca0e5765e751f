package io.gpuvm.daemon;

import java.util.List;

/// Which parts of a backend share a thread.
public enum ThreadMode {
    /// The GPU's owner, the poller of paravirtual guests and the engines of a software GPU have a
    /// thread each: they work at the same time.
    SEPARATE,
    /// They take turns on one thread: nobody waits for another thread to wake up. For machines with
    /// few processors, and short commands.
    COMPACT;

    /// Processors with which each part can have one, and the guests, too.
    static final int PROCESSORS_FOR_ALL = 4;

    /// What to choose for virtual machines when nobody says it. Threads that look for work in turns
    /// take time from a guest on few processors; but a guest that touches registers waits for the
    /// owner's answer, which should not wait for the engines.
    ///
    /// @param processors that the backend may use
    public static ThreadMode usualFor(List<VmConfig> vms, int processors) {
        boolean allParavirtual = vms.stream().allMatch(vm -> vm.mode() == VmMode.PV);
        return allParavirtual && processors < PROCESSORS_FOR_ALL ? COMPACT : SEPARATE;
    }
}
