package io.gpuvm.cuda.api.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiOperand;
import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.CallClass;
import io.gpuvm.cuda.api.table.OperandType;
import io.gpuvm.cuda.api.table.WireLayout;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of generated Java classes, compiled, loaded, and called by reflection.
class GeneratedJavaTest {
    private static final ApiTable TABLE = ApiTable.load();
    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int ENTRY_BYTES = 64;
    private static final int ROUNDS = 50;
    private static final int GARBAGE_ROUNDS = 20_000;
    private static final int SUCCESS = 0;
    private static final int INVALID_VALUE = 1;
    private static final int NOT_SUPPORTED = 801;
    private static final int NO_REPLY = 1 << 16;
    private static final int SPILLED = 2 << 16;
    private static final long SEED = Long.getLong("gpuvm.test.seed", System.nanoTime());

    @TempDir private static Path folder;
    private static GeneratedJava classes;

    private final OperandSamples samples = new OperandSamples(SEED);
    private final MemorySegment entry = MemorySegment.ofArray(new byte[ENTRY_BYTES]);
    private final MemorySegment reply = MemorySegment.ofArray(new byte[ENTRY_BYTES]);
    private final MemorySegment arguments =
            MemorySegment.ofArray(new byte[WireLayout.MAX_ARGUMENT_BYTES]);
    private final List<Object> received = new ArrayList<>();

    @BeforeAll
    static void compile() throws IOException {
        System.out.println("gpuvm.test.seed=" + SEED);
        classes = new GeneratedJava(TABLE, folder);
    }

    @AfterAll
    static void close() throws IOException {
        classes.close();
    }

    @Test
    void givenRandomOperands_whenEncodedAndDecoded_thenCallIsEqual() throws Exception {
        for (ApiFunction function : TABLE.calls()) {
            for (int i = 0; i < ROUNDS; i++) {
                Object call = random(function);
                int bytes = write(call);

                assertEquals(SUCCESS, decode(tag(call), bytes), function.name());

                assertEquals(List.of(call), received, function.name());
                received.clear();
            }
        }
    }

    @Test
    void givenEachOperandOutsideItsCheck_whenDecoded_thenCallIsRefused() throws Exception {
        int refused = 0;
        for (ApiFunction function : TABLE.calls()) {
            List<ApiOperand> words = function.layout().words();
            for (int i = 0; i < words.size(); i++) {
                for (long wrong : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
                    if (!isValid(words.get(i), wrong)) {
                        Object call = random(function);
                        int bytes = write(call);
                        place(function, i, wrong);

                        assertEquals(
                                INVALID_VALUE,
                                decode(tag(call), bytes),
                                function.name() + " " + words.get(i).name() + "=" + wrong);

                        refused++;
                    }
                }
            }
        }
        assertEquals(List.of(), received);
        assertEquals(true, refused > 100, "refused=" + refused);
    }

    @Test
    void givenWrongNumberOfArgumentBytes_whenDecoded_thenCallIsRefused() throws Exception {
        for (ApiFunction function : TABLE.calls()) {
            if (function.layout().isSpilled()) {
                Object call = random(function);
                int bytes = write(call);
                for (int wrong : new int[] {0, bytes - 8, bytes - 1, bytes + 8}) {
                    assertEquals(INVALID_VALUE, decode(tag(call), wrong), function.name());
                }
            }
        }
        assertEquals(List.of(), received);
    }

    @Test
    void givenBytesLongerThanTheirLimit_whenDecoded_thenCallIsRefused() throws Exception {
        for (ApiFunction function : TABLE.calls()) {
            if (!function.layout().blobs().isEmpty()) {
                Object call = random(function);
                int bytes = write(call);
                ApiOperand first = function.layout().blobs().getFirst();
                int at = function.layout().spilledWords() * Long.BYTES;
                for (long wrong : new long[] {first.maxBytes() + 1, -1, Long.MAX_VALUE}) {
                    arguments.set(WORD, at, wrong);
                    assertEquals(INVALID_VALUE, decode(tag(call), bytes), function.name());
                }
            }
        }
        assertEquals(List.of(), received);
    }

    @Test
    void givenWrongFlags_whenDecoded_thenCallIsRefused() throws Exception {
        for (ApiFunction function : TABLE.calls()) {
            Object call = random(function);
            int bytes = write(call);
            int tag = tag(call);

            assertEquals(INVALID_VALUE, decode(tag | 4 << 16, bytes), function.name());
            assertEquals(INVALID_VALUE, decode(tag ^ SPILLED, bytes), function.name());
            if (function.callClass() == CallClass.NO_REPLY) {
                assertEquals(SUCCESS, decode(tag ^ NO_REPLY, bytes), function.name());
                received.clear();
            } else {
                assertEquals(INVALID_VALUE, decode(tag | NO_REPLY, bytes), function.name());
            }
        }
        assertEquals(List.of(), received);
    }

    @Test
    void givenAllOpcodes_whenDecoded_thenOnlyCallsAreKnown() throws Exception {
        List<Integer> calls = TABLE.calls().stream().map(ApiFunction::opcode).toList();
        for (int opcode = 0; opcode <= 0xffff; opcode++) {
            if (!calls.contains(opcode)) {
                assertEquals(NOT_SUPPORTED, decode(opcode, 0));
            }
        }
        assertEquals(List.of(), received);
    }

    @Test
    void givenRandomEntries_whenDecoded_thenEachCallIsRefusedOrValid() throws Exception {
        List<ApiFunction> calls = TABLE.calls();
        Random random = new Random(SEED);
        byte[] garbage = new byte[WireLayout.MAX_ARGUMENT_BYTES];
        for (int i = 0; i < GARBAGE_ROUNDS; i++) {
            random.nextBytes(garbage);
            arguments.copyFrom(MemorySegment.ofArray(garbage));
            entry.copyFrom(MemorySegment.ofArray(garbage).asSlice(0, ENTRY_BYTES));
            arguments.set(WORD, 0, random.nextInt(64));
            int opcode = calls.get(random.nextInt(calls.size())).opcode();
            int tag = opcode | random.nextInt(4) << Short.SIZE;

            int status = decode(tag, random.nextInt(WireLayout.MAX_ARGUMENT_BYTES + 1));

            assertEquals(status == SUCCESS ? 1 : 0, received.size());
            received.clear();
        }
    }

    @Test
    void givenRandomResults_whenWrittenAndRead_thenResultsAreEqual() throws Exception {
        for (ApiFunction function : TABLE.calls()) {
            if (!function.results().isEmpty()) {
                Class<?> type = classes.type("CudaReply$" + function.shortName());
                Object[] values =
                        function.results().stream()
                                .map(result -> boxed(result.type(), samples.word(result)))
                                .toArray();
                List<Object> put = new ArrayList<>(List.of(reply));
                put.addAll(List.of(values));
                method(type, "put").invoke(null, put.toArray());

                Object read = method(type, "read").invoke(null, reply);

                assertEquals(type.getConstructors()[0].newInstance(values), read);
            }
        }
    }

    @Test
    void givenNames_whenLookedUp_thenOpcodesAndStatusesHaveNames() throws Exception {
        Method opcode = method(classes.type("CudaOpcode"), "nameOf");
        Method status = method(classes.type("CudaStatus"), "nameOf");

        for (ApiFunction function : TABLE.functions()) {
            assertEquals(function.name(), opcode.invoke(null, function.opcode()));
        }
        assertNull(opcode.invoke(null, 0));
        assertEquals("CUDA_ERROR_UNKNOWN", status.invoke(null, 999));
        assertNull(status.invoke(null, 998));
    }

    /// Pins the C senders to the Java records: both encode the same values into the same words.
    @Test
    void givenSameOperands_whenEncodedInCAndJava_thenWordsAreEqual(@TempDir Path cFolder)
            throws Exception {
        CCompiler compiler = new CCompiler(TABLE, cFolder);
        SourceText program = new SourceText();
        program.line("#include \"gpuvm_cuda_senders.h\"").blank();
        program.line("int main(void)").open("{");
        List<String> expected = new ArrayList<>();
        for (ApiFunction function : TABLE.calls()) {
            Object call = random(function);
            int bytes = write(call);
            expected.add(line(tag(call), bytes));
            program.line(sendInC(function, call));
        }
        program.line("return 0;").close("}");
        Files.writeString(cFolder.resolve("send.c"), program.toString());
        Files.writeString(cFolder.resolve(FakeCore.FILE), FakeCore.source(TABLE));

        List<String> lines = compiler.linesOf(compiler.program("send.c", FakeCore.FILE));

        assertEquals(expected, lines);
    }

    private static String sendInC(ApiFunction function, Object call) throws Exception {
        List<String> values = new ArrayList<>();
        for (ApiOperand operand : function.operands()) {
            Object value = call.getClass().getMethod(operand.name()).invoke(call);
            if (!operand.isWord()) {
                byte[] bytes = ((ByteBuffer) value).array();
                values.add("(const unsigned char[]){ 0" + hex(bytes) + " } + 1");
                if (!operand.isFixed()) {
                    values.add(String.valueOf(bytes.length));
                }
            } else if (operand.type() == OperandType.F32) {
                values.add(Float.toHexString((Float) value) + "f");
            } else {
                values.add("0x%xull".formatted(value));
            }
        }
        function.results().forEach(result -> values.add("NULL"));
        return "gpuvm_send_%s(%s);".formatted(function.shortName(), String.join(", ", values));
    }

    private static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte value : bytes) {
            text.append(", ").append(value & 0xff);
        }
        return text.toString();
    }

    private String line(int tag, int bytes) {
        List<Long> words = new ArrayList<>();
        for (int i = 0; i < WireLayout.ENTRY_WORDS; i++) {
            words.add(entry.get(WORD, WireLayout.OPERANDS_OFFSET + i * Long.BYTES));
        }
        for (int at = 0; at < bytes; at += Long.BYTES) {
            words.add(arguments.get(WORD, at));
        }
        return "%08x ".formatted(tag)
                + words.stream().map("%016x"::formatted).collect(Collectors.joining(" "));
    }

    private Object random(ApiFunction function) throws Exception {
        Class<?> type = classes.type("CudaCall$" + function.shortName());
        Object[] values = function.operands().stream().map(this::random).toArray();
        return type.getConstructors()[0].newInstance(values);
    }

    private Object random(ApiOperand operand) {
        return operand.isWord()
                ? boxed(operand.type(), samples.word(operand))
                : ByteBuffer.wrap(samples.bytes(operand));
    }

    private static Object boxed(OperandType type, long word) {
        return switch (type) {
            case U64 -> word;
            case F32 -> Float.intBitsToFloat((int) word);
            default -> (int) word;
        };
    }

    private static boolean isValid(ApiOperand operand, long word) {
        boolean fits =
                switch (operand.type()) {
                    case I32 -> (int) word == word;
                    case U8 -> word >>> 8 == 0;
                    case U16 -> word >>> 16 == 0;
                    case U32, F32 -> word >>> 32 == 0;
                    default -> true;
                };
        return fits && operand.checks().stream().allMatch(check -> check.accepts(word));
    }

    private void place(ApiFunction function, int word, long value) {
        WireLayout.Place place = function.layout().placeOf(word);
        (place.isInEntry() ? entry : arguments).set(WORD, place.offset(), value);
    }

    private static int tag(Object call) throws Exception {
        return (int) classes.type("CudaCall").getMethod("tag").invoke(call);
    }

    private int write(Object call) throws Exception {
        entry.fill((byte) 0);
        arguments.fill((byte) 0xff);
        Method write = method(classes.type("CudaCall"), "write");
        return (int) write.invoke(call, entry, arguments, FakeCore.ARGUMENT_OFFSET);
    }

    private int decode(int tag, int argumentBytes) throws Exception {
        Consumer<Object> consumer = received::add;
        Object recorder =
                classes.type("CudaCallRecorder").getConstructors()[0].newInstance(consumer);
        Method decode = method(classes.type("CudaCallDecoder"), "decode");
        return (int) decode.invoke(null, tag, 1L, entry, arguments, argumentBytes, reply, recorder);
    }

    private static Method method(Class<?> type, String name) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
