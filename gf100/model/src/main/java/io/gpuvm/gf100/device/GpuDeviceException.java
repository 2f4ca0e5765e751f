package io.gpuvm.gf100.device;

/// Thrown if a GPU refuses a request or does not respond, or if Linux refuses a request for a GPU.
public class GpuDeviceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public GpuDeviceException(String message) {
        super(message);
    }

    public GpuDeviceException(String message, Throwable cause) {
        super(message, cause);
    }
}
