package io.gpuvm.linux;

/// Share of a processor that the kernel gives to a thread beside other threads (sched(7)).
public final class ThreadPriority {
    private static final int PRIO_PROCESS = 0;

    /// Identifies the calling thread: on Linux, the value belongs to a thread, not to its process.
    private static final int CALLER = 0;

    private static final int LOWER = 10;

    private ThreadPriority() {}

    /// Lowers the calling thread's priority to the nice value 10 (setpriority(2)): beside a thread
    /// of normal priority on the same processor, it gets a tenth of the time. The thread cannot
    /// raise its priority again. No effect if the kernel refuses.
    ///
    /// @return whether the priority has been lowered
    public static boolean lower() {
        return Native.C.setpriority(PRIO_PROCESS, CALLER, LOWER) == 0;
    }
}
