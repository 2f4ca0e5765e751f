package io.gpuvm.cuda.service;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Test of random calls: wrong handles, addresses and sizes in any order.
class HostileCallsTest {
    private static final int CALLS = 20_000;
    private static final byte[] CUBIN = Kernels.cubin();
    private static final List<Long> WRONG_ADDRESSES = List.of(0L, -1L, 1L << 20);

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final List<Long> running = new ArrayList<>();
    private final List<Long> addresses = new ArrayList<>(WRONG_ADDRESSES);

    @Test
    void givenRandomCalls_whenExecuted_thenExecutorNeverThrows() {
        try (TestSession session =
                new TestSession(
                        "workers=1,watchdog=0.2",
                        new ExecutorLimits(2, 4, 8, 8, 4, 64, 128),
                        new ModuleCache(1 << 20))) {
            int succeeded = 0;
            for (int i = 0; i < CALLS; i++) {
                try {
                    succeeded += call(session, i + 1) == CudaResult.SUCCESS ? 1 : 0;
                    session.executor.doWork();
                    session.executor.oldestAreaUse();
                } catch (RuntimeException e) {
                    throw new AssertionError("seed=" + seed + ", call=" + i, e);
                }
            }
            assertTrue(succeeded > CALLS / 100, "seed=" + seed + ", succeeded=" + succeeded);
        }
    }

    private CudaResult call(TestSession session, long call) {
        GpuContextExecutor executor = session.executor;
        CallReply reply =
                (result, first, _) -> {
                    if (result == CudaResult.SUCCESS && first > TestSession.RANGE.first()) {
                        addresses.add(first);
                    }
                };
        long context = handle(2);
        long stream = handle(8);
        long event = handle(8);
        long module = handle(4);
        return switch (random.nextInt(32)) {
            case 0 ->
                    reply(() ->
                            executor.createContext(context, stream, random.nextInt(4) == 0, reply));
            case 1 -> random.nextInt(12) == 0 ? destroy(executor, context) : null;
            case 2 -> reply(() -> executor.synchronizeContext(context, reply));
            case 3 -> executor.setLimit(context, random.nextInt(3), size());
            case 4, 5 -> reply(() -> executor.loadModule(call, context, module, request(), reply));
            case 6 -> random.nextInt(8) == 0 ? executor.unloadModule(module) : null;
            case 7 -> reply(() -> executor.findVariable(module, "factor", reply));
            case 8 ->
                    executor.setKernelAttribute(
                            module, random.nextInt(10), random.nextInt(12), random.nextInt());
            case 9 ->
                    reply(() ->
                            executor.findOccupancy(
                                    module, random.nextInt(10), (int) size(), size(), reply));
            case 10, 11 -> reply(() -> executor.allocate(context, size(), reply));
            case 12 -> executor.free(address());
            case 13 -> reply(() -> executor.readMemoryInfo(context, reply));
            case 14 -> executor.copyToDevice(call, stream, address(), size(), size());
            case 15 -> executor.copyToArea(call, stream, size(), address(), size());
            case 16 -> executor.copy(call, stream, address(), address(), size());
            case 17 ->
                    executor.copyBox(
                            call, stream, new CopyBox(side(), side(), size(), size(), size()));
            case 18 ->
                    executor.fill(
                            call,
                            stream,
                            address(),
                            1 << random.nextInt(3),
                            random.nextInt(),
                            size());
            case 19 ->
                    executor.fillRectangle(
                            call,
                            stream,
                            address(),
                            size(),
                            1 << random.nextInt(3),
                            random.nextInt(),
                            size(),
                            size());
            case 20 -> executor.createStream(context, stream, random.nextInt(3));
            case 21 -> executor.destroyStream(stream);
            case 22 -> reply(() -> executor.synchronizeStream(stream, reply));
            case 23 -> executor.queryStream(stream);
            case 24 -> executor.waitEvent(call, stream, event);
            case 25 -> reply(() -> executor.launchHostFunction(call, stream, running(call)));
            case 26 ->
                    executor.endHostFunction(
                            running.isEmpty() || random.nextInt(20) == 0
                                    ? call
                                    : running.removeFirst());
            case 27 -> executor.createEvent(context, event, random.nextInt(9));
            case 28 ->
                    random.nextBoolean()
                            ? executor.destroyEvent(event)
                            : executor.queryEvent(event);
            case 29 -> executor.recordEvent(call, event, stream);
            case 30 -> reply(() -> executor.readElapsedTime(event, handle(8), reply));
            default ->
                    executor.launch(
                            call,
                            stream,
                            module,
                            random.nextInt(50) == 0 ? random.nextInt(10) : random.nextInt(2),
                            LaunchShape.of(random.nextInt(4), random.nextInt(64)),
                            random.nextBoolean(),
                            parameters());
        };
    }

    /// Returns parameters that usually contain an address of the session.
    private MemorySegment parameters() {
        MemorySegment parameters = MemorySegment.ofArray(new byte[Kernels.BYTES_OF_TWO]);
        boolean isWrong = addresses.size() == WRONG_ADDRESSES.size();
        long address = isWrong ? 0 : addresses.getLast();
        parameters.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, address);
        return random.nextInt(10) == 0 ? parameters.asSlice(0, random.nextInt(12)) : parameters;
    }

    /// Returns a reply that records a host function that runs.
    private CallReply running(long call) {
        return (result, _, _) -> {
            if (result == CudaResult.SUCCESS) {
                running.add(call);
            }
        };
    }

    private CudaResult destroy(GpuContextExecutor executor, long context) {
        addresses.subList(WRONG_ADDRESSES.size(), addresses.size()).clear();
        return executor.destroyContext(context);
    }

    private static CudaResult reply(Runnable call) {
        call.run();
        return null;
    }

    /// Returns a handle that often denotes an object.
    private long handle(int limit) {
        return random.nextInt(50) == 0 ? random.nextLong() : random.nextInt(limit + 2);
    }

    private ModuleRequest request() {
        byte[] image = CUBIN.clone();
        byte[] hash = TestSession.sha256(image);
        if (random.nextBoolean()) {
            image[random.nextInt(image.length)] = (byte) random.nextInt();
            hash = random.nextInt(10) == 0 ? hash : TestSession.sha256(image);
        }
        int descriptionBytes = random.nextInt(10) == 0 ? random.nextInt(2000) : 1 << 16;
        return new ModuleRequest(
                hash,
                TestSession.segment(random.nextInt(4) == 0 ? new byte[0] : image),
                TestSession.segment(new byte[descriptionBytes]));
    }

    private long address() {
        return addresses.get(random.nextInt(addresses.size())) + random.nextInt(4) * 4L;
    }

    private long size() {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextLong();
            case 1 -> -random.nextInt(100);
            case 2 -> 0;
            case 3 -> random.nextInt(1 << 22);
            default -> random.nextInt(300);
        };
    }

    private CopyBox.Side side() {
        boolean isInArea = random.nextBoolean();
        return new CopyBox.Side(isInArea, isInArea ? size() : address(), size(), size());
    }
}
