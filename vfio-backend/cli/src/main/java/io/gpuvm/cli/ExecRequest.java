package io.gpuvm.cli;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.GpuModule;
import io.gpuvm.pv.runtime.GpuStream;
import io.gpuvm.pv.runtime.LaunchShape;

/// Work of `gpuvm exec` for the GPU.
///
/// @param repeat number of successive launches
record ExecRequest(Cubin module, String kernel, LaunchShape shape, int repeat) {
    /// @param arguments arguments whose results are published on success
    void on(GpuContext context, KernelArguments arguments, PhaseClock clock) {
        GpuStream stream = context.defaultStream();
        GpuModule loaded = clock.time(ExecPhase.LOAD, () -> context.load(module));
        GpuKernel wanted = loaded.kernel(kernel);
        Arguments bound = clock.time(ExecPhase.LOAD, () -> arguments.allocate(context, loaded));
        arguments.copyIn(stream, clock);
        clock.time(ExecPhase.LAUNCH, () -> launch(stream, wanted, bound));
        arguments.copyOut(stream, clock);
    }

    private void launch(GpuStream stream, GpuKernel wanted, Arguments bound) {
        for (int i = 0; i < repeat; i++) {
            stream.launch(wanted, shape, bound);
        }
        stream.synchronize();
    }
}
