package io.gpuvm.owner;

import io.gpuvm.port.CompletionInbox;
import io.gpuvm.port.IovaShare;
import io.gpuvm.sched.policy.TimeShare;
import java.lang.foreign.MemorySegment;

/// Settings and collaborators of a virtual machine that attaches to the owner of the GPU.
///
/// @param name name in logs and statistics
/// @param memory bus addresses of the virtual machine's memory
/// @param arena host memory of its shadow structures, as mapped in this process
/// @param arenaIova bus address of the arena
/// @param inbox receives completions and events of the first session
/// @param wake makes the virtual machine's thread check its inboxes; any thread
/// @param share initial time share
/// @param requestsPerSecond maximum number of requests that the owner executes per second
/// @param channels number of the GPU's channels that are reserved for the virtual machine, 0 or
///   more
/// @param windows source of the windows that the VMM maps
public record VmPart(
        String name,
        IovaShare memory,
        MemorySegment arena,
        long arenaIova,
        CompletionInbox inbox,
        Runnable wake,
        TimeShare share,
        int requestsPerSecond,
        int channels,
        WindowSource windows) {
    /// Default maximum rate of requests, much higher than the rates of drivers.
    public static final int REQUESTS_PER_SECOND = 20_000;

    /// Creates a part with an equal share, the default request rate, no reserved channels, and the
    /// GPU's windows.
    public VmPart(
            String name,
            IovaShare memory,
            MemorySegment arena,
            long arenaIova,
            CompletionInbox inbox,
            Runnable wake) {
        this(name, memory, arena, arenaIova, inbox, wake, 0);
    }

    /// Creates a part with an equal share, the default request rate, and the GPU's windows.
    public VmPart(
            String name,
            IovaShare memory,
            MemorySegment arena,
            long arenaIova,
            CompletionInbox inbox,
            Runnable wake,
            int channels) {
        this(
                name,
                memory,
                arena,
                arenaIova,
                inbox,
                wake,
                TimeShare.EQUAL,
                REQUESTS_PER_SECOND,
                channels,
                WindowSource.OF_GPU);
    }
}
