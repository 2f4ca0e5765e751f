package io.gpuvm.cuda.protocol;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiOperand;
import io.gpuvm.cuda.api.table.OperandType;
import io.gpuvm.cuda.api.table.ValueCheck;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Calls with values that meet all checks of the table, always the same for one seed.
final class SampleCalls {
    private static final int MOST_BYTES = 40;

    private final Random random;

    SampleCalls(long seed) {
        random = new Random(seed);
    }

    /// Returns a value for each operand of a call, in the order of the wire: a `Long`, or a
    /// `byte[]`.
    Map<ApiOperand, Object> values(ApiFunction function) {
        Map<ApiOperand, Object> values = new LinkedHashMap<>();
        for (ApiOperand operand : function.operands()) {
            values.put(operand, operand.isWord() ? word(operand) : bytes(operand));
        }
        return values;
    }

    /// Returns the call with these values.
    static CudaCall call(ApiFunction function, Map<ApiOperand, Object> values)
            throws ReflectiveOperationException {
        Class<?> type = Class.forName(CudaCall.class.getName() + "$" + function.shortName());
        List<ApiOperand> operands = List.copyOf(values.keySet());
        Object[] arguments = new Object[operands.size()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = argument(operands.get(i), values.get(operands.get(i)));
        }
        Class<?>[] types =
                Arrays.stream(type.getRecordComponents())
                        .map(RecordComponent::getType)
                        .toArray(Class<?>[]::new);
        return (CudaCall) type.getDeclaredConstructor(types).newInstance(arguments);
    }

    private static Object argument(ApiOperand operand, Object value) {
        return switch (operand.type()) {
            case BYTES -> ByteBuffer.wrap((byte[]) value);
            case U64 -> value;
            case F32 -> Float.intBitsToFloat(((Long) value).intValue());
            default -> ((Long) value).intValue();
        };
    }

    private long word(ApiOperand operand) {
        while (true) {
            long value = fitted(operand.type(), candidate(operand));
            if (operand.checks().stream().allMatch(check -> check.accepts(value))) {
                return value;
            }
        }
    }

    private long candidate(ApiOperand operand) {
        long value = random.nextLong();
        for (ValueCheck check : operand.checks()) {
            value =
                    switch (check.kind()) {
                        case RANGE -> random.nextLong(check.first(), check.last() + 1);
                        case MASK -> value & check.first();
                        case MULTIPLE -> value / check.first() * check.first();
                        case ZERO -> 0;
                        default -> value;
                    };
        }
        return value;
    }

    private static long fitted(OperandType type, long value) {
        return switch (type) {
            case I32 -> (int) value;
            case U8 -> value & 0xff;
            case U16 -> value & 0xffff;
            case U32 -> value & 0xffff_ffffL;
            // Not a NaN, whose bits a float register may change.
            case F32 -> value & 0x3fff_ffffL;
            default -> value;
        };
    }

    private byte[] bytes(ApiOperand operand) {
        int most = Math.min(operand.maxBytes(), MOST_BYTES);
        byte[] bytes = new byte[operand.isFixed() ? operand.maxBytes() : random.nextInt(most + 1)];
        random.nextBytes(bytes);
        return bytes;
    }
}
