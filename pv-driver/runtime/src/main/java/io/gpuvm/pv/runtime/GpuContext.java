package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.HostMemory;

/// A program's use of a GPU: its memory, modules and streams. Any thread.
///
/// After [GpuError#LAUNCH_FAILED], [GpuError#LAUNCH_TIMEOUT] or [GpuError#LOST] every call throws
/// the same again; only [#close()] is of use then. After that, every call throws
/// [GpuError#INVALID_HANDLE].
public final class GpuContext implements AutoCloseable {
    private final GpuTransport transport;
    private final GpuLimits limits;
    private final ContextState state = new ContextState();
    private final CommandQueues queues;
    private final Memories memories;
    private final TimeSlots timeSlots;
    private final PageableCopies pageable;
    private final Launches launches;
    private final ModuleLoader loader;
    private final GpuStream defaultStream;

    private GpuContext(GpuTransport transport) {
        this.transport = transport;
        limits = transport.limits();
        queues = new CommandQueues(transport, state, new GpuWait(transport, state));
        memories = new Memories(transport, state, queues);
        timeSlots = new TimeSlots(memories);
        pageable = new PageableCopies(this, memories);
        launches = new Launches(this, memories);
        loader = new ModuleLoader(this, memories, launches);
        defaultStream = newStream();
    }

    /// @param transport becomes the context's, which closes it; also if this fails
    /// @throws GpuException [GpuError#OUT_OF_RESOURCES], [GpuError#OUT_OF_MEMORY] if there is no
    ///   channel left, or no memory for one
    public static GpuContext open(GpuTransport transport) {
        try {
            return new GpuContext(transport);
        } catch (RuntimeException e) {
            transport.close();
            throw e;
        }
    }

    public GpuLimits limits() {
        return limits;
    }

    /// @throws GpuException [GpuError#OUT_OF_MEMORY], [GpuError#INVALID_VALUE]
    public DeviceMemory allocate(long bytes) {
        VramHeap.Taken taken = memories.takeVram(bytes);
        return new DeviceMemory(new Allocation(this, taken.gpuVa(), bytes, taken.release()), false);
    }

    /// @throws GpuException [GpuError#OUT_OF_MEMORY], [GpuError#INVALID_VALUE]
    public PinnedMemory allocatePinned(long bytes) {
        HostMemory memory = memories.takeHost(bytes);
        return new PinnedMemory(
                new Allocation(this, memory.gpuVa(), bytes, memory::close),
                memory.segment().asSlice(0, bytes));
    }

    /// Loads the contents of a cubin.
    ///
    /// @throws GpuException [GpuError#INVALID_IMAGE], [GpuError#OUT_OF_MEMORY]
    public GpuModule load(byte[] cubin) {
        return load(ModuleLoader.read(cubin));
    }

    /// @throws GpuException [GpuError#INVALID_IMAGE], [GpuError#OUT_OF_MEMORY]
    public GpuModule load(Cubin cubin) {
        return loader.load(defaultStream, cubin);
    }

    /// The stream for those who need no other. It cannot be closed.
    public GpuStream defaultStream() {
        return defaultStream;
    }

    /// A stream with a channel of its own, or, beyond some number, with one that it shares.
    ///
    /// @throws GpuException [GpuError#OUT_OF_MEMORY]
    public GpuStream newStream() {
        state.check();
        return new GpuStream(this, queues.take());
    }

    /// @throws GpuException [GpuError#OUT_OF_MEMORY]
    public GpuEvent newEvent() {
        state.check();
        return new GpuEvent(this, timeSlots.take());
    }

    /// Waits until everything submitted so far is done, on all streams.
    public void synchronize() {
        state.check();
        queues.submitted().await();
    }

    /// Waits for the work under way, then frees everything. A second call does nothing.
    @Override
    public void close() {
        try {
            if (!state.isClosed() && !state.hasFailed()) {
                queues.submitted().await();
            }
        } catch (GpuException _) {
            // Failed meanwhile, or closed by another thread: nothing to wait for.
        } finally {
            if (state.close()) {
                // Who has a queue's lock writes to the memory that goes now.
                queues.submitted();
                transport.close();
            }
        }
    }

    /// @throws GpuException if the context is of no use any more
    void check() {
        state.check();
    }

    void freeLater(Runnable release) {
        memories.freeLater(release);
    }

    void giveBack(CommandQueue queue) {
        queues.giveBack(queue);
    }

    PageableCopies pageable() {
        return pageable;
    }

    Launches launches() {
        return launches;
    }
}
