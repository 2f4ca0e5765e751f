package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;

/// Launch of a kernel that could not be submitted during its call.
final class LaunchOperation extends StreamOperation {
    private final GpuKernel kernel;
    private final LaunchShape shape;
    private final MemorySegment parameters;

    /// Wait for memory; null unless memory was lacking.
    private MemoryWait memory;

    /// @param parameters values of the parameters, which do not change
    LaunchOperation(long call, GpuKernel kernel, LaunchShape shape, MemorySegment parameters) {
        super(call);
        this.kernel = kernel;
        this.shape = shape;
        this.parameters = parameters;
    }

    @Override
    boolean submit(ExecutorStream stream) {
        ExecutorContext context = stream.context();
        if (memory != null && !(stream.gpu().hasRoom() && memory.mayTry(context, sequence()))) {
            return false;
        }
        try {
            return context.tryLaunch(stream, kernel, shape, parameters);
        } catch (GpuException e) {
            if (memory == null) {
                memory = new MemoryWait();
            }
            if (!memory.mayRetry(context, e, sequence())) {
                throw e;
            }
            return false;
        }
    }
}
