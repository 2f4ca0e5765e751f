package io.gpuvm.cli;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.pv.guest.Arguments;
import io.gpuvm.pv.guest.GpuContext;
import io.gpuvm.pv.guest.GpuKernel;
import io.gpuvm.pv.guest.GpuStream;
import io.gpuvm.pv.guest.LaunchShape;

/// What `gpuvm exec` has the GPU do.
///
/// @param repeat how many launches, one after the other
record KernelRun(Cubin module, String kernel, LaunchShape shape, int repeat) {
    /// @param arguments whose results are published if all goes well
    void on(GpuContext context, KernelArguments arguments, PhaseClock clock) {
        GpuStream stream = context.defaultStream();
        GpuKernel loaded = clock.time(ExecPhase.LOAD, () -> context.load(module).kernel(kernel));
        Arguments bound = clock.time(ExecPhase.LOAD, () -> arguments.allocate(context));
        arguments.copyIn(stream, clock);
        clock.time(ExecPhase.LAUNCH, () -> launch(stream, loaded, bound));
        arguments.copyOut(stream, clock);
    }

    private void launch(GpuStream stream, GpuKernel loaded, Arguments bound) {
        for (int i = 0; i < repeat; i++) {
            stream.launch(loaded, shape, bound);
        }
        stream.synchronize();
    }
}
