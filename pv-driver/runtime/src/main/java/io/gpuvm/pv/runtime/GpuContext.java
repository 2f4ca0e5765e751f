package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.assertion.FailedAssertion;
import io.gpuvm.pv.module.ModuleImage;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import java.util.List;

/// A program's use of a GPU: its memory, modules and streams. Any thread.
///
/// After [GpuError#LAUNCH_FAILED], [GpuError#LAUNCH_TIMEOUT] or [GpuError#LOST] every call except
/// [#close()] throws the same error again. After [#close()], every call throws
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
    private final LoadedModules modules = new LoadedModules();
    private final Assertions assertions;
    private final ModuleLoader loader;
    private final GpuStream defaultStream;

    private GpuContext(GpuTransport transport, ContextSettings settings) {
        this.transport = transport;
        limits = transport.limits();
        queues = new CommandQueues(transport, state, new GpuWait(transport, state));
        memories = new Memories(transport, state, queues, settings);
        timeSlots = new TimeSlots(memories);
        pageable = new PageableCopies(this, memories);
        launches = new Launches(this, memories);
        assertions = new Assertions(memories);
        loader = new ModuleLoader(this, memories, launches);
        defaultStream = newStream();
    }

    /// @param transport transport; owned by the context, which closes it, even on failure
    /// @throws GpuException [GpuError#OUT_OF_RESOURCES] if no channel, or no memory for a channel,
    ///   is left
    public static GpuContext open(GpuTransport transport) {
        return open(transport, ContextSettings.DEFAULT);
    }

    /// Opens a context as [#open(GpuTransport)] does.
    ///
    /// @throws GpuException also [GpuError#INVALID_VALUE] if the transport cannot allocate the
    ///   settings' addresses
    public static GpuContext open(GpuTransport transport, ContextSettings settings) {
        try {
            reserve(transport, settings.deviceAddresses());
            return new GpuContext(transport, settings);
        } catch (RuntimeException | Error e) {
            transport.close();
            throw e;
        }
    }

    private static void reserve(GpuTransport transport, GpuAddresses addresses) {
        if (addresses == null) {
            return;
        }
        try {
            transport.reserve(addresses.range());
        } catch (TransportException e) {
            throw new GpuException(GpuError.INVALID_VALUE, e.getMessage(), e);
        }
    }

    public GpuLimits limits() {
        return limits;
    }

    /// Returns the number of bytes of VRAM that are left, without memory whose release waits for
    /// earlier work. Other users of the GPU may allocate them at any time.
    public long freeVramBytes() {
        return memories.freeVramBytes();
    }

    /// Runs the pending releases whose work is done, and returns the numbers of releases. Does not
    /// wait; if the settings exclude waiting for memory, a call runs a limited number of releases.
    public Releases releases() {
        state.check();
        return memories.releases();
    }

    /// @throws GpuException [GpuError#OUT_OF_MEMORY] if not enough VRAM is left,
    ///   [GpuError#INVALID_VALUE] if `bytes` is less than 1
    public DeviceMemory allocate(long bytes) {
        VramHeap.Taken taken = memories.takeVram(bytes);
        return new DeviceMemory(new Allocation(this, taken.gpuVa(), bytes, taken.release()), false);
    }

    /// @throws GpuException [GpuError#OUT_OF_MEMORY] if not enough memory is left,
    ///   [GpuError#INVALID_VALUE] if `bytes` is less than 1
    public PinnedMemory allocatePinned(long bytes) {
        HostMemory memory = memories.takeHost(bytes);
        return new PinnedMemory(
                new Allocation(this, memory.gpuVa(), bytes, memory::close),
                memory.segment().asSlice(0, bytes));
    }

    /// Returns memory that the caller has allocated from this context's transport, for copies and
    /// fills. [GpuBuffer#close()] makes the result unusable, but does not free the memory.
    public PinnedMemory wrap(HostMemory memory) {
        state.check();
        return new PinnedMemory(
                new Allocation(this, memory.gpuVa(), memory.bytes(), () -> {}), memory.segment());
    }

    /// Loads the contents of a cubin, a fatbin, or a source in PTX, which is compiled for as many
    /// registers as the GPU has.
    ///
    /// @throws GpuException [GpuError#INVALID_IMAGE] if the file is not a module for this GPU,
    ///   [GpuError#OUT_OF_MEMORY] if not enough memory is left
    public GpuModule load(byte[] file) {
        return load(file, PtxOptions.DEFAULT);
    }

    /// Loads a module as [#load(byte[])] does.
    ///
    /// @param options options for the compiler of PTX
    public GpuModule load(byte[] file, PtxOptions options) {
        return load(ModuleFiles.read(file, options));
    }

    /// @throws GpuException [GpuError#INVALID_IMAGE] if the file is not a module for this GPU,
    ///   [GpuError#OUT_OF_MEMORY] if not enough memory is left
    public GpuModule load(Cubin cubin) {
        return loader.load(defaultStream, cubin);
    }

    /// Begins to load a module, without waiting.
    ///
    /// @throws GpuException as [#load(Cubin)]
    public ModuleUpload beginLoad(ModuleImage image) {
        return loader.begin(image);
    }

    /// Returns the context's default stream, for programs that need only one stream.
    /// [GpuStream#close()] does not close this stream.
    public GpuStream defaultStream() {
        return defaultStream;
    }

    /// Creates a stream with its own channel or, if no channel or no memory for it is left, with a
    /// shared channel.
    public GpuStream newStream() {
        state.check();
        return new GpuStream(this, queues.take());
    }

    /// @throws GpuException [GpuError#OUT_OF_MEMORY] if no memory is left
    public GpuEvent newEvent() {
        state.check();
        return new GpuEvent(this, timeSlots.take());
    }

    /// Starts the GPU on all launches of [GpuStream#offerLaunch].
    public void flush() {
        queues.flush();
    }

    /// Waits until all submitted work is done, on all streams.
    public void synchronize() {
        state.check();
        queues.submitted().await();
    }

    /// Returns the first failure, or null if the context has not failed.
    public ChannelFailure failure() {
        return state.cause();
    }

    /// Returns the kernel in which the context has failed; null if the context has not failed, or
    /// if the GPU, like hardware, does not know the kernel.
    public KernelFault kernelFault() {
        ChannelFailure failure = state.cause();
        return failure == null || failure.position() == null
                ? null
                : modules.locate(failure.position());
    }

    /// Returns the assertions that have failed in the context's kernels, at most
    /// [AssertionBuffer#RECORDS]. Called while no kernel runs, and before the context is closed.
    public List<FailedAssertion> failedAssertions() {
        return assertions.failed();
    }

    /// Ends all work, even if it is incomplete, and frees all resources. Does not wait for work. A
    /// second call, also of [#close()], has no effect.
    public void terminate() {
        if (state.close()) {
            // Waits for threads that hold a queue's lock and write to memory that is freed next.
            queues.submitted();
            try {
                transport.close();
            } finally {
                memories.end();
            }
        }
    }

    /// Waits for work in flight, then frees all resources. A second call has no effect.
    @Override
    public void close() {
        try {
            if (!state.isClosed() && !state.hasFailed()) {
                queues.submitted().await();
            }
        } catch (GpuException _) {
            // The context has failed, or another thread has closed it, so there is no work to wait
            // for.
        } finally {
            terminate();
        }
    }

    /// @throws GpuException if the context is unusable
    void check() {
        state.check();
    }

    void freeLater(Runnable release) {
        memories.freeLater(release);
    }

    void giveBack(CommandQueue queue) {
        queues.giveBack(queue);
    }

    LoadedModules modules() {
        return modules;
    }

    Assertions assertions() {
        return assertions;
    }

    PageableCopies pageable() {
        return pageable;
    }

    Launches launches() {
        return launches;
    }
}
