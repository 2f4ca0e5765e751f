package io.gpuvm.cuda.service;

import io.gpuvm.cuda.service.gpu.ContextTransport;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.runtime.LaunchShape;
import io.gpuvm.pv.transport.GpuAddresses;
import java.lang.foreign.MemorySegment;

/// Executor on the runtime's contexts: each context of the client has its own [GpuContext], with
/// its own address space, so that a failure affects one context. All contexts allocate from the
/// session's range of addresses, so that an address denotes at most one allocation of the session.
public final class GpuContextExecutor implements CudaExecutor {
    /// Collaborators of an executor.
    ///
    /// @param transports source of the contexts' transports
    /// @param device limits of the GPU for the virtual machine
    /// @param addresses range of addresses that the client has reserved
    /// @param modules reader of the virtual machine's modules
    /// @param links compilations and links of the virtual machine
    /// @param onRead called on another thread when a module has been read or linked, so that
    ///   [CudaExecutor#doWork()] makes progress
    /// @param limits maximum numbers of objects
    /// @param heap memory of this process for the objects of the virtual machine's sessions
    /// @param turn current turn of the session
    /// @param errors receiver of errors
    public record Parts(
            ContextTransport.Supplier transports,
            GpuLimits device,
            GpuAddresses addresses,
            ModuleReader modules,
            LinkQueue links,
            Runnable onRead,
            ExecutorLimits limits,
            HeapBudget heap,
            Turn turn,
            ExecutorErrors errors) {}

    private final int operationLimit;
    private final CallGuard guard;
    private final SessionHeap heap;
    private final SessionObjects objects;
    private final SessionContexts contexts;
    private final AreaUses area = new AreaUses();
    private final ContextCalls contextCalls;
    private final ModuleCalls moduleCalls;
    private final MemoryCalls memoryCalls;
    private final StreamCalls streamCalls;
    private final EventCalls eventCalls;
    private final LaunchCalls launchCalls;

    public GpuContextExecutor(Parts parts) {
        GpuLimits device = parts.device();
        operationLimit = parts.limits().operations();
        guard = new CallGuard(parts.errors());
        SessionMeans means = SessionMeans.of(parts);
        heap = means.heap();
        objects = new SessionObjects(parts.limits(), heap, parts.turn());
        contexts = new SessionContexts(parts.limits(), means);
        contextCalls = new ContextCalls(parts, objects, contexts);
        moduleCalls = new ModuleCalls(parts, objects, area);
        memoryCalls = new MemoryCalls(objects, contexts, area);
        streamCalls = new StreamCalls(parts, objects, contexts);
        eventCalls = new EventCalls(objects, contexts);
        launchCalls = new LaunchCalls(device.multiprocessors(), objects, contexts);
    }

    @Override
    public void createContext(long context, long stream, boolean isPrimary, CallReply reply) {
        reply.complete(guard.run(() -> contextCalls.create(context, stream, isPrimary)));
    }

    @Override
    public CudaResult destroyContext(long context) {
        return guard.run(() -> contextCalls.destroy(context));
    }

    @Override
    public void synchronizeContext(long context, CallReply reply) {
        guard.replying(reply, () -> contextCalls.synchronize(context, reply));
    }

    @Override
    public CudaResult setLimit(long context, int limit, long value) {
        return guard.run(() -> contextCalls.setLimit(context, limit, value));
    }

    @Override
    public void loadModule(
            long call, long context, long module, ModuleRequest request, CallReply reply) {
        guard.replying(reply, () -> moduleCalls.load(call, context, module, request, reply));
    }

    @Override
    public void link(
            long call,
            long context,
            MemorySegment request,
            MemorySegment response,
            CallReply reply) {
        guard.replying(reply, () -> moduleCalls.link(call, context, request, response, reply));
    }

    @Override
    public CudaResult unloadModule(long module) {
        return guard.run(() -> moduleCalls.unload(module));
    }

    @Override
    public void findVariable(long module, String name, CallReply reply) {
        guard.replying(reply, () -> moduleCalls.findVariable(module, name, reply));
    }

    @Override
    public CudaResult setKernelAttribute(long module, int kernel, int attribute, int value) {
        return guard.run(() -> moduleCalls.setAttribute(module, kernel, attribute, value));
    }

    @Override
    public CudaResult setCacheConfig(long module, int kernel, int config) {
        return guard.run(() -> moduleCalls.setCacheConfig(module, kernel, config));
    }

    @Override
    public void findOccupancy(
            long module, int kernel, int threads, long dynamicSharedBytes, CallReply reply) {
        guard.replying(
                reply,
                () ->
                        moduleCalls.findOccupancy(
                                module, kernel, threads, dynamicSharedBytes, reply));
    }

    @Override
    public void allocate(long context, long bytes, CallReply reply) {
        guard.replying(reply, () -> memoryCalls.allocate(context, bytes, reply));
    }

    @Override
    public CudaResult free(long address) {
        return guard.run(() -> memoryCalls.free(address));
    }

    @Override
    public void readMemoryInfo(long context, CallReply reply) {
        guard.replying(reply, () -> memoryCalls.readInfo(context, reply));
    }

    @Override
    public CudaResult copyToDevice(long call, long stream, long target, long source, long bytes) {
        try {
            memoryCalls.copyToDevice(call, stream, target, source, bytes);
            return CudaResult.SUCCESS;
        } catch (CudaCallException e) {
            return guard.refuse(e);
        }
    }

    @Override
    public CudaResult copyToArea(long call, long stream, long target, long source, long bytes) {
        try {
            memoryCalls.copyToArea(call, stream, target, source, bytes);
            return CudaResult.SUCCESS;
        } catch (CudaCallException e) {
            return guard.refuse(e);
        }
    }

    @Override
    public CudaResult copy(long call, long stream, long target, long source, long bytes) {
        try {
            memoryCalls.copy(call, stream, target, source, bytes);
            return CudaResult.SUCCESS;
        } catch (CudaCallException e) {
            return guard.refuse(e);
        }
    }

    @Override
    public CudaResult copyBox(long call, long stream, CopyBox box) {
        return guard.run(() -> memoryCalls.copyBox(call, stream, box));
    }

    @Override
    public CudaResult fill(
            long call, long stream, long target, int elementBytes, int value, long count) {
        return guard.run(() ->
                memoryCalls.fill(
                        call, stream, target, MemoryCalls.pattern(elementBytes, value), count));
    }

    @Override
    public CudaResult fillRectangle(
            long call,
            long stream,
            long target,
            long pitch,
            int elementBytes,
            int value,
            long width,
            long height) {
        return guard.run(() ->
                memoryCalls.fillRectangle(
                        call,
                        stream,
                        target,
                        pitch,
                        MemoryCalls.pattern(elementBytes, value),
                        width,
                        height));
    }

    @Override
    public CudaResult createStream(long context, long stream, int flags) {
        return guard.run(() -> streamCalls.create(context, stream, flags));
    }

    @Override
    public CudaResult destroyStream(long stream) {
        return guard.run(() -> streamCalls.destroy(stream));
    }

    @Override
    public void synchronizeStream(long stream, CallReply reply) {
        guard.replying(reply, () -> streamCalls.synchronize(stream, reply));
    }

    @Override
    public CudaResult queryStream(long stream) {
        try {
            return streamCalls.query(stream);
        } catch (CudaCallException e) {
            return guard.refuse(e);
        }
    }

    @Override
    public CudaResult waitEvent(long call, long stream, long event) {
        return guard.run(() -> eventCalls.await(call, stream, event));
    }

    @Override
    public void launchHostFunction(long call, long stream, CallReply reply) {
        guard.replying(reply, () -> streamCalls.launchHostFunction(call, stream, reply));
    }

    @Override
    public CudaResult endHostFunction(long call) {
        return guard.run(() -> streamCalls.hostFunctions().end(call));
    }

    @Override
    public CudaResult createEvent(long context, long event, int flags) {
        return guard.run(() -> eventCalls.create(context, event, flags));
    }

    @Override
    public CudaResult destroyEvent(long event) {
        return guard.run(() -> eventCalls.destroy(event));
    }

    @Override
    public CudaResult recordEvent(long call, long event, long stream) {
        return guard.run(() -> eventCalls.record(call, event, stream));
    }

    @Override
    public void synchronizeEvent(long event, CallReply reply) {
        guard.replying(reply, () -> eventCalls.synchronize(event, reply));
    }

    @Override
    public CudaResult queryEvent(long event) {
        try {
            return eventCalls.query(event);
        } catch (CudaCallException e) {
            return guard.refuse(e);
        }
    }

    @Override
    public void readElapsedTime(long start, long end, CallReply reply) {
        guard.replying(reply, () -> eventCalls.readElapsedTime(start, end, reply));
    }

    @Override
    public CudaResult launch(
            long call,
            long stream,
            long module,
            int kernel,
            LaunchShape shape,
            boolean isCooperative,
            MemorySegment parameters) {
        try {
            launchCalls.launch(call, stream, module, kernel, shape, isCooperative, parameters);
            return CudaResult.SUCCESS;
        } catch (CudaCallException e) {
            return guard.refuse(e);
        }
    }

    @Override
    public void findTexture(long module, long texture, String name, CallReply reply) {
        reply.complete(guard.run(() -> moduleCalls.findTexture(module, texture, name)));
    }

    @Override
    public CudaResult setTextureAddress(long texture, long address, long bytes) {
        return guard.run(() -> moduleCalls.setTextureAddress(texture, address, bytes));
    }

    @Override
    public CudaResult setTextureFormat(long texture, int format, int components) {
        return guard.run(() -> objects.texture(texture).format(format, components));
    }

    @Override
    public CudaResult setTextureFlags(long texture, int flags) {
        return guard.run(() -> objects.texture(texture).flags(flags));
    }

    @Override
    public CudaResult setTextureAddressMode(long texture, int dimension, int mode) {
        return guard.run(() -> moduleCalls.setTextureAddressMode(texture, dimension, mode));
    }

    @Override
    public CudaResult setTextureFilterMode(long texture, int mode) {
        return guard.run(() -> moduleCalls.setTextureFilterMode(texture, mode));
    }

    @Override
    public long oldestAreaUse() {
        return area.oldest();
    }

    @Override
    public void answerAfterAreaUse(long call, CallReply reply) {
        area.answerAfterUse(call, reply);
    }

    @Override
    public int answerAreaUses() {
        return area.answer();
    }

    @Override
    public boolean isAccepting() {
        return contexts.pendingOperations() < operationLimit
                || streamCalls.hostFunctions().areRunning();
    }

    @Override
    public int doWork() {
        int work = contexts.doWork();
        contexts.flush();
        return work;
    }

    @Override
    public void flush() {
        contexts.flush();
    }

    @Override
    public boolean isWaiting() {
        return contexts.areWaiting() || oldestAreaUse() != NO_CALL;
    }

    @Override
    public void close() {
        try {
            contexts.terminate();
        } finally {
            heap.close();
        }
    }
}
