package io.gpuvm.softgpu.sm;

/// Places of recent launches, retained because programs alternate between few kernels. Confined to
/// a multiprocessor.
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

    /// Returns the place at which a launch starts; a new place replaces the least recently used
    /// place.
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

    /// Records that the code may have changed since the last comparison.
    void doubt() {
        for (KernelPlace place : places) {
            place.doubt();
        }
    }
}
