package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.GpuBuffer;
import io.gpuvm.pv.runtime.PinnedMemory;

/// Objects of a session by handle, and memory by address. Methods that take a handle throw
/// [CudaCallException] if it denotes no object, or if the context has failed.
final class SessionObjects {
    private final HandleTable<ExecutorContext> contexts;
    private final HandleTable<ExecutorModule> modules;
    private final HandleTable<ExecutorStream> streams;
    private final HandleTable<ExecutorEvent> events;
    private final HandleTable<ExecutorTexture> textures;
    private final AddressMap memory;

    SessionObjects(ExecutorLimits limits, SessionHeap heap, Turn turn) {
        CudaResult invalid = CudaResult.INVALID_HANDLE;
        int bytes = SessionHeap.OBJECT_BYTES;
        contexts =
                new HandleTable<>(
                        "context", CudaResult.INVALID_CONTEXT, limits.contexts(), heap, 0);
        modules = new HandleTable<>("module", invalid, limits.modules(), heap, bytes);
        // Destroyed streams with pending operations also need memory.
        streams = new HandleTable<>("stream", invalid, limits.streams(), heap, 0);
        events = new HandleTable<>("event", invalid, limits.events(), heap, bytes);
        textures = new HandleTable<>("texture", invalid, limits.textures(), heap, bytes);
        memory = new AddressMap(heap, turn);
    }

    HandleTable<ExecutorContext> contexts() {
        return contexts;
    }

    HandleTable<ExecutorModule> modules() {
        return modules;
    }

    HandleTable<ExecutorStream> streams() {
        return streams;
    }

    HandleTable<ExecutorEvent> events() {
        return events;
    }

    HandleTable<ExecutorTexture> textures() {
        return textures;
    }

    AddressMap memory() {
        return memory;
    }

    ExecutorContext context(long handle) {
        ExecutorContext context = contexts.get(handle);
        context.check();
        return context;
    }

    ExecutorStream stream(long handle) {
        ExecutorStream stream = streams.get(handle);
        stream.context().check();
        return stream;
    }

    ExecutorModule module(long handle) {
        ExecutorModule module = modules.get(handle);
        module.context().check();
        return module;
    }

    ExecutorEvent event(long handle) {
        ExecutorEvent event = events.get(handle);
        event.context().check();
        return event;
    }

    ExecutorTexture texture(long handle) {
        ExecutorTexture texture = textures.get(handle);
        texture.context().check();
        return texture;
    }

    /// Removes all objects of a context.
    void removeAllOf(ExecutorContext context) {
        streams.removeIf(stream -> stream.context() == context);
        events.removeIf(event -> event.context() == context);
        modules.removeIf(module -> module.context() == context);
        textures.removeIf(texture -> texture.context() == context);
        memory.removeIf(range -> range.context() == context);
    }

    /// Returns the memory at an address of the GPU: an allocation, a module, or the data area.
    ///
    /// @param name name of the operand, for messages
    GpuBuffer buffer(ExecutorContext context, String name, long address) {
        PinnedMemory area = context.area();
        long offset = address - area.gpuVa();
        if (offset >= 0 && offset < area.bytes()) {
            return area;
        }
        return range(context, name, address).memory();
    }

    /// Returns the allocation or module that contains an address.
    MemoryRange range(ExecutorContext context, String name, long address) {
        MemoryRange range = memory.find(address);
        if (range == null || range.context() != context) {
            throw new CudaCallException(
                    CudaResult.INVALID_VALUE,
                    "%s address=%#x, expected an address in memory of the context"
                            .formatted(name, address));
        }
        return range;
    }
}
