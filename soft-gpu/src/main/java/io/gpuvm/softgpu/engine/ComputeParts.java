package io.gpuvm.softgpu.engine;

import io.gpuvm.softgpu.grid.GridRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// State that the compute classes of all channels share.
///
/// @param grids runs launches
/// @param watchdogNs maximum GPU time of a launch, in nanoseconds; 0 for no limit
/// @param errors receives reports of failed launches
/// @param places locations of the multiprocessors in the chip, by number
/// @param codeVersions source of unique version numbers for channels' code
public record ComputeParts(
        GridRunner grids,
        long watchdogNs,
        KernelErrors errors,
        List<Place> places,
        AtomicLong codeVersions) {
    /// Location of a multiprocessor in the chip.
    public record Place(int gpc, int tpc) {}

    public ComputeParts {
        places = List.copyOf(places);
    }

    public ComputeParts(
            GridRunner grids, long watchdogNs, KernelErrors errors, List<Integer> tpcsPerGpc) {
        this(grids, watchdogNs, errors, placesOf(tpcsPerGpc), new AtomicLong());
    }

    private static List<Place> placesOf(List<Integer> tpcsPerGpc) {
        List<Place> places = new ArrayList<>();
        for (int gpc = 0; gpc < tpcsPerGpc.size(); gpc++) {
            for (int tpc = 0; tpc < tpcsPerGpc.get(gpc); tpc++) {
                places.add(new Place(gpc, tpc));
            }
        }
        return places;
    }
}
