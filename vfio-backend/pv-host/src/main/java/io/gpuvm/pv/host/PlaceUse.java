package io.gpuvm.pv.host;

import io.gpuvm.gf100.driver.Extent;
import io.gpuvm.gf100.driver.VramStore;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import java.util.ArrayDeque;
import java.util.List;

/// Resources that the sessions of a place use together, and their limits: one quota of each kind
/// for all sessions. Confined to the poller.
public final class PlaceUse {
    /// Maximum number of destroyed address spaces of which the GPU may still hold state. Each
    /// occupies about 200 KB of host memory, which no other quota includes.
    private static final int MOST_RETIRED = 64;

    private final VramStore vram;
    private final Quota handles;
    private final Quota spaces;
    private final Quota retiredSpaces = new Quota(MOST_RETIRED);
    private final Quota pages;
    private final Quota waits;
    private final ChannelShares channels;

    /// Round of the poller in which a departing guest has last returned resources.
    private long releaseRound;

    /// Address spaces without tables, retained for reuse because each is large.
    private final ArrayDeque<GuestSpace> spareSpaces = new ArrayDeque<>();

    /// @param parts parts of the place's VRAM
    /// @param channels number of the place's channels
    public PlaceUse(PvQuotas quotas, List<VramShare> parts, int channels) {
        vram =
                new VramStore(
                        parts.stream()
                                .map(part -> new Extent(part.hostBase(), part.bytes()))
                                .toList());
        handles = new Quota(quotas.handles());
        spaces = new Quota(quotas.spaces());
        pages = new Quota(quotas.mappedPages());
        waits = new Quota(quotas.waits());
        this.channels = new ChannelShares(channels, quotas.sessions());
    }

    /// Returns the allocator of the place's VRAM; offsets count from the start of the GPU's VRAM.
    VramStore vram() {
        return vram;
    }

    /// Returns the quota of allocations of VRAM.
    Quota handles() {
        return handles;
    }

    /// Returns the quota of address spaces.
    Quota spaces() {
        return spaces;
    }

    /// Returns the quota of destroyed address spaces whose last flush is pending.
    Quota retiredSpaces() {
        return retiredSpaces;
    }

    /// Returns the quota of mapped pages.
    Quota pages() {
        return pages;
    }

    /// Returns the quota of pending waits for fences.
    Quota waits() {
        return waits;
    }

    /// Returns the numbers of the place's channels, and their division among the sessions.
    ChannelShares channels() {
        return channels;
    }

    /// Returns whether a departing guest may return resources in a round of the poller: one guest
    /// in each round.
    ///
    /// @param round number of the round, at least 1
    boolean mayRelease(long round) {
        boolean may = releaseRound != round;
        releaseRound = round;
        return may;
    }

    /// Returns an address space without tables.
    GuestSpace takeSpace(VmArena arena) {
        return spareSpaces.isEmpty() ? new GuestSpace(new PageTables(arena)) : spareSpaces.pop();
    }

    /// Retains an address space without tables for a later session or command.
    void giveBack(GuestSpace space) {
        spareSpaces.push(space);
    }
}
