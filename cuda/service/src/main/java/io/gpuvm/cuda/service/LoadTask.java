package io.gpuvm.cuda.service;

import io.gpuvm.pv.module.ModuleImage;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.GpuModule;
import io.gpuvm.pv.runtime.ModuleUpload;

/// Load of a module.
final class LoadTask implements ContextTask {
    private final ExecutorModule module;
    private final ModuleImage image;
    private final Runnable onFailure;
    private final ModuleReply reply;
    private final MemoryWait wait = new MemoryWait();

    /// Upload to the GPU; null until the memory is allocated.
    private ModuleUpload upload;

    /// @param module module, which is usable once the load is complete
    /// @param onFailure removes the module's handle
    LoadTask(ExecutorModule module, ModuleImage image, Runnable onFailure, ModuleReply reply) {
        this.module = module;
        this.image = image;
        this.onFailure = onFailure;
        this.reply = reply;
    }

    @Override
    public boolean advance() {
        if (upload == null && !begin()) {
            return false;
        }
        GpuModule loaded = upload.advance();
        if (loaded == null) {
            return false;
        }
        module.onLoaded(loaded);
        reply.complete(CudaResult.SUCCESS, module.description());
        return true;
    }

    private boolean begin() {
        ExecutorContext context = module.context();
        if (!wait.mayTry(context)) {
            return false;
        }
        try {
            upload = context.gpu().beginLoad(image);
            return true;
        } catch (GpuException e) {
            if (!wait.mayRetry(context, e)) {
                throw e;
            }
            return false;
        }
    }

    @Override
    public void cancel(CudaResult result) {
        if (upload != null) {
            upload.close();
        }
        onFailure.run();
        reply.complete(result, null);
    }
}
