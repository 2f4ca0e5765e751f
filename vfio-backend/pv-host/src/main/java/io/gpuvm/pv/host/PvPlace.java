package io.gpuvm.pv.host;

import io.gpuvm.port.CompletionInbox;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import io.gpuvm.pv.protocol.GpuLimits;

/// What one guest at a time has of the GPU, and of the way to it: made once, used by one guest
/// after the other. Requests, inbox and arena belong to one thread at a time: the poller's while a
/// guest is served, the reception's between two.
///
/// @param name how logs and statistics call it
/// @param gpu the GPU as its guests see it: their share of the VRAM, their channels
/// @param quotas what they may have beside
/// @param vram their part of the VRAM
/// @param memory bus addresses of their data area
/// @param arena where their page tables and channels lie
/// @param requests the way down
/// @param inbox the way up
/// @param scrub zeroes their part of the VRAM
/// @param counters told what was done
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
