package io.gpuvm.softgpu.engine;

import io.gpuvm.softgpu.grid.GridRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// What the compute classes of all channels share.
///
/// @param grids runs launches
/// @param watchdogNs how much of the GPU's time a launch may take; 0 for any
/// @param errors told why launches ended before their time
/// @param places where the multiprocessors are in the chip, by number
/// @param codeVersions numbers that tell one state of a channel's code from every other
public record ComputeParts(
        GridRunner grids,
        long watchdogNs,
        KernelErrors errors,
        List<Place> places,
        AtomicLong codeVersions) {
    /// Which part of the chip a multiprocessor is.
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
