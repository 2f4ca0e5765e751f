package io.gpuvm.softgpu.sm;

/// The places where launches have started lately: programs take turns with a few kernels. Confined
/// to a multiprocessor.
final class KernelPlaces {
    private static final int COUNT = 16;

    private final KernelPlace[] places = new KernelPlace[COUNT];
    private final long[] lastLoads = new long[COUNT];
    private long loads;

    KernelPlaces() {
        for (int n = 0; n < COUNT; n++) {
            places[n] = new KernelPlace();
        }
    }

    /// Where a launch starts: in the stead of the place that it has been longest since, if it is a
    /// new one.
    KernelPlace of(Launch launch) {
        int found = 0;
        for (int n = 0; n < COUNT; n++) {
            if (places[n].isOf(launch)) {
                return at(n);
            }
            if (lastLoads[n] < lastLoads[found]) {
                found = n;
            }
        }
        places[found].move(launch);
        return at(found);
    }

    private KernelPlace at(int n) {
        lastLoads[n] = ++loads;
        return places[n];
    }

    /// Code may have changed since it was looked at.
    void doubt() {
        for (KernelPlace place : places) {
            place.doubt();
        }
    }
}
