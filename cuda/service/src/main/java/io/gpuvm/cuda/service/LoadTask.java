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
    private final ModuleReader reader;
    private final ModuleReading reading;
    private final MemorySegment description;
    private final AreaUses.Use use;
    private final Runnable onPrepared;
    private final Runnable onFailure;
    private final CallReply reply;
    private final MemoryWait wait = new MemoryWait();

    /// Length of a description for which the client's range is too small; 0 if it suffices.
    private long neededBytes;

    /// Image that is not in the GPU's memory yet; null before it is read.
    private ModuleImage image;

    /// Memory of this process for the image.
    private long imageBytes;

    /// Memory of this process for the parts of the module.
    private long partBytes;

    /// Upload to the GPU; null until the GPU's memory is allocated.
    private ModuleUpload upload;

    /// True once all memory of the upload is allocated.
    private boolean hasBegun;

    /// Computation of the contents of the upload.
    private final Preparation preparation = new Preparation();

    /// @param module module, which is usable once the load is complete
    /// @param reader reader of the virtual machine's modules
    /// @param description receives the description
    /// @param use use of the data area
    /// @param onPrepared called on the reader's thread when the load can continue
    /// @param onFailure removes the module's handle
    /// @param reply receives the length of the description
    LoadTask(
            ExecutorModule module,
            ModuleReader reader,
            ModuleReading reading,
            MemorySegment description,
            AreaUses.Use use,
            Runnable onPrepared,
            Runnable onFailure,
            CallReply reply) {
        this.module = module;
        this.reader = reader;
        this.reading = reading;
        this.description = description;
        this.use = use;
        this.onPrepared = onPrepared;
        this.onFailure = onFailure;
        this.reply = reply;
    }

    @Override
    public boolean advance() {
        if (image == null && !take()) {
            return false;
        }
        if (!hasBegun && !begin() || !preparation.isDone()) {
            return false;
        }
        GpuModule loaded = upload.advance();
        if (loaded == null) {
            return false;
        }
        module.onLoaded(loaded, partBytes);
        module.context().giveBackModule(imageBytes);
        ModuleDescription described = module.description();
        described.write(description);
        use.end();
        reply.complete(CudaResult.SUCCESS, described.bytes(), 0);
        return true;
    }

    /// Takes the image, and counts its memory.
    ///
    /// @return false if the image is not read yet
    private boolean take() {
        if (!reading.isDone()) {
            return false;
        }
        ModuleImage taken = reading.take();
        checkDescription();
        long ofLoad = ModuleParts.bytesOfLoad(taken);
        module.context().takeModule(ofLoad + reading.partBytes());
        imageBytes = ofLoad;
        partBytes = reading.partBytes();
        image = taken;
        return true;
    }

    /// Allocates the memory of the upload, and begins its preparation.
    ///
    /// @return false if the memory may be free later
    private boolean begin() {
        ExecutorContext context = module.context();
        if (!wait.mayTry(context, MemoryWait.AFTER_ALL)) {
            return false;
        }
        try {
            if (upload == null) {
                upload = context.gpu().beginLoad(image);
            }
            upload.allocateStaging();
        } catch (GpuException e) {
            if (!wait.mayRetry(context, e, MemoryWait.AFTER_ALL)) {
                throw e;
            }
            return false;
        }
        hasBegun = true;
        ModuleUpload begun = upload;
        reader.run(() -> preparation.run(begun::prepare, onPrepared));
        return true;
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
        module.context().giveBackModule(imageBytes + partBytes);
        onFailure.run();
        reply.complete(result, neededBytes, 0);
    }
}
