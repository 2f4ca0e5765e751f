package io.gpuvm.cuda.service;

import io.gpuvm.cuda.protocol.ModuleDescription;
import io.gpuvm.pv.module.ModuleImage;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.GpuModule;
import io.gpuvm.pv.runtime.ModuleUpload;
import java.lang.foreign.MemorySegment;

/// Load of a module: reading, allocation of memory, upload, description.
final class LoadTask implements ContextTask {
    private final ExecutorModule module;
    private final ModuleReading reading;
    private final MemorySegment description;
    private final AreaUses.Use use;
    private final Runnable onFailure;
    private final CallReply reply;
    private final MemoryWait wait = new MemoryWait();

    /// Length of a description for which the client's range is too small; 0 if it suffices.
    private long neededBytes;

    /// Upload to the GPU; null until the memory is allocated.
    private ModuleUpload upload;

    /// @param module module, which is usable once the load is complete
    /// @param description receives the description
    /// @param use use of the data area
    /// @param onFailure removes the module's handle
    /// @param reply receives the length of the description
    LoadTask(
            ExecutorModule module,
            ModuleReading reading,
            MemorySegment description,
            AreaUses.Use use,
            Runnable onFailure,
            CallReply reply) {
        this.module = module;
        this.reading = reading;
        this.description = description;
        this.use = use;
        this.onFailure = onFailure;
        this.reply = reply;
    }

    @Override
    public boolean advance() {
        if (upload == null && !(reading.isDone() && begin(reading.image()))) {
            return false;
        }
        GpuModule loaded = upload.advance();
        if (loaded == null) {
            return false;
        }
        module.onLoaded(loaded);
        ModuleDescription described = module.description();
        described.write(description);
        use.end();
        reply.complete(CudaResult.SUCCESS, described.bytes(), 0);
        return true;
    }

    private boolean begin(ModuleImage image) {
        checkDescription();
        ExecutorContext context = module.context();
        if (!wait.mayTry(context, MemoryWait.AFTER_ALL)) {
            return false;
        }
        try {
            upload = context.gpu().beginLoad(image);
            return true;
        } catch (GpuException e) {
            if (!wait.mayRetry(context, e, MemoryWait.AFTER_ALL)) {
                throw e;
            }
            return false;
        }
    }

    private void checkDescription() {
        long bytes = reading.descriptionBytes();
        if (bytes > description.byteSize()) {
            neededBytes = bytes;
            throw new CudaCallException(
                    CudaResult.INVALID_VALUE,
                    "description bytes=%d, limit=%d".formatted(bytes, description.byteSize()));
        }
    }

    @Override
    public void cancel(CudaResult result) {
        reading.cancel();
        use.endsWhen(reading::isAreaFree);
        if (upload != null) {
            upload.close();
        }
        onFailure.run();
        reply.complete(result, neededBytes, 0);
    }
}
