package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiOperand;
import io.gpuvm.cuda.api.table.ValueCheck;
import java.util.Random;

/// Random values of operands and results that meet their checks.
final class OperandSamples {
    private final Random random;

    OperandSamples(long seed) {
        random = new Random(seed);
    }

    /// Returns the word of a value.
    long word(ApiOperand operand) {
        while (true) {
            long value = fitted(operand, candidate(operand));
            if (operand.checks().stream().allMatch(check -> check.accepts(value))) {
                return value;
            }
        }
    }

    /// Returns the bytes of a value.
    byte[] bytes(ApiOperand operand) {
        int length =
                operand.isFixed() ? operand.maxBytes() : random.nextInt(operand.maxBytes() + 1);
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private long candidate(ApiOperand operand) {
        long value = random.nextInt(4) == 0 ? random.nextInt(4) : random.nextLong();
        for (ValueCheck check : operand.checks()) {
            value =
                    switch (check.kind()) {
                        case RANGE -> random.nextLong(check.first(), check.last() + 1);
                        case MASK -> value & check.first();
                        case MULTIPLE -> value / check.first() * check.first();
                        default -> value;
                    };
        }
        return value;
    }

    private static long fitted(ApiOperand operand, long value) {
        return switch (operand.type()) {
            case I32 -> (int) value;
            case U8 -> value & 0xff;
            case U16 -> value & 0xffff;
            case U32 -> value & 0xffff_ffffL;
            // Not a NaN, whose bits a float register may change.
            case F32 -> value & 0x3fff_ffffL;
            default -> value;
        };
    }
}
