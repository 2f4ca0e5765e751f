package io.gpuvm.pv.runtime;

import static io.gpuvm.pv.runtime.TestContext.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.DataSymbol;
import io.gpuvm.pv.module.ModuleImage;
import io.gpuvm.pv.protocol.ChannelFailure;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of points in streams, of work that is offered in parts, and of callbacks.
class CompletionsTest {
    private final TestContext gpu = new TestContext();
    private final GpuContext context = gpu.context();
    private final GpuStream first = context.newStream();
    private final GpuStream second = context.newStream();
    private final PinnedMemory flag = context.allocatePinned(4);
    private final Completions completions = new Completions();
    private final List<String> order = new ArrayList<>();

    @AfterEach
    void close() {
        release();
        gpu.close();
    }

    @Test
    void givenPoints_whenReached_thenCallbacksRunOnce() {
        occupy();
        add("busy", first.point());
        add("idle", second.point());
        add("busy too", first.point());

        assertEquals(1, completions.poll());
        assertEquals(List.of("idle"), order);
        release();
        pollUntilEmpty();

        // The point may be reached between the two queries of the last poll but one.
        assertEquals(3, order.size());
        assertEquals(Set.of("idle", "busy", "busy too"), Set.copyOf(order));
    }

    @Test
    void givenPointBeforeLaterWork_whenEarlierWorkIsDone_thenPointIsReached() {
        DeviceMemory memory = context.allocate(16);
        first.fill(memory, 0, 16, 1);
        GpuPoint point = first.point();
        occupy();

        add("filled", point);
        pollUntilEmpty();

        assertTrue(point.isDone());
        assertFalse(first.isDone());
    }

    @Test
    void givenPoint_whenOtherStreamAwaitsPoint_thenLaterWorkOfThatStreamWaits() {
        DeviceMemory memory = gpu.with(new byte[1]);
        occupy();
        first.fill(memory, 0, 1, 2);
        second.await(first.point());
        PinnedMemory result = context.allocatePinned(1);
        second.copyToHost(result, 0, memory, 0, 1);

        assertFalse(second.isDone());
        release();
        second.synchronize();

        assertEquals(2, result.segment().get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void givenPointOfOtherContext_whenAwaited_thenErrorIsInvalidHandle() {
        try (TestContext other = new TestContext()) {
            GpuPoint point = other.stream().point();
            assertError(GpuError.INVALID_HANDLE, () -> first.await(point), "another context");
        }
    }

    @Test
    void givenFailedContext_whenPolled_thenCallbackReceivesFailure() {
        GpuKernel poke = gpu.kernel("poke", Kernels.POKE);
        gpu.prepareForLaunches(first);
        List<GpuException> failures = new ArrayList<>();
        assertNull(context.failure());
        // The kernel must not fail before the point is taken.
        occupy();
        first.launch(poke, LaunchShape.of(1, 1), new Arguments().i64(Kernels.NOWHERE));
        completions.add(first.point(), failures::add);
        release();
        pollUntilEmpty();

        assertEquals(GpuError.LAUNCH_FAILED, failures.getFirst().error());
        assertEquals(ChannelFailure.Kind.MEMORY_FAULT, context.failure().what());
    }

    @Test
    void givenCallbackThatAddsPoint_whenPolled_thenAddedCallbackRunsLater() {
        completions.add(
                first.point(),
                _ -> {
                    order.add("one");
                    add("two", first.point());
                });

        assertEquals(1, completions.poll());
        assertEquals(1, completions.size());
        assertEquals(1, completions.poll());
        assertEquals(List.of("one", "two"), order);
    }

    @Test
    void givenFullQueue_whenWorkIsOffered_thenOfferReturnsWithoutWaiting() {
        DeviceMemory memory = context.allocate(1 << 20);
        occupy();
        while (first.hasRoom()) {
            first.fill(memory, 0, 1, 1);
        }
        GpuWork work = Fill.line(memory, 0, 1 << 20, FillPattern.ofByte(9));

        assertFalse(first.offer(work));
        first.point().requestNews();
        assertTrue(second.hasRoom());
        release();
        while (!first.offer(work)) {
            Thread.onSpinWait();
        }

        assertEquals(9, readAfter(first, memory)[(1 << 20) - 1]);
    }

    @Test
    void givenWorkOutsideMemory_whenChecked_thenErrorNamesRange() {
        DeviceMemory memory = context.allocate(10);
        GpuWork work = BoxCopy.line(memory, 1, memory, 0, 10);

        assertError(GpuError.INVALID_VALUE, () -> first.check(work), "target offset=1");
        assertError(GpuError.INVALID_VALUE, () -> first.offer(work), "target offset=1");
    }

    @Test
    void givenImage_whenLoadIsAdvanced_thenModuleIsUsable() {
        String source = Kernels.NUMBER + ".constant 2\nword: .long 5\n";
        ModuleImage image = ModuleImage.of(Assembler.assemble("test", source));
        occupy();
        ModuleUpload upload = context.beginLoad(image);
        upload.allocateStaging();
        upload.prepare();
        GpuModule module = upload.advance();
        while (module == null) {
            Thread.onSpinWait();
            module = upload.advance();
        }
        upload.close();
        DeviceMemory memory = context.allocate(16);
        MemorySegment parameters = MemorySegment.ofArray(new byte[12]);
        parameters.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, memory.gpuVa());
        parameters.set(ValueLayout.JAVA_INT_UNALIGNED, 8, 40);

        assertTrue(second.offerLaunch(module.kernel("number"), LaunchShape.of(1, 4), parameters));

        assertEquals(43, readAfter(second, memory)[12]);
        assertEquals(5, gpu.read(module.variable("word"))[0]);
        assertEquals(List.of("word"), module.variableNames());
    }

    private static DataSymbol variable(String name, long offset) {
        return new DataSymbol(name, DataSymbol.Space.GLOBAL_INIT, 0, offset, Integer.BYTES);
    }

    @Test
    void givenImageOfSeveralParts_whenLoadIsAdvanced_thenAllPartsAreInMemory() {
        int bytes = 3 << 19;
        byte[] variables = new byte[bytes];
        variables[0] = 1;
        variables[bytes - Integer.BYTES] = 7;
        Cubin cubin = Assembler.assemble("test", Kernels.NUMBER);
        ModuleImage image =
                ModuleImage.of(
                        new Cubin(
                                cubin.architecture(),
                                cubin.virtualArchitecture(),
                                cubin.width(),
                                cubin.functions(),
                                cubin.constants(),
                                0,
                                MemorySegment.ofArray(variables),
                                Integer.BYTES,
                                List.of(variable("words", 0), variable("last", bytes - 4)),
                                List.of()));
        ModuleUpload upload = context.beginLoad(image);
        upload.allocateStaging();
        upload.prepare();
        GpuModule module = upload.advance();
        int steps = 1;
        while (module == null) {
            Thread.onSpinWait();
            module = upload.advance();
            steps++;
        }

        assertTrue(steps > 3, "steps: " + steps);
        assertEquals(1, gpu.read(module.variable("words"))[0]);
        assertEquals(7, gpu.read(module.variable("last"))[0]);
    }

    @Test
    void givenTooFewParameters_whenLaunched_thenErrorNamesBytes() {
        GpuKernel number = gpu.kernel("number", Kernels.NUMBER);
        MemorySegment parameters = MemorySegment.ofArray(new byte[11]);

        assertError(
                GpuError.INVALID_VALUE,
                () -> first.offerLaunch(number, LaunchShape.of(1, 1), parameters),
                "bytes of arguments=11",
                "expected at least 12");
    }

    @Test
    void givenEndlessKernel_whenContextIsTerminated_thenCallReturns() {
        GpuKernel endless = gpu.kernel("endless", Kernels.ENDLESS);
        first.launch(endless, LaunchShape.of(1, 1), new Arguments());
        GpuPoint point = first.point();

        context.terminate();

        assertError(GpuError.INVALID_HANDLE, point::isDone, "context is closed");
    }

    @Test
    void givenMemoryOfTransport_whenWrapped_thenCopiesReachMemory() {
        PinnedMemory own = context.allocatePinned(8);
        own.segment().set(ValueLayout.JAVA_LONG, 0, 77);
        PinnedMemory wrapped = context.wrap(new Borrowed(own));
        DeviceMemory memory = context.allocate(8);

        first.copyToDevice(memory, 0, wrapped, 0, 8);

        assertEquals(77, readAfter(first, memory)[0]);
        wrapped.close();
        assertError(GpuError.INVALID_HANDLE, () -> first.copyToDevice(memory, 0, wrapped, 0, 8));
        assertNotNull(own.segment());
    }

    private byte[] readAfter(GpuStream stream, DeviceMemory memory) {
        byte[] contents = new byte[(int) memory.bytes()];
        stream.copyToHost(MemorySegment.ofArray(contents), memory, 0);
        return contents;
    }

    private void add(String name, GpuPoint point) {
        completions.add(point, failure -> order.add(failure == null ? name : name + " failed"));
    }

    private void pollUntilEmpty() {
        while (completions.size() > 0) {
            completions.poll();
            Thread.onSpinWait();
        }
    }

    /// Blocks the first stream until [#release()].
    private void occupy() {
        flag.segment().set(ValueLayout.JAVA_INT, 0, 0);
        GpuKernel spin = gpu.kernel("spin", Kernels.SPIN);
        first.launch(spin, LaunchShape.of(1, 1), new Arguments().pointer(flag));
    }

    private void release() {
        if (context.failure() == null) {
            flag.segment().set(ValueLayout.JAVA_INT, 0, 1);
        }
    }
}
