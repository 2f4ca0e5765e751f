package io.gpuvm.port;

import io.gpuvm.gf100.device.GpuDeviceException;

/// Thrown if the effect of a request is unknown: the GPU's owner has not answered in time and may
/// execute the request later, or memory that a failed request has mapped could not be unmapped. The
/// GPU may still use the resources that the request names, so they must not be used otherwise.
public final class UnsettledException extends GpuDeviceException {
    private static final long serialVersionUID = 1L;

    public UnsettledException(String message) {
        super(message);
    }

    public UnsettledException(String message, Throwable cause) {
        super(message, cause);
    }
}
