package io.gpuvm.gf100.device;

/// A request to a GPU that it, or the kernel on its behalf, refused.
public class GpuDeviceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public GpuDeviceException(String message) {
        super(message);
    }

    public GpuDeviceException(String message, Throwable cause) {
        super(message, cause);
    }
}
