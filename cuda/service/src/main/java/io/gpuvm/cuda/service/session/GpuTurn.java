package io.gpuvm.cuda.service.session;

import io.gpuvm.cuda.service.Turn;
import io.gpuvm.pv.host.SessionGpu;

/// Turn of a session with its GPU.
///
/// @param gpu GPU of the session
record GpuTurn(SessionGpu gpu) implements Turn {
    @Override
    public boolean isLeft() {
        return gpu.isTurnLeft();
    }

    @Override
    public int steps() {
        return gpu.workLeft();
    }

    @Override
    public void spend(int steps) {
        gpu.spend(steps);
    }
}
