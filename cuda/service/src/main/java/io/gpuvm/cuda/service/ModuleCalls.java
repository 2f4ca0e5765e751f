package io.gpuvm.cuda.service;

import static io.gpuvm.cuda.service.CallChecks.guarded;
import static io.gpuvm.cuda.service.CallChecks.inRange;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.pv.module.KernelAttributes;
import io.gpuvm.pv.module.Occupancy;
import io.gpuvm.pv.runtime.DeviceMemory;
import java.lang.foreign.MemorySegment;

/// Calls for modules, their kernels, variables and textures. Methods throw [CudaCallException] if
/// the call is refused.
final class ModuleCalls {
    /// Maximum length of an image in bytes.
    private static final long MAX_IMAGE_BYTES = 32 << 20;

    /// Length of a SHA-256 hash in bytes.
    private static final int HASH_BYTES = 32;

    /// Range of the preferred division between shared memory and cache, in percent; -1 for none.
    private static final int MIN_CARVEOUT = -1;

    private static final int MAX_CARVEOUT = 100;

    /// Greatest values of `CUfunc_cache`, `CUaddress_mode` and `CUfilter_mode`.
    private static final int MAX_CACHE_CONFIG = 3;

    private static final int MAX_ADDRESS_MODE = 3;
    private static final int MAX_FILTER_MODE = 1;

    /// Greatest number of a dimension of a texture.
    private static final int MAX_DIMENSION = 2;

    private final ModuleReader reader;
    private final LinkQueue links;
    private final Runnable onRead;
    private final Turn turn;
    private final SessionObjects objects;
    private final AreaUses area;

    ModuleCalls(GpuContextExecutor.Parts parts, SessionObjects objects, AreaUses area) {
        reader = parts.modules();
        links = parts.links();
        onRead = parts.onRead();
        turn = parts.turn();
        this.objects = objects;
        this.area = area;
    }

    void load(long call, long context, long module, ModuleRequest request, CallReply reply) {
        ExecutorContext owner = objects.context(context);
        objects.modules().checkFree(module);
        inRange("hash bytes", request.hash().length, HASH_BYTES, HASH_BYTES);
        inRange("image bytes", request.image().byteSize(), 0, MAX_IMAGE_BYTES);
        Cubin known = null;
        if (request.image().byteSize() == 0) {
            known = reader.find(request.hash());
            if (known == null) {
                throw new CudaCallException(
                        CudaResult.NOT_FOUND, "module hash is unknown, expected an image");
            }
        }
        ExecutorModule added = new ExecutorModule(owner, objects.memory());
        objects.modules().put(module, added);
        Runnable onFailure = () -> objects.modules().removeIf(other -> other == added);
        AreaUses.Use use = area.begin(call);
        ModuleReading reading = reader.read(request, known, owner.stackBytes(), onRead);
        owner.begin(
                new LoadTask(
                        added,
                        reader,
                        reading,
                        request.description(),
                        use,
                        onRead,
                        onFailure,
                        reply));
    }

    void link(
            long call,
            long context,
            MemorySegment request,
            MemorySegment response,
            CallReply reply) {
        ExecutorContext owner = objects.context(context);
        inRange("request bytes", request.byteSize(), 1, MAX_IMAGE_BYTES);
        LinkTask task =
                new LinkTask(
                        links,
                        new Linking(links, request, onRead),
                        response,
                        area.begin(call),
                        turn,
                        reply);
        links.enter(task);
        owner.begin(task);
    }

    void unload(long module) {
        ExecutorModule unloaded = objects.module(module);
        unloaded.gpu();
        objects.modules().remove(module);
        objects.textures().removeIf(texture -> texture.module() == unloaded);
        unloaded.close();
    }

    void findVariable(long module, String name, CallReply reply) {
        ExecutorModule searched = objects.module(module);
        DeviceMemory found = guarded(searched.context(), () -> searched.gpu().variable(name));
        reply.complete(CudaResult.SUCCESS, found.gpuVa(), found.bytes());
    }

    void setAttribute(long module, int kernel, int attribute, int value) {
        KernelAttributes attributes = objects.module(module).kernel(kernel).attributes();
        switch (attribute) {
            case CudaExecutor.MAX_DYNAMIC_SHARED_BYTES ->
                    inRange(
                            "dynamic shared bytes",
                            value,
                            0,
                            CubinFunction.MAX_SHARED_BYTES - attributes.sharedBytes());
            case CudaExecutor.SHARED_MEMORY_CARVEOUT ->
                    inRange("carveout", value, MIN_CARVEOUT, MAX_CARVEOUT);
            default ->
                    throw new CudaCallException(
                            CudaResult.INVALID_VALUE,
                            "kernel attribute=%d, expected %d or %d"
                                    .formatted(
                                            attribute,
                                            CudaExecutor.MAX_DYNAMIC_SHARED_BYTES,
                                            CudaExecutor.SHARED_MEMORY_CARVEOUT));
        }
    }

    void setCacheConfig(long module, int kernel, int config) {
        objects.module(module).kernel(kernel);
        inRange("cache config", config, 0, MAX_CACHE_CONFIG);
    }

    void findOccupancy(
            long module, int kernel, int threads, long dynamicSharedBytes, CallReply reply) {
        KernelAttributes attributes = objects.module(module).kernel(kernel).attributes();
        inRange("threads of a block", threads, 1, Integer.MAX_VALUE);
        inRange("dynamic shared bytes", dynamicSharedBytes, 0, Long.MAX_VALUE);
        int blocks = Occupancy.blocks(attributes, threads, dynamicSharedBytes);
        reply.complete(CudaResult.SUCCESS, blocks, 0);
    }

    void findTexture(long module, long texture, String name) {
        ExecutorModule searched = objects.module(module);
        objects.textures().checkFree(texture);
        ExecutorTexture found =
                new ExecutorTexture(
                        searched, guarded(searched.context(), () -> searched.gpu().texture(name)));
        objects.textures().put(texture, found);
    }

    void setTextureAddress(long texture, long address, long bytes) {
        ExecutorTexture bound = objects.texture(texture);
        bound.bind(objects.range(bound.context(), "texture", address), address, bytes);
    }

    void setTextureAddressMode(long texture, int dimension, int mode) {
        objects.texture(texture);
        inRange("texture dimension", dimension, 0, MAX_DIMENSION);
        inRange("address mode", mode, 0, MAX_ADDRESS_MODE);
    }

    void setTextureFilterMode(long texture, int mode) {
        objects.texture(texture);
        inRange("filter mode", mode, 0, MAX_FILTER_MODE);
    }
}
