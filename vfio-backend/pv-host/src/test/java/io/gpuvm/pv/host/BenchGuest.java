package io.gpuvm.pv.host;

import io.gpuvm.softgpu.SoftGpu;

/// Guest in a [PvBench].
interface BenchGuest extends AutoCloseable {
    PvGuest host();

    PvSeat seat();

    /// Unmaps the guest's memory from the GPU.
    void unmap(SoftGpu gpu);

    @Override
    void close();
}
