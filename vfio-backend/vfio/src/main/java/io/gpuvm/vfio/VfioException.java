package io.gpuvm.vfio;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.Errno;

/// Failure of a VFIO call; the message names the call, the error, and the device or file.
public final class VfioException extends GpuDeviceException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    VfioException(String what, String call, int errno) {
        super("%s: %s: %s".formatted(what, call, Errno.nameOf(errno)));
        this.errno = errno;
    }

    /// Returns the kernel's error number.
    public int errno() {
        return errno;
    }
}
