package io.gpuvm.bench.pocl;

/// Thrown if this host lacks PoCL.
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
