package io.gpuvm.bench.pocl;

/// Description of the measured PoCL.
///
/// @param device type of processor that PoCL detects on the host
/// @param computeUnits number of processors that PoCL uses
record PoclDescription(String version, String device, int computeUnits) {
    @Override
    public String toString() {
        return "PoCL %s, %s, %d processors".formatted(version, device, computeUnits);
    }
}
