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
    private final MemoryWait memory = new MemoryWait();

    /// @param parameters values of the parameters, which do not change
    LaunchOperation(long call, GpuKernel kernel, LaunchShape shape, MemorySegment parameters) {
        super(call);
        this.kernel = kernel;
        this.shape = shape;
        this.parameters = parameters;
    }

    @Override
    boolean submit(ExecutorStream stream) {
        if (!stream.gpu().hasRoom() || !memory.mayTry(stream.context(), sequence())) {
            return false;
        }
        try {
            stream.gpu().launch(kernel, shape, parameters);
            return true;
        } catch (GpuException e) {
            if (!memory.mayRetry(stream.context(), e, sequence())) {
                throw e;
            }
            return false;
        }
    }
}
