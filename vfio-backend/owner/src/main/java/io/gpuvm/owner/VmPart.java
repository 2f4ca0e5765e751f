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
        WindowSource windows) {
    /// Default maximum rate of requests, much higher than the rates of drivers.
    public static final int REQUESTS_PER_SECOND = 20_000;

    /// Creates a part with an equal share and the default request rate.
    public VmPart(
            String name,
            IovaShare memory,
            MemorySegment arena,
            long arenaIova,
            CompletionInbox inbox,
            Runnable wake) {
        this(name, memory, arena, arenaIova, inbox, wake, TimeShare.EQUAL, REQUESTS_PER_SECOND);
    }

    /// Creates a part that uses the GPU's windows.
    public VmPart(
            String name,
            IovaShare memory,
            MemorySegment arena,
            long arenaIova,
            CompletionInbox inbox,
            Runnable wake,
            TimeShare share,
            int requestsPerSecond) {
        this(
                name,
                memory,
                arena,
                arenaIova,
                inbox,
                wake,
                share,
                requestsPerSecond,
                WindowSource.OF_GPU);
    }
}
