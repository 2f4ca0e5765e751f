package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.Opcode;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/// The tallies of one GPU. Any thread.
///
/// By number of the multiprocessor, not by [Sm]: of one number there is one for each launch on its
/// way, but never do two of them run at a time.
public final class InterpreterTallies {
    private final Map<Integer, InterpreterTally> byNumber = new ConcurrentHashMap<>();

    /// That of a multiprocessor.
    InterpreterTally of(int number) {
        return byNumber.computeIfAbsent(number, _ -> new InterpreterTally());
    }

    /// Instructions of warps that the interpreter executed.
    public long interpreted() {
        return sum(InterpreterTally::interpreted) + handedOver();
    }

    /// Instructions of warps that compiled kernels executed.
    public long compiled() {
        // Of a turn that is under way, only what was handed over is known.
        return Math.max(0, sum(InterpreterTally::inCompiled) - handedOver());
    }

    /// Instructions that compiled kernels handed to the interpreter, by opcode; those that never
    /// were are left out.
    public Map<Opcode, Long> handedOverByOpcode() {
        Map<Opcode, Long> counts = new EnumMap<>(Opcode.class);
        for (Opcode opcode : Opcode.values()) {
            long count = sum(tally -> tally.handedOver(opcode));
            if (count > 0) {
                counts.put(opcode, count);
            }
        }
        return counts;
    }

    private long handedOver() {
        return handedOverByOpcode().values().stream().mapToLong(Long::longValue).sum();
    }

    private long sum(ToLongFunction<InterpreterTally> count) {
        return byNumber.values().stream().mapToLong(count).sum();
    }
}
