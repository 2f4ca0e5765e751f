package io.gpuvm.pv.host;

import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import io.gpuvm.pv.protocol.GpuLimits;
import java.util.function.Supplier;

/// Part of the GPU for the guests of one virtual machine, which has several sessions. Created once
/// and used by successive guests. Arena and use belong to the poller's thread.
///
/// @param name name in logs and statistics
/// @param kind kind of the guests
/// @param gpu GPU as its guests see it: their share of the VRAM, their channels, together
/// @param quotas limits of all other resources
/// @param vram share of the VRAM
/// @param memory bus addresses of the data areas
/// @param arena memory of the page tables and channels
/// @param use resources that the guests use together
/// @param ports creates the ports of another session; called at most [PvQuotas#sessions()] times,
///   on the reception's thread
/// @param scrub zeroes VRAM of the share
/// @param counters counters of the guests' activity
public record PvPlace(
        String name,
        PlaceKind kind,
        GpuLimits gpu,
        PvQuotas quotas,
        VramShare vram,
        IovaShare memory,
        VmArena arena,
        PlaceUse use,
        Supplier<PvPort> ports,
        PlaceScrub scrub,
        PvCounters counters) {
    /// Returns the GPU as one session sees it, without the channels that are kept for its siblings.
    GpuLimits gpuOfOne() {
        return new GpuLimits(
                gpu.name(),
                gpu.vramBytes(),
                use.channels().mostOfOne(),
                gpu.multiprocessors(),
                gpu.copyEngines());
    }

    /// Zeroes the whole share of the VRAM.
    void scrubAll() {
        scrub.zero(vram.hostBase(), vram.bytes());
    }
}
