package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.softgpu.sm.compiler.KernelClass;
import io.gpuvm.softgpu.sm.compiler.KernelCompiler;
import io.gpuvm.softgpu.sm.flow.KernelCode;
import io.gpuvm.softgpu.sm.flow.ThreadValues;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Unloading of the classes of unused kernels.
@Tag("own-mode")
@Tag("soak")
class KernelUnloadingTest {
    private static final int MANY = 4_000;
    private static final int MANY_MORE = 10_000;

    /// Number of kernels, more than are ever kept.
    private static final int FIRST = 2_000;

    private static final int KEPT = 8;
    private static final int FEW = 40;
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(30);

    /// Allowed growth of memory: a quarter of the size of the classes that must be unloaded, or a
    /// tenth for [#MANY_MORE] kernels.
    private static final long GROWTH_BYTES = 4 << 20;

    private final StubCompiler compiler = new StubCompiler();

    /// Returns a kernel that contains a number.
    private static long[] kernel(int number) {
        return Assembler.code("test", "MOV32I R0, %d\nEXIT".formatted(number));
    }

    private static boolean collectUntil(BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > DEADLINE_NS) {
                return false;
            }
            System.gc();
            Thread.sleep(1);
        }
        return true;
    }

    private static long alive(List<WeakReference<Class<?>>> classes) {
        return classes.stream().filter(c -> c.get() != null).count();
    }

    private static WeakReference<Class<?>> run(TestSm sm, int number) {
        assertEquals(number, sm.code(kernel(number)).run().register(0)[0]);
        return new WeakReference<>(sm.sm.kernel().compiled().getClass());
    }

    @Test
    void givenMoreKernelsThanAreKept_whenRun_thenOldestClassesAreUnloaded() throws Exception {
        int recent = KEPT * RecentKernels.LEAST_WEIGHT;
        List<WeakReference<Class<?>>> classes = new ArrayList<>();
        try (Kernels kernels = new Kernels(ExecutionMode.COMPILED, compiler, recent);
                TestSm sm = new TestSm(0, kernels)) {
            for (int number = 0; number < FEW; number++) {
                classes.add(run(sm, number));
            }
            assertTrue(collectUntil(() -> alive(classes) == KEPT), "alive=" + alive(classes));
            assertTrue(collectUntil(() -> kernels.counters().alive() == KEPT));
            for (int number = FEW - KEPT; number < FEW; number++) {
                run(sm, number);
            }
            assertEquals(FEW, compiler.compiled());
            run(sm, 0);
            assertEquals(FEW + 1, compiler.compiled());
        }
    }

    @Test
    void givenKernelInUse_whenMoreKernelsThanAreKeptRun_thenKernelIsKept() throws Exception {
        int recent = KEPT * RecentKernels.LEAST_WEIGHT;
        List<WeakReference<Class<?>>> classes = new ArrayList<>();
        try (Kernels kernels = new Kernels(ExecutionMode.COMPILED, compiler, recent);
                TestSm user = new TestSm(0, kernels);
                TestSm sm = new TestSm(1, kernels)) {
            run(user, MANY);
            for (int number = 0; number < FEW; number++) {
                classes.add(run(sm, number));
            }
            assertTrue(collectUntil(() -> alive(classes) == KEPT), "alive=" + alive(classes));
            run(sm, MANY);
            assertEquals(FEW + 1, compiler.compiled());
        }
    }

    @Test
    void givenUnreachableGpu_whenCollected_thenClassesOfGpuAreUnloaded() throws Exception {
        List<WeakReference<Class<?>>> classes = new ArrayList<>();
        runSome(classes);
        assertTrue(collectUntil(() -> alive(classes) == 0), "alive=" + alive(classes));
    }

    private void runSome(List<WeakReference<Class<?>>> classes) {
        try (Kernels kernels =
                        new Kernels(ExecutionMode.COMPILED, compiler, Kernels.RECENT_INSTRUCTIONS);
                TestSm sm = new TestSm(0, kernels)) {
            for (int number = 0; number < KEPT; number++) {
                classes.add(run(sm, number));
            }
        }
    }

    @Test
    void givenThousandsOfKernels_whenLoadedAndUnloaded_thenMemoryDoesNotGrow() throws Exception {
        loadAndUnload(MANY);
    }

    @Test
    @Tag("long")
    void givenTenThousandKernels_whenLoadedAndUnloaded_thenMemoryDoesNotGrow() throws Exception {
        loadAndUnload(MANY_MORE);
    }

    private void loadAndUnload(int many) throws Exception {
        ClassLoadingMXBean loading = ManagementFactory.getClassLoadingMXBean();
        Function<KernelCode, KernelClass> real =
                code -> KernelCompiler.compile(code, ThreadValues.ALL);
        try (Kernels kernels =
                        new Kernels(ExecutionMode.COMPILED, real, Kernels.RECENT_INSTRUCTIONS);
                TestSm sm = new TestSm(0, kernels)) {
            int most = Kernels.RECENT_INSTRUCTIONS / RecentKernels.LEAST_WEIGHT;
            for (int number = 0; number < FIRST; number++) {
                run(sm, number);
            }
            assertTrue(collectUntil(() -> kernels.counters().alive() == most));
            int classes = loading.getLoadedClassCount();
            long bytes = usedBytes();
            for (int number = FIRST; number < FIRST + many; number++) {
                run(sm, number);
            }
            assertTrue(collectUntil(() -> kernels.counters().alive() == most));
            assertTrue(collectUntil(() -> loading.getLoadedClassCount() <= classes + most / 10));
            assertTrue(collectUntil(() -> usedBytes() < bytes + GROWTH_BYTES));
            assertEquals(FIRST + many, kernels.counters().compiled());
            assertEquals(0, kernels.counters().failed());
        }
    }

    /// Returns the number of used bytes of heap, metaspace and code cache.
    private static long usedBytes() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .map(MemoryPoolMXBean::getUsage)
                .mapToLong(usage -> usage.getUsed())
                .sum();
    }
}
