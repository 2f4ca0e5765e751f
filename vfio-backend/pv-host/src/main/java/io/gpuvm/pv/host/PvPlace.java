package io.gpuvm.pv.host;

import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import io.gpuvm.pv.protocol.GpuLimits;
import java.util.List;
import java.util.function.Supplier;

/// Part of the GPU for the guests of one virtual machine, which has several sessions. Created once
/// and used by successive guests. Arena and use belong to the poller's thread.
///
/// @param name name in logs and statistics
/// @param kind kind of the guests
/// @param gpu GPU as its guests see it: their share of the VRAM, their channels, together
/// @param quotas limits of all other resources
/// @param vram parts of the VRAM, at least one
/// @param memory bus addresses of the data areas
/// @param arena memory of the page tables and channels
/// @param use resources that the guests use together
/// @param ports creates the ports of another session; called at most [PvQuotas#sessions()] times,
///   on the reception's thread
/// @param scrub zeroes VRAM of these parts
/// @param counters counters of the guests' activity
public record PvPlace(
        String name,
        PlaceKind kind,
        GpuLimits gpu,
        PvQuotas quotas,
        List<VramShare> vram,
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

    /// Returns the total size of the VRAM, in bytes.
    public long vramBytes() {
        return vram.stream().mapToLong(VramShare::bytes).sum();
    }

    /// Returns the name of the files of memory of its guests, for `/proc`.
    String memoryName() {
        return "gpuvm-pv-" + name;
    }

    /// Shows the use of the VRAM in the counters. Poller's thread only.
    void showUse() {
        counters.showVram(gpu.vramBytes() - use.vram().freeBytes());
    }

    /// Zeroes all parts of the VRAM.
    void scrubAll() {
        for (VramShare part : vram) {
            scrub.zero(part.hostBase(), part.bytes());
        }
    }
}
