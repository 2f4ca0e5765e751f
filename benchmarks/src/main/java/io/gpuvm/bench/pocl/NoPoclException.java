package io.gpuvm.bench.pocl;

/// Absence of PoCL on this host.
public final class NoPoclException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param reason name of the missing part
    NoPoclException(String reason) {
        super(
                reason
                        + "; on Debian: apt-get install --no-install-recommends"
                        + " pocl-opencl-icd ocl-icd-libopencl1");
    }
}
