package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.GpuWork;

/// Copy or fill.
final class WorkOperation extends StreamOperation {
    private final GpuWork work;
    private final AreaUses.Use use;

    /// @param use use of the data area, or null
    WorkOperation(long call, GpuWork work, AreaUses.Use use) {
        super(call);
        this.work = work;
        this.use = use;
    }

    @Override
    boolean submit(ExecutorStream stream) {
        if (!stream.gpu().offer(work)) {
            return false;
        }
        if (use != null) {
            use.endsAfter(stream.gpu());
        }
        return true;
    }

    @Override
    void cancel(CudaResult result) {
        if (use != null) {
            use.end();
        }
    }
}
