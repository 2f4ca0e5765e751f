package io.gpuvm.cuda.service.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.cuda.protocol.CudaReply;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.cuda.protocol.DeviceFacts;
import io.gpuvm.cuda.protocol.ModuleDescription;
import io.gpuvm.cuda.service.BorrowedTransport;
import io.gpuvm.cuda.service.HeapBudget;
import io.gpuvm.cuda.service.LinkQueue;
import io.gpuvm.cuda.service.ModuleCache;
import io.gpuvm.cuda.service.ModuleReader;
import io.gpuvm.cuda.service.TestTurn;
import io.gpuvm.cuda.service.gpu.ContextTransport;
import io.gpuvm.pv.bare.NativeTransport;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.protocol.PvLimits;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.transport.AddressRange;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import io.gpuvm.tests.cuda.CudaCompletion;
import io.gpuvm.tests.cuda.CudaTestClient;
import io.gpuvm.tests.gpu.RunningGpu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// Front end with a client in the same thread. Each context has a software GPU of its own. The GPU
/// of the first context uses the memory of the area, which the context's end does not free; those
/// of other contexts have a data area of their own.
final class TestFrontEnd implements AutoCloseable {
    static final AddressRange RANGE = new AddressRange(0x41_0000_0000L, 1L << 30);
    static final long DATA_ADDRESS = 0x80_0000_0000L;
    static final long VRAM_BYTES = 64 << 20;
    static final long DATA_BYTES = 4 << 20;

    /// Memory for the objects of the session.
    static final long HEAP_BYTES = 64 << 20;

    /// Offset of the range for facts and descriptions in the data area.
    static final long REPLY = 3 << 20;

    static final long REPLY_BYTES = 128 << 10;

    /// Number of entries that a turn takes.
    private static final int TURN_ENTRIES = 8;

    /// Settings of a front end.
    ///
    /// @param gpu settings of the software GPUs, as on the command line
    /// @param submissionEntries number of entries of the submission ring
    /// @param completionEntries number of entries of the completion ring
    /// @param loader runs the reading of modules
    /// @param contexts number of contexts that can exist at the same time
    record Settings(
            String gpu,
            int submissionEntries,
            int completionEntries,
            Consumer<Runnable> loader,
            int contexts) {
        static final Settings DEFAULT = new Settings("workers=2", 64, 64, Runnable::run, 8);

        Settings withGpu(String settings) {
            return new Settings(settings, submissionEntries, completionEntries, loader, contexts);
        }

        Settings withEntries(int submissions, int completions) {
            return new Settings(gpu, submissions, completions, loader, contexts);
        }

        Settings withLoader(Consumer<Runnable> executor) {
            return new Settings(gpu, submissionEntries, completionEntries, executor, contexts);
        }

        Settings withContexts(int limit) {
            return new Settings(gpu, submissionEntries, completionEntries, loader, limit);
        }
    }

    /// Part of pinned memory; it ends with the transport.
    private record Part(HostMemory whole, long offset, long bytes) implements HostMemory {
        @Override
        public MemorySegment segment() {
            return whole.segment().asSlice(offset, bytes);
        }

        @Override
        public long gpuVa() {
            return whole.gpuVa() + offset;
        }

        @Override
        public void close() {}
    }

    private final Settings settings;
    private final AreaLayout layout;
    private final List<RunningGpu> gpus = new ArrayList<>();
    private final List<RunningGpu> freeGpus = new ArrayList<>();
    private final NativeTransport areaTransport;
    private final HostMemory areaMemory;

    /// Transport of the first context; null once the context has it.
    private ContextTransport first;

    final CudaFrontEnd frontEnd;
    final CudaTestClient client;
    final SharedArea area;
    final RefusalLog log = new RefusalLog();

    final TestTurn turn = new TestTurn();
    final HeapBudget heap = new HeapBudget(HEAP_BYTES, 1);

    /// Number of times that the front end has woken the client.
    int wakes;

    private int lastIndex;

    TestFrontEnd() {
        this(Settings.DEFAULT);
    }

    TestFrontEnd(Settings settings) {
        this.settings = settings;
        layout =
                AreaLayout.of(
                        1, settings.submissionEntries(), settings.completionEntries(), DATA_BYTES);
        areaTransport = NativeTransport.open(newGpu().device());
        areaMemory = areaTransport.allocateHost(layout.bytes());
        first =
                new ContextTransport(
                        new BorrowedTransport(areaTransport, () -> {}, () -> {}),
                        dataArea(areaMemory));
        GpuLimits gpu = new GpuLimits("test", VRAM_BYTES, 128, 14, 2);
        area =
                SharedArea.create(
                        areaMemory.segment(), layout, new PvLimits(gpu, 64, 16, 1 << 20, 1024, 1));
        frontEnd =
                new CudaFrontEnd(
                        area,
                        () -> wakes++,
                        log,
                        new Connection.Parts(
                                "vm",
                                gpu,
                                _ -> this::open,
                                new ModuleReader(new ModuleCache(1 << 20), settings.loader()),
                                new LinkQueue(1 << 20, 64 << 20, settings.loader()),
                                heap,
                                turn,
                                () -> {}));
        client = new CudaTestClient(area, this::turn);
    }

    private RunningGpu newGpu() {
        RunningGpu gpu = new RunningGpu(settings.gpu());
        gpus.add(gpu);
        return gpu;
    }

    private Part dataArea(HostMemory memory) {
        return new Part(memory, layout.data(), layout.dataBytes());
    }

    private ContextTransport open() {
        ContextTransport opened = first;
        first = null;
        if (opened != null) {
            return opened;
        }
        if (freeGpus.isEmpty() && gpus.size() > settings.contexts()) {
            throw new TransportException(
                    "contexts=%d, limit=%d".formatted(gpus.size(), settings.contexts()));
        }
        RunningGpu gpu = freeGpus.isEmpty() ? newGpu() : freeGpus.removeLast();
        NativeTransport transport = NativeTransport.open(gpu.device());
        AtomicBoolean isOpen = new AtomicBoolean(true);
        Runnable onClose =
                () -> {
                    if (isOpen.compareAndSet(true, false)) {
                        transport.close();
                        freeGpus.add(gpu);
                    }
                };
        return new ContextTransport(
                new BorrowedTransport(transport, () -> {}, onClose),
                dataArea(transport.allocateHost(layout.bytes())));
    }

    /// Makes the first context use a GPU as the others do, so that it frees all its resources.
    void endFirstGpu() {
        first = null;
    }

    /// Runs a turn of the front end.
    void turn() {
        frontEnd.doWork(TURN_ENTRIES);
        Thread.onSpinWait();
    }

    /// Returns a handle of a new object of any kind except a context.
    long newHandle() {
        lastIndex++;
        return lastIndex | (long) lastIndex << 40;
    }

    static CudaCall.Connect connect() {
        return connect(RANGE, DATA_ADDRESS);
    }

    static CudaCall.Connect connect(AddressRange range, long dataAddress) {
        return new CudaCall.Connect(
                REPLY,
                DeviceFacts.BYTES,
                CudaOpcode.WIRE_HASH,
                range.first(),
                range.bytes(),
                dataAddress);
    }

    /// Makes a call that succeeds.
    CudaCompletion succeed(CudaCall call) {
        CudaCompletion completion = client.call(call);
        assertStatus(CudaStatus.SUCCESS, completion);
        return completion;
    }

    static void assertStatus(int expected, CudaCompletion completion) {
        assertEquals(CudaStatus.nameOf(expected), CudaStatus.nameOf(completion.status()), "status");
    }

    static byte[] sha256(byte[] image) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(image);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /// Returns the call that loads a module from the start of the data area, where this method
    /// writes the image.
    CudaCall.ModuleLoadData load(long context, long module, byte[] image) {
        MemorySegment.copy(image, 0, client.data(), ValueLayout.JAVA_BYTE, 0, image.length);
        return new CudaCall.ModuleLoadData(
                context,
                module,
                0,
                image.length,
                REPLY,
                REPLY_BYTES,
                ByteBuffer.wrap(sha256(image)));
    }

    /// Context of a connected session, with its default stream.
    final class Context {
        final long handle = 1;
        final long stream = newHandle();

        Context() {
            succeed(connect());
            succeed(new CudaCall.CtxCreate(handle, 0, 0, stream));
        }

        long allocate(long bytes) {
            return CudaReply.MemAlloc.read(succeed(new CudaCall.MemAlloc(handle, bytes)).entry())
                    .address();
        }

        /// Loads a module.
        ///
        /// @return handle of the module, whose description is at [#REPLY]
        long load(byte[] image) {
            long module = newHandle();
            succeed(TestFrontEnd.this.load(handle, module, image));
            return module;
        }

        ModuleDescription description() {
            return ModuleDescription.read(client.data().asSlice(REPLY, REPLY_BYTES));
        }

        /// Returns the launch of one thread of a kernel with an address and an integer as
        /// parameters.
        CudaCall.LaunchKernel launch(long module, int kernel, long address, int value) {
            ByteBuffer parameters =
                    ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(address)
                            .putInt(value)
                            .flip();
            return new CudaCall.LaunchKernel(
                    module, kernel, 0, 1, 1, 1, 1, 1, 1, 0, stream, parameters);
        }

        /// Returns the GPU address of an offset in the data area.
        long areaAddress(long offset) {
            return areaMemory.gpuVa() + layout.data() + offset;
        }

        /// Reads an integer of the GPU's memory.
        int readInt(long address) {
            succeed(new CudaCall.MemcpyDtoH(0, address, Integer.BYTES, stream));
            return client.data().get(ValueLayout.JAVA_INT, 0);
        }
    }

    @Override
    public void close() {
        frontEnd.close();
        areaTransport.close();
        gpus.forEach(RunningGpu::close);
    }
}
