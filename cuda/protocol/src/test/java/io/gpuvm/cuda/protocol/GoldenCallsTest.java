package io.gpuvm.cuda.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.OperandType;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests of the file `golden-calls.txt`: it belongs to the table, and its entries have its values.
class GoldenCallsTest {
    private static final String FILE = "/golden-calls.txt";
    private static final ApiTable TABLE = ApiTable.load();

    @Test
    void givenTable_whenTextIsGenerated_thenTextEqualsFile() throws Exception {
        assertEquals(file(), GoldenCalls.text());
    }

    @Test
    void givenEntries_whenDecoded_thenOperandsHaveValuesOfFile() throws Exception {
        int calls = 0;
        for (String part : file().split("\ncall ")) {
            if (!part.startsWith("#")) {
                check(part.lines().map(String::strip).toList());
                calls++;
            }
        }
        assertEquals(CudaCall.class.getPermittedSubclasses().length, calls);
    }

    private static void check(List<String> lines) throws Exception {
        byte[] entry = new byte[0];
        byte[] arguments = new byte[0];
        List<String> expected = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "entry" -> entry = bytes(words[1]);
                case "arguments" -> arguments = bytes(words[2]);
                default -> expected.add(words[2]);
            }
        }
        String[] first = lines.getFirst().split(" ");
        MemorySegment copy = MemorySegment.ofArray(entry);
        long word = copy.get(CudaCall.WORD, 0);
        int tag = (int) (word >>> Integer.SIZE);
        assertEquals(Long.parseLong(first[1]), copy.get(CudaCall.WORD, CudaEntry.NUMBER));
        assertEquals(Long.parseLong(first[1]), word & 0xffff_ffffL);
        assertEquals(first[0], CudaOpcode.nameOf(CudaEntry.opcodeOf(tag)));
        assertEquals(HexFormat.fromHexDigits(first[2]), CudaEntry.opcodeOf(tag));
        assertEquals(HexFormat.fromHexDigits(first[3]), CudaEntry.flagsOf(tag));
        List<CudaCall> decoded = new ArrayList<>();
        int status =
                CudaCallDecoder.decode(
                        tag,
                        0,
                        copy,
                        MemorySegment.ofArray(arguments),
                        arguments.length,
                        copy,
                        new CudaCallRecorder(decoded::add));
        assertEquals(CudaStatus.SUCCESS, status, first[0]);
        assertEquals(expected, values(decoded.getFirst()), first[0]);
    }

    private static List<String> values(CudaCall call) throws ReflectiveOperationException {
        List<String> values = new ArrayList<>();
        for (RecordComponent component : call.getClass().getRecordComponents()) {
            values.add(value(component.getAccessor().invoke(call), component.getName(), call));
        }
        return values;
    }

    /// Returns a value as in the file; an integer of 32 bits is extended as in the entry.
    private static String value(Object value, String name, CudaCall call) {
        return switch (value) {
            case ByteBuffer bytes ->
                    bytes.remaining() == 0 ? "-" : HexFormat.of().formatHex(bytes.array());
            case Long number -> "%016x".formatted(number);
            case Float number -> "%016x".formatted((long) Float.floatToRawIntBits(number));
            case Integer number ->
                    "%016x".formatted(isSigned(call, name) ? number : number & 0xffff_ffffL);
            default -> throw new AssertionError(value);
        };
    }

    private static boolean isSigned(CudaCall call, String name) {
        return TABLE.calls().stream()
                .filter(function -> function.shortName().equals(call.getClass().getSimpleName()))
                .flatMap(function -> function.operands().stream())
                .anyMatch(operand ->
                        operand.name().equals(name) && operand.type() == OperandType.I32);
    }

    private static byte[] bytes(String hex) {
        return hex.equals("-") ? new byte[0] : HexFormat.of().parseHex(hex);
    }

    private static String file() throws IOException {
        try (InputStream in = GoldenCallsTest.class.getResourceAsStream(FILE)) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
