package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.Opcode;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/// Tallies of the multiprocessors of one GPU. Any thread.
///
/// The key is the number of the multiprocessor, not the [Sm]: each launch in progress has an `Sm`
/// with that number, but two such `Sm` never run at the same time.
public final class InterpreterTallies {
    private final Map<Integer, InterpreterTally> byNumber = new ConcurrentHashMap<>();

    /// Returns the tally of a multiprocessor.
    InterpreterTally of(int number) {
        return byNumber.computeIfAbsent(number, _ -> new InterpreterTally());
    }

    /// Returns the number of warp instructions that the interpreter executed.
    public long interpreted() {
        return sum(InterpreterTally::interpreted) + handedOver();
    }

    /// Returns the number of warp instructions that compiled kernels executed.
    public long compiled() {
        // During an unfinished turn, only the instructions passed to the interpreter have been
        // counted.
        return Math.max(0, sum(InterpreterTally::inCompiled) - handedOver());
    }

    /// Returns the number of warp instructions that compiled kernels passed to the interpreter, by
    /// opcode; opcodes with a count of 0 are absent.
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
