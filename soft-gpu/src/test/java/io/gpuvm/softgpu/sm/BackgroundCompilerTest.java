package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.softgpu.sm.code.Decoder;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Order in which kernels are compiled, and selection of the kernels that are dropped if there are
/// too many.
@Timeout(60)
@Tag("own-mode")
class BackgroundCompilerTest {
    private static final int REGISTERS = 20;

    /// Number of instructions of a kernel.
    private static final int SIZE = 2;

    /// Maximum number of waiting kernels.
    private static final int MOST_KERNELS = 3;

    private static final long HOT = 1 << 20;

    private final CountDownLatch goOn = new CountDownLatch(1);
    private final Semaphore taken = new Semaphore(0);
    private final List<Kernel> order = Collections.synchronizedList(new ArrayList<>());
    private final BackgroundCompiler compiler =
            new BackgroundCompiler(MOST_KERNELS * SIZE, this::compile);
    private Thread thread;

    private void compile(Kernel kernel, KernelCode code) {
        thread = Thread.currentThread();
        taken.release();
        try {
            goOn.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        order.add(kernel);
        kernel.compile(() -> null);
    }

    private static KernelCode code(int number) {
        long[] words = Assembler.code("test", "MOV32I R0, %d\nEXIT".formatted(number));
        return KernelCode.of(
                pc -> Decoder.decode(words[pc / Instruction.BYTES], pc, REGISTERS), 0, SIZE);
    }

    private Kernel offer(int number, long interpreted) {
        Kernel kernel = new Kernel(KernelContent.of(code(number), REGISTERS));
        kernel.interpreted(interpreted);
        compiler.offer(kernel, code(number));
        return kernel;
    }

    /// Offers a kernel that occupies the compiler until it is released.
    private Kernel busy() throws InterruptedException {
        Kernel kernel = offer(0, HOT);
        taken.acquire();
        return kernel;
    }

    private void finish(int kernels) throws InterruptedException {
        goOn.countDown();
        taken.acquire(kernels);
        compiler.close();
    }

    @Test
    void givenWaitingKernels_whenCompiled_thenMostWorthwhileKernelIsFirst() throws Exception {
        Kernel first = busy();
        Kernel cool = offer(1, HOT);
        Kernel hot = offer(2, 3 * HOT);
        Kernel warm = offer(3, 2 * HOT);
        finish(3);
        assertEquals(List.of(first, hot, warm, cool), order);
        assertEquals(0, compiler.postponed());
    }

    @Test
    void givenWaitingKernel_whenExecutedMoreOften_thenKernelIsCompiledEarlier() throws Exception {
        Kernel first = busy();
        Kernel cool = offer(1, HOT);
        Kernel hot = offer(2, 2 * HOT);
        cool.interpreted(2 * HOT);
        finish(2);
        assertEquals(List.of(first, cool, hot), order);
    }

    @Test
    void givenFullQueue_whenMoreWorthwhileKernelIsOffered_thenOtherKernelIsPostponed()
            throws Exception {
        Kernel first = busy();
        List<Kernel> flood = new ArrayList<>();
        for (int number = 1; number <= MOST_KERNELS; number++) {
            flood.add(offer(number, HOT + number));
        }
        Kernel hot = offer(MOST_KERNELS + 1, 2 * HOT);
        assertEquals(1, compiler.postponed());
        assertFalse(flood.getFirst().isDue());
        flood.getFirst().interpreted(2 * HOT);
        assertTrue(flood.getFirst().isDue(), "request is due again when the kernel is worth more");
        finish(MOST_KERNELS);
        assertEquals(List.of(first, hot, flood.get(2), flood.get(1)), order);
    }

    @Test
    void givenFullQueue_whenLessWorthwhileKernelIsOffered_thenKernelIsPostponed() throws Exception {
        busy();
        for (int number = 1; number <= MOST_KERNELS; number++) {
            offer(number, 2 * HOT);
        }
        Kernel cool = offer(MOST_KERNELS + 1, HOT);
        finish(MOST_KERNELS);
        assertFalse(order.contains(cool));
        assertEquals(1, compiler.postponed());
    }

    @Test
    void givenKernelOfferedTwice_whenCompiled_thenKernelIsCompiledOnce() throws Exception {
        Kernel first = busy();
        compiler.offer(first, code(0));
        Kernel second = offer(1, HOT);
        compiler.offer(second, code(1));
        finish(1);
        compiler.offer(second, code(1));
        assertEquals(List.of(first, second), order);
    }

    @Test
    void givenBusyCompiler_whenClosed_thenThreadEndsAfterCurrentKernel() throws Exception {
        Kernel first = busy();
        Kernel second = offer(1, HOT);
        Thread closer = new Thread(compiler::close);
        closer.start();
        while (closer.isAlive() && closer.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        goOn.countDown();
        closer.join();
        assertFalse(thread.isAlive());
        assertEquals(List.of(first), order);
        assertFalse(second.isSettled());
    }

    @Test
    void givenIdleCompiler_whenClosed_thenThreadEnds() throws Exception {
        busy();
        finish(0);
        assertFalse(thread.isAlive());
        assertTrue(thread.isDaemon());
    }

    @Test
    void givenNoKernels_whenClosed_thenNoThreadWasStarted() {
        compiler.close();
        offer(0, HOT);
        assertEquals(List.of(), order);
    }
}
