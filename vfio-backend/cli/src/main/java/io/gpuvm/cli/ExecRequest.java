package io.gpuvm.cli;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.GpuModule;
import io.gpuvm.pv.runtime.GpuStream;
import io.gpuvm.pv.runtime.LaunchShape;
import java.io.PrintWriter;

/// Work of `gpuvm exec` for the GPU.
///
/// @param repeat number of successive launches
record ExecRequest(Cubin module, String kernel, LaunchShape shape, int repeat) {
    /// @param arguments arguments whose results are published on success
    /// @param out receives the text that the kernel prints
    void on(GpuContext context, KernelArguments arguments, PhaseClock clock, PrintWriter out) {
        GpuStream stream = context.defaultStream();
        GpuModule loaded = clock.time(ExecPhase.LOAD, () -> context.load(module));
        GpuKernel wanted = loaded.kernel(kernel);
        Arguments bound = clock.time(ExecPhase.LOAD, () -> arguments.allocate(context, loaded));
        arguments.copyIn(stream, clock);
        clock.time(ExecPhase.LAUNCH, () -> launch(stream, wanted, bound));
        long dropped = loaded.takeOutput(stream, out::print);
        if (dropped > 0) {
            out.println("printf: dropped=%d calls, the buffer was full".formatted(dropped));
        }
        arguments.copyOut(stream, clock);
    }

    private void launch(GpuStream stream, GpuKernel wanted, Arguments bound) {
        for (int i = 0; i < repeat; i++) {
            stream.launch(wanted, shape, bound);
        }
        stream.synchronize();
    }
}
