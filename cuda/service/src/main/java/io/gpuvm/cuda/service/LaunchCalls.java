package io.gpuvm.cuda.service;

import io.gpuvm.pv.module.Occupancy;
import io.gpuvm.pv.runtime.GpuError;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Launches of kernels.
final class LaunchCalls {
    private final int multiprocessors;
    private final SessionObjects objects;
    private final SessionContexts contexts;

    LaunchCalls(int multiprocessors, SessionObjects objects, SessionContexts contexts) {
        this.multiprocessors = multiprocessors;
        this.objects = objects;
        this.contexts = contexts;
    }

    /// Launches a kernel; see [CudaExecutor#launch]. Allocates no memory if the kernel is submitted
    /// during the call, except for the runtime's own.
    ///
    /// @throws CudaCallException if the call is refused
    void launch(
            long call,
            long stream,
            long module,
            int kernel,
            LaunchShape shape,
            boolean isCooperative,
            MemorySegment parameters) {
        ExecutorStream user = objects.stream(stream);
        ExecutorModule code = objects.modules().get(module);
        ExecutorContext context = user.context();
        if (code.context() != context) {
            throw new CudaCallException(
                    CudaResult.INVALID_HANDLE,
                    "module is of another context, expected a module of the stream's context");
        }
        GpuKernel launched = code.kernel(kernel);
        if (isCooperative) {
            checkCooperative(launched, shape);
        }
        contexts.checkRoomForOperation();
        context.join(user);
        if (!launchNow(user, launched, shape, parameters)) {
            MemorySegment copy = MemorySegment.ofArray(parameters.toArray(ValueLayout.JAVA_BYTE));
            user.add(new LaunchOperation(call, launched, shape, copy));
        }
        context.acted(user);
    }

    /// Launches a kernel if no operation precedes it and the queue has room.
    ///
    /// @return false if the launch must become pending
    private static boolean launchNow(
            ExecutorStream stream, GpuKernel kernel, LaunchShape shape, MemorySegment parameters) {
        if (stream.hasPending()) {
            return false;
        }
        ExecutorContext context = stream.context();
        try {
            if (!context.tryLaunch(stream, kernel, shape, parameters)) {
                return false;
            }
            stream.addSubmitted();
            return true;
        } catch (GpuException e) {
            if (e.error() == GpuError.OUT_OF_MEMORY && context.mayReleaseMemory()) {
                return false;
            }
            throw context.refusal(e);
        }
    }

    private void checkCooperative(GpuKernel kernel, LaunchShape shape) {
        long threads = (long) shape.blockX() * shape.blockY() * shape.blockZ();
        if (threads < 1 || threads > kernel.attributes().maxThreads()) {
            // The launch refuses the shape.
            return;
        }
        int ofMultiprocessor =
                Occupancy.blocks(kernel.attributes(), (int) threads, shape.dynamicSharedBytes());
        long limit = (long) ofMultiprocessor * multiprocessors;
        long blocks = (long) shape.gridX() * shape.gridY() * shape.gridZ();
        if (blocks > limit) {
            throw new CudaCallException(
                    CudaResult.COOPERATIVE_LAUNCH_TOO_LARGE,
                    "cooperative launch blocks=%d, limit=%d".formatted(blocks, limit));
        }
    }
}
