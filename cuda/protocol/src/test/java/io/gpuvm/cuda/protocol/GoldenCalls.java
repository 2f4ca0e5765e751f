package io.gpuvm.cuda.protocol;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiOperand;
import io.gpuvm.cuda.api.table.ApiTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;

/// Text with one entry of each call, for tests of clients in any language. The command `GoldenCalls
/// FILE` writes it.
final class GoldenCalls {
    private static final String HEADER =
            """
            # Entries of the submission ring: one call of each opcode, numbered from 1 in the order of the ring, and the arguments of spilled calls.
            # `GoldenCalls` in the tests of cuda/protocol writes this file; tests of clients in other languages read it.
            #
            #   call NAME NUMBER OPCODE FLAGS    the numbers in decimal, opcode and flags in hexadecimal
            #     word NAME VALUE                operand of one word, 16 hexadecimal digits
            #     bytes NAME HEX                 operand of bytes, - if empty
            #     entry HEX                      64 bytes, with the stamp
            #     arguments OFFSET HEX           offset in the data area in hexadecimal, bytes, - if empty; only of spilled calls
            """;

    private static final long SEED = 20;

    private GoldenCalls() {}

    /// Writes the file.
    ///
    /// @param arguments path of the file
    public static void main(String[] arguments) throws Exception {
        Files.writeString(Path.of(arguments[0]), text());
    }

    /// Returns the file that belongs to the table.
    static String text() throws ReflectiveOperationException {
        StringBuilder text = new StringBuilder(HEADER);
        SampleCalls samples = new SampleCalls(SEED);
        long number = 0;
        for (ApiFunction function : ApiTable.load().calls()) {
            number++;
            add(text, function, number, samples.values(function));
        }
        return text.toString();
    }

    private static void add(
            StringBuilder text, ApiFunction function, long number, Map<ApiOperand, Object> values)
            throws ReflectiveOperationException {
        CudaCall call = SampleCalls.call(function, values);
        int tag = call.tag();
        text.append(
                "\ncall %s %d %04x %04x\n"
                        .formatted(
                                function.name(),
                                number,
                                CudaEntry.opcodeOf(tag),
                                CudaEntry.flagsOf(tag)));
        values.forEach((operand, value) ->
                text.append(
                        operand.isWord()
                                ? "  word %s %016x\n".formatted(operand.name(), value)
                                : "  bytes %s %s\n"
                                        .formatted(operand.name(), hex((byte[]) value))));
        MemorySegment entry = MemorySegment.ofArray(new byte[CudaEntry.BYTES]);
        MemorySegment arguments = MemorySegment.ofArray(new byte[CudaOpcode.MAX_ARGUMENT_BYTES]);
        long offset = number * CudaOpcode.MAX_ARGUMENT_BYTES;
        int bytes = call.write(entry, arguments, offset);
        // In a ring whose entries are calls only, the stamp of a call equals its number.
        entry.set(CudaCall.WORD, 0, number | (long) tag << Integer.SIZE);
        entry.set(CudaCall.WORD, CudaEntry.NUMBER, number);
        text.append("  entry %s\n".formatted(hex(entry.toArray(ValueLayout.JAVA_BYTE))));
        if ((CudaEntry.flagsOf(tag) & CudaOpcode.SPILLED) != 0) {
            byte[] used = arguments.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
            text.append("  arguments %x %s\n".formatted(offset, hex(used)));
        }
    }

    private static String hex(byte[] bytes) {
        return bytes.length == 0 ? "-" : HexFormat.of().formatHex(bytes);
    }
}
