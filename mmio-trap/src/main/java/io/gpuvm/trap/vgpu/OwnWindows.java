package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.port.OpenWindows;
import io.gpuvm.port.WindowPort;
import java.util.Optional;

/// Windows of a guest that has the whole GPU: the guest's thread is the GPU's owner.
///
/// @param gpu GPU of the guest
/// @param open open windows of the guest
record OwnWindows(PhysicalGpu gpu, OpenWindows open) implements WindowPort {
    OwnWindows(PhysicalGpu gpu) {
        this(gpu, new OpenWindows());
    }

    @Override
    public Optional<SharedWindow> openWindow(long bytes) {
        Optional<SharedWindow> window = gpu.openSharedWindow(bytes);
        window.ifPresent(open::add);
        return window;
    }

    @Override
    public void showWindows() {
        open.flush();
    }

    @Override
    public void closeWindows() {
        open.close();
    }
}
