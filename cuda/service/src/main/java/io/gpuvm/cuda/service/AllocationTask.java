package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuException;

/// Allocation of memory.
final class AllocationTask implements ContextTask {
    private final ExecutorContext context;
    private final AddressMap addresses;
    private final long bytes;
    private final CallReply reply;
    private final MemoryWait wait = new MemoryWait();

    AllocationTask(ExecutorContext context, AddressMap addresses, long bytes, CallReply reply) {
        this.context = context;
        this.addresses = addresses;
        this.bytes = bytes;
        this.reply = reply;
    }

    @Override
    public boolean advance() {
        if (!wait.mayTry(context, MemoryWait.AFTER_ALL)) {
            return false;
        }
        addresses.checkRoom();
        DeviceMemory memory;
        try {
            memory = context.gpu().allocate(bytes);
        } catch (GpuException e) {
            if (!wait.mayRetry(context, e, MemoryWait.AFTER_ALL)) {
                throw e;
            }
            return false;
        }
        addresses.add(new MemoryRange(context, memory.gpuVa(), memory, true));
        reply.complete(CudaResult.SUCCESS, memory.gpuVa(), 0);
        return true;
    }

    @Override
    public void cancel(CudaResult result) {
        reply.complete(result);
    }
}
