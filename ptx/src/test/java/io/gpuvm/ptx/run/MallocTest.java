package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.softgpu.sm.Dimensions;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tests of kernels that allocate memory.
class MallocTest {
    private static final int THREADS = 128;
    private static final int HEAP_BYTES = 8 << 20;
    private static final int HEADER_BYTES = 16;

    /// Kernels whose thread `i` finds the number of bytes in word `i`, and stores there the low
    /// half of the block's address: `take` keeps its block, `reuse` frees it and takes another.
    private static final String SOURCE =
            """
            .version 4.3
            .target sm_20
            .address_size 64
            .extern .func (.param .b64 r) malloc(.param .b64 n);
            .extern .func free(.param .b64 a);
            .visible .entry take(.param .u64 words)
            {
              .reg .b64 %word, %o, %n, %a;
              .reg .b32 %i, %t;
              .reg .pred %p;
              ld.param.u64 %word, [words];
              mov.u32 %i, %tid.x;
              mul.wide.u32 %o, %i, 4;
              add.u64 %word, %word, %o;
              ld.global.u32 %t, [%word];
              cvt.u64.u32 %n, %t;
              call (%a), malloc, (%n);
              cvt.u32.u64 %t, %a;
              st.global.u32 [%word], %t;
              setp.ne.u64 %p, %a, 0;
              @%p st.u32 [%a], %i;
              ret;
            }
            .visible .entry reuse(.param .u64 words)
            {
              .reg .b64 %word, %o, %n, %a;
              .reg .b32 %i, %t, %round;
              .reg .pred %p;
              ld.param.u64 %word, [words];
              mov.u32 %i, %tid.x;
              mul.wide.u32 %o, %i, 4;
              add.u64 %word, %word, %o;
              ld.global.u32 %t, [%word];
              cvt.u64.u32 %n, %t;
              mov.u32 %round, 0;
            AGAIN:
              call (%a), malloc, (%n);
              call free, (%a);
              add.u32 %round, %round, 1;
              setp.lt.u32 %p, %round, 1000;
              @%p bra AGAIN;
              call (%a), malloc, (%n);
              cvt.u32.u64 %t, %a;
              st.global.u32 [%word], %t;
              ret;
            }
            """;

    private static int[] run(String kernel, int... bytes) {
        PtxResult result = PtxCompiler.compile(SOURCE, PtxOptions.DEFAULT);
        assertTrue(result.isCompiled(), () -> result.diagnostics().toString());
        try (KernelBench bench = new KernelBench(Cubin.read(result.cubin().toBytes()))) {
            long words = bench.words(bytes);
            bench.launch(
                    kernel, new Dimensions(1, 1, 1), new Dimensions(bytes.length, 1, 1), 0, words);
            return bench.read(words, bytes.length);
        }
    }

    private static Set<Integer> distinct(int[] addresses) {
        return Arrays.stream(addresses).boxed().collect(Collectors.toSet());
    }

    @Test
    void givenSizes_whenAllThreadsAllocate_thenBlocksAreAlignedAndDisjoint() {
        int[] sizes = IntStream.range(0, THREADS).map(i -> i * 37 % 1000).toArray();

        int[] addresses = run("take", sizes);

        Integer[] order = IntStream.range(0, THREADS).boxed().toArray(Integer[]::new);
        Arrays.sort(order, (a, b) -> Integer.compareUnsigned(addresses[a], addresses[b]));
        for (int i = 0; i < THREADS; i++) {
            assertTrue(addresses[i] != 0 && addresses[i] % 16 == 0, "block of thread " + i);
            if (i > 0) {
                int previous = order[i - 1];
                assertTrue(addresses[previous] + sizes[previous] <= addresses[order[i]]);
            }
        }
    }

    @Test
    void givenSizes_whenThreadsFreeAndAllocateAgain_thenHeapIsNotExhausted() {
        int[] addresses = run("reuse", IntStream.range(0, THREADS).map(i -> 4000).toArray());

        assertEquals(THREADS, distinct(addresses).size());
        assertTrue(!distinct(addresses).contains(0), "a thread got no block");
    }

    @Test
    void givenMoreThanHeap_whenAllocated_thenResultIsNull() {
        assertEquals(Set.of(0), distinct(run("take", HEAP_BYTES, -1)));

        int half = HEAP_BYTES / 2 - HEADER_BYTES;
        int quarter = HEAP_BYTES / 4 - HEADER_BYTES;
        int[] addresses = run("take", half, quarter, quarter, 100);
        assertEquals(1, Arrays.stream(addresses).filter(address -> address == 0).count());
    }
}
