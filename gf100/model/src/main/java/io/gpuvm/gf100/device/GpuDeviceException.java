package io.gpuvm.gf100.device;

/// Thrown if a GPU, or Linux on its behalf, refuses a request.
public class GpuDeviceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public GpuDeviceException(String message) {
        super(message);
    }

    public GpuDeviceException(String message, Throwable cause) {
        super(message, cause);
    }
}
