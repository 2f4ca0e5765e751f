package io.gpuvm.sched.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Comparator;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class VmHeapTest {
    private static final int VMS = 40;

    @Test
    void givenRandomOperations_whenComparedWithModel_thenFirstVmHasSmallestKey() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        VmHeap heap = new VmHeap();
        Map<Integer, Long> model = new TreeMap<>();
        for (int step = 0; step < 20_000; step++) {
            int vm = random.nextInt(VMS);
            heap.reserve(vm);
            if (random.nextInt(3) == 0) {
                heap.remove(vm);
                model.remove(vm);
            } else {
                long key = random.nextInt(100) - 50;
                heap.put(vm, key);
                model.put(vm, key);
            }
            assertEquals(model.size(), heap.size(), () -> "seed=" + seed);
            assertEquals(model.containsKey(vm), heap.contains(vm), () -> "seed=" + seed);
            if (!model.isEmpty()) {
                // TreeMap iterates by number, and min() keeps the first of equal elements.
                int expected =
                        model.entrySet().stream()
                                .min(Comparator.comparingLong(Map.Entry::getValue))
                                .orElseThrow()
                                .getKey();
                assertEquals(expected, heap.first(), () -> "seed=" + seed);
                assertEquals(model.get(expected), heap.key(expected), () -> "seed=" + seed);
            }
        }
    }
}
