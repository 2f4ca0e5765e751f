package io.gpuvm.pv.host;

import io.gpuvm.port.CompletionInbox;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import io.gpuvm.pv.protocol.GpuLimits;

/// Part of the GPU for one guest at a time, and the ports to it. Created once and used by
/// successive guests. Requests, inbox and arena belong to one thread at a time: the poller's thread
/// while a guest is served, the reception's thread between two guests.
///
/// @param name name in logs and statistics
/// @param gpu GPU as its guests see it: their share of the VRAM, their channels
/// @param quotas limits of all other resources
/// @param vram share of the VRAM
/// @param memory bus addresses of the data area
/// @param arena memory of the page tables and channels
/// @param requests requests to the GPU's owner
/// @param inbox completions and events from the GPU's owner
/// @param scrub zeroes the share of the VRAM
/// @param counters counters of the guests' activity
public record PvPlace(
        String name,
        GpuLimits gpu,
        PvQuotas quotas,
        VramShare vram,
        IovaShare memory,
        VmArena arena,
        GpuRequests requests,
        CompletionInbox inbox,
        Runnable scrub,
        PvCounters counters) {}
