package io.gpuvm.bench.pocl;

/// What kind of PoCL was measured.
///
/// @param device what kind of processors it takes the host's for
/// @param computeUnits how many of them it uses
record PoclDescription(String version, String device, int computeUnits) {
    @Override
    public String toString() {
        return "PoCL %s, %s, %d processors".formatted(version, device, computeUnits);
    }
}
