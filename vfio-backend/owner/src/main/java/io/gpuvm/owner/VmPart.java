package io.gpuvm.owner;

import io.gpuvm.port.CompletionInbox;
import io.gpuvm.port.IovaShare;
import io.gpuvm.sched.policy.TimeShare;
import java.lang.foreign.MemorySegment;

/// What a virtual machine brings when it is attached to the owner of the GPU.
///
/// @param name how logs and statistics call it
/// @param memory bus addresses of its memory
/// @param arena host memory of its shadow structures, as this process sees it
/// @param arenaIova as the GPU sees it
/// @param inbox where answers and events go
/// @param wake makes the virtual machine's thread look into its inbox; any thread
/// @param share what it is entitled to at first
/// @param requestsPerSecond how many requests the owner carries out for it at most
/// @param windows what its VMM maps
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
    /// Far more than drivers make.
    public static final int REQUESTS_PER_SECOND = 20_000;

    /// One that is entitled to as much as others, and may ask as much as drivers do.
    public VmPart(
            String name,
            IovaShare memory,
            MemorySegment arena,
            long arenaIova,
            CompletionInbox inbox,
            Runnable wake) {
        this(name, memory, arena, arenaIova, inbox, wake, TimeShare.EQUAL, REQUESTS_PER_SECOND);
    }

    /// One whose windows are the GPU's own.
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
