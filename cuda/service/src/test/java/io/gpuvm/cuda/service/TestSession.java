package io.gpuvm.cuda.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.gpuvm.cuda.protocol.KernelReport;
import io.gpuvm.cuda.protocol.ModuleDescription;
import io.gpuvm.cuda.service.gpu.ContextTransport;
import io.gpuvm.pv.bare.NativeTransport;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.runtime.LaunchShape;
import io.gpuvm.pv.transport.AddressRange;
import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import io.gpuvm.tests.gpu.RunningGpu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Session whose contexts have a software GPU each, and therefore a data area each.
final class TestSession implements AutoCloseable, ExecutorErrors {
    /// Memory for the objects of a session.
    static final long HEAP_BYTES = 64 << 20;

    static final AddressRange RANGE = new AddressRange(0x41_0000_0000L, 1L << 30);
    static final int AREA_BYTES = 4 << 20;
    static final int DESCRIPTION_BYTES = 64 << 10;
    static final long VRAM_BYTES = 64 << 20;
    static final int MULTIPROCESSORS = 14;

    /// Results of a call with a reply.
    record Answer(CudaResult result, long first, long second) {}

    private final String settings;
    private final List<RunningGpu> gpus = new ArrayList<>();
    private final List<HostMemory> areas = new ArrayList<>();

    /// Errors of calls, as texts with their results.
    final List<String> refused = new ArrayList<>();

    /// Errors of operations after their calls, with the numbers of the calls.
    final List<String> failedLater = new ArrayList<>();

    /// Reports about failed kernels.
    final List<KernelReport> reports = new ArrayList<>();

    final ModuleCache cache;
    final HeapBudget heap;
    final TestTurn turn = new TestTurn();

    /// True if no memory of the host is left for the contexts.
    boolean isHostMemoryUsedUp;

    /// True if transports fail to close.
    boolean isTransportBroken;

    final GpuContextExecutor executor;
    private long lastCall;
    private int lastHandle;
    private int lastContext;

    TestSession() {
        this("workers=2", ExecutorLimits.DEFAULT, new ModuleCache(1 << 20));
    }

    /// @param settings settings of the software GPUs, as on the command line
    TestSession(String settings, ExecutorLimits limits, ModuleCache cache) {
        this(settings, limits, cache, Runnable::run);
    }

    /// @param modules runs the reading of modules
    TestSession(
            String settings, ExecutorLimits limits, ModuleCache cache, Consumer<Runnable> modules) {
        this(
                settings,
                limits,
                cache,
                modules,
                new LinkQueue(1 << 20, 64 << 20, modules),
                new HeapBudget(HEAP_BYTES, 1));
    }

    /// @param links compilations and links of all sessions
    TestSession(LinkQueue links) {
        this(
                "workers=1",
                ExecutorLimits.DEFAULT,
                new ModuleCache(1 << 20),
                Runnable::run,
                links,
                new HeapBudget(HEAP_BYTES, 1));
    }

    /// @param heap memory for the objects of all sessions
    TestSession(HeapBudget heap) {
        this(
                "workers=1",
                ExecutorLimits.DEFAULT,
                new ModuleCache(1 << 20),
                Runnable::run,
                new LinkQueue(1 << 20, 64 << 20, Runnable::run),
                heap);
    }

    private TestSession(
            String settings,
            ExecutorLimits limits,
            ModuleCache cache,
            Consumer<Runnable> modules,
            LinkQueue links,
            HeapBudget heap) {
        this.settings = settings;
        this.heap = heap;
        this.cache = cache;
        executor =
                new GpuContextExecutor(
                        new GpuContextExecutor.Parts(
                                this::open,
                                new GpuLimits("test", VRAM_BYTES, 128, MULTIPROCESSORS, 2),
                                GpuAddresses.within(RANGE),
                                new ModuleReader(cache, modules),
                                links,
                                () -> {},
                                limits,
                                heap,
                                turn,
                                this));
    }

    private ContextTransport open() {
        RunningGpu gpu = new RunningGpu(settings);
        gpus.add(gpu);
        GpuTransport transport = NativeTransport.open(gpu.device());
        try {
            HostMemory area = transport.allocateHost(AREA_BYTES);
            areas.add(area);
            return new ContextTransport(
                    new BorrowedTransport(transport, this::checkHostMemory, () -> close(transport)),
                    area);
        } catch (TransportException e) {
            transport.close();
            throw e;
        }
    }

    private void close(GpuTransport transport) {
        transport.close();
        if (isTransportBroken) {
            throw new IllegalStateException("transport is broken");
        }
    }

    private void checkHostMemory() {
        if (isHostMemoryUsedUp) {
            throw new TransportException("host memory is used up");
        }
    }

    @Override
    public void onRefused(CudaResult result, String message) {
        refused.add(result + ": " + message);
    }

    @Override
    public void onFailedLater(long call, CudaResult result, String message) {
        failedLater.add(call + " " + result + ": " + message);
    }

    @Override
    public void onReport(KernelReport report) {
        reports.add(report);
    }

    /// Returns a handle for a new object of any kind except a context; no two handles are equal.
    long newHandle() {
        lastHandle++;
        return lastHandle | (long) lastHandle << 40;
    }

    /// Returns a handle for a new context; no two handles are equal.
    long newContextHandle() {
        lastContext++;
        return lastContext | (long) lastContext << 40;
    }

    long newCall() {
        return ++lastCall;
    }

    /// Makes a call, and works until its reply.
    Answer await(Consumer<CallReply> call) {
        Answer[] answer = new Answer[1];
        call.accept((result, first, second) -> {
            assertNull(answer[0], "second reply");
            answer[0] = new Answer(result, first, second);
        });
        workUntil(() -> answer[0] != null);
        return answer[0];
    }

    /// Makes a call whose reply arrives later.
    ///
    /// @return list that receives the result
    List<CudaResult> begin(Consumer<CallReply> call) {
        List<CudaResult> results = new ArrayList<>();
        call.accept((result, _, _) -> results.add(result));
        return results;
    }

    void workUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            executor.doWork();
            Thread.onSpinWait();
        }
    }

    static void assertSuccess(CudaResult result) {
        assertEquals(CudaResult.SUCCESS, result);
    }

    /// Context of a session, with a module and handles of its objects.
    final class Context {
        final long handle = newContextHandle();
        final long stream = newHandle();
        final MemorySegment description = segment(new byte[DESCRIPTION_BYTES]);
        private final int index = areas.size();
        private long module;

        Context() {
            assertSuccess(
                    await(reply -> executor.createContext(handle, stream, false, reply)).result());
        }

        MemorySegment area() {
            return areas.get(index).segment();
        }

        /// Returns the GPU address of an offset in the data area.
        long areaAddress(long offset) {
            return areas.get(index).gpuVa() + offset;
        }

        long newStream(int flags) {
            long created = newHandle();
            assertSuccess(executor.createStream(handle, created, flags));
            return created;
        }

        long newEvent() {
            long created = newHandle();
            assertSuccess(executor.createEvent(handle, created, 0));
            return created;
        }

        long allocate(long bytes) {
            Answer answer = await(reply -> executor.allocate(handle, bytes, reply));
            assertSuccess(answer.result());
            return answer.first();
        }

        long freeVramBytes() {
            Answer answer = await(reply -> executor.readMemoryInfo(handle, reply));
            assertSuccess(answer.result());
            return answer.first();
        }

        /// Returns the module with the kernels of [Kernels], which is loaded once.
        long module() {
            if (module == 0) {
                module = load(Kernels.cubin());
            }
            return module;
        }

        long load(byte[] image) {
            long loaded = newHandle();
            assertSuccess(loadResult(loaded, image));
            return loaded;
        }

        CudaResult loadResult(long loaded, byte[] image) {
            return load(loaded, new ModuleRequest(sha256(image), segment(image), description))
                    .result();
        }

        /// Loads a module whose description is expected in [#description()].
        Answer load(long loaded, ModuleRequest request) {
            return await(reply -> executor.loadModule(newCall(), handle, loaded, request, reply));
        }

        /// Returns the description of the module that was loaded last.
        ModuleDescription description() {
            return ModuleDescription.read(description);
        }

        /// Launches a kernel with an address and an integer as parameters.
        CudaResult launch(long onStream, int kernel, int threads, long address, int value) {
            MemorySegment parameters = MemorySegment.ofArray(new byte[Kernels.BYTES_OF_TWO]);
            parameters.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, address);
            parameters.set(ValueLayout.JAVA_INT_UNALIGNED, Long.BYTES, value);
            return executor.launch(
                    newCall(),
                    onStream,
                    module(),
                    kernel,
                    LaunchShape.of(1, threads),
                    false,
                    parameters);
        }

        /// Blocks a stream until [#releaseSpin()].
        void spin(long onStream) {
            area().set(ValueLayout.JAVA_INT, AREA_BYTES - Long.BYTES, 0);
            long flag = areaAddress(AREA_BYTES - Long.BYTES);
            assertSuccess(launch(onStream, Kernels.SPIN, 1, flag, 0));
        }

        void releaseSpin() {
            area().set(ValueLayout.JAVA_INT, AREA_BYTES - Long.BYTES, 1);
        }

        void write(long address, byte[] contents) {
            MemorySegment.copy(contents, 0, area(), ValueLayout.JAVA_BYTE, 0, contents.length);
            assertSuccess(executor.copyToDevice(newCall(), stream, address, 0, contents.length));
            synchronize(stream);
        }

        byte[] read(long address, int bytes) {
            assertSuccess(executor.copyToArea(newCall(), stream, 0, address, bytes));
            synchronize(stream);
            return area().asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
        }

        int readInt(long address) {
            return MemorySegment.ofArray(read(address, Integer.BYTES))
                    .get(ValueLayout.JAVA_INT_UNALIGNED, 0);
        }

        void synchronize(long awaited) {
            assertSuccess(await(reply -> executor.synchronizeStream(awaited, reply)).result());
        }
    }

    Context newContext() {
        return new Context();
    }

    static byte[] sha256(byte[] image) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(image);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    static MemorySegment segment(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }

    static byte[] random(int bytes, long seed) {
        byte[] contents = new byte[bytes];
        new Random(seed).nextBytes(contents);
        return contents;
    }

    @Override
    public void close() {
        executor.close();
        gpus.forEach(RunningGpu::close);
    }
}
