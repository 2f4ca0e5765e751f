package io.gpuvm.cuda.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Tests of the records that the backend writes into the data area, and of the words in entries.
class RecordsTest {
    private static final ModuleDescription DESCRIPTION =
            new ModuleDescription(
                    List.of(
                            new ModuleDescription.Kernel(
                                    "first",
                                    12,
                                    List.of(
                                            new ModuleDescription.Parameter(0, 8),
                                            new ModuleDescription.Parameter(8, 4)),
                                    1024,
                                    1,
                                    2,
                                    3,
                                    4,
                                    20,
                                    21),
                            new ModuleDescription.Kernel(
                                    "\u00fc", 4, List.of(), 512, 5, 6, 7, 8, 20, 20)),
                    List.of(new ModuleDescription.Variable("v", 0x41_0000_1000L, 1L << 33)));

    @Test
    void givenReports_whenWritten_thenFieldsAreAtOffsetsOfProtocolAndLongTextIsCutOff() {
        MemorySegment memory = filled(KernelReport.MAX_BYTES);
        KernelReport report = new KernelReport(KernelReport.Kind.FAULT, "\u00fcber");

        assertEquals(16, report.write(memory));
        assertEquals(16, report.bytes());
        assertEquals(List.of(2, 5), ints(memory, 0, 2));
        assertEquals(report, KernelReport.read(memory));

        KernelReport longest =
                new KernelReport(
                        KernelReport.Kind.ASSERTION, "x".repeat(2 * KernelReport.MAX_BYTES));
        assertEquals(KernelReport.MAX_BYTES, longest.bytes());
        assertEquals(KernelReport.MAX_BYTES, longest.write(memory));
        assertEquals(List.of(1, KernelReport.MAX_BYTES - 8), ints(memory, 0, 2));
    }

    @Test
    void givenDescription_whenWritten_thenFieldsAreAtOffsetsOfProtocol() {
        MemorySegment memory = filled((int) DESCRIPTION.bytes());

        DESCRIPTION.write(memory);

        assertEquals(16 + 2 * 64 + 32 + 2 * 8 + 6 + 3 + 2, DESCRIPTION.bytes());
        assertEquals(List.of(2, 1, 2, 11), ints(memory, 0, 4));
        assertEquals(
                List.of(0, 5, 12, 0, 2, 1024, 1, 2, 3, 4, 20, 21, 0, 0, 0, 0),
                ints(memory, 16, 16));
        assertEquals(
                List.of(6, 2, 4, 2, 0, 512, 5, 6, 7, 8, 20, 20, 0, 0, 0, 0), ints(memory, 80, 16));
        assertEquals(List.of(9, 1, 0x1000, 0x41, 0, 2, 0, 0), ints(memory, 144, 8));
        assertEquals(List.of(0, 8, 8, 4), ints(memory, 176, 4));
        byte[] names = memory.asSlice(192, 11).toArray(ValueLayout.JAVA_BYTE);
        assertEquals("first\0\u00fc\0v\0", new String(names, StandardCharsets.UTF_8));
        assertEquals(DESCRIPTION, ModuleDescription.read(memory));
    }

    @Test
    void givenShortMemory_whenDescriptionIsWritten_thenMemoryIsUnchanged() {
        MemorySegment memory = filled((int) DESCRIPTION.bytes() - 1);

        assertThrows(IndexOutOfBoundsException.class, () -> DESCRIPTION.write(memory));

        assertEquals(-1, memory.get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void givenLinkRequest_whenWritten_thenFieldsAreAtOffsetsOfProtocol() {
        LinkRequest request =
                new LinkRequest(
                        32,
                        4,
                        true,
                        List.of(
                                new LinkRequest.Input("one", new byte[] {1, 2, 3}),
                                new LinkRequest.Input("", new byte[8])));

        byte[] bytes = request.toBytes();

        MemorySegment memory = MemorySegment.ofArray(bytes);
        assertEquals(16 + 16 + 8 + 8 + 16 + 8, bytes.length);
        assertEquals(List.of(32, 4, 1, 2, 3, 0, 3, 0), ints(memory, 0, 8));
        assertEquals("one\0\0\0\0\0", new String(bytes, 32, 8, StandardCharsets.UTF_8));
        assertEquals(List.of(0x030201, 0, 8, 0, 0, 0), ints(memory, 40, 6));
        LinkRequest read = LinkRequest.read(bytes);
        assertEquals(32, read.maxRegisters());
        assertEquals(4, read.optimization());
        assertEquals(true, read.isVerbose());
        assertEquals("one", read.inputs().getFirst().name());
        assertArrayEquals(new byte[] {1, 2, 3}, read.inputs().getFirst().image());
        assertEquals(8, read.inputs().getLast().image().length);
    }

    @Test
    void givenDamagedLinkRequests_whenRead_thenErrorNamesValue() {
        byte[] valid =
                new LinkRequest(
                                0,
                                0,
                                false,
                                List.of(new LinkRequest.Input("n", new byte[] {1, 2, 3})))
                        .toBytes();

        assertRefused("request bytes=15, expected at least 16", Arrays.copyOf(valid, 15));
        assertRefused("bytes before an input=4, expected at least 16", Arrays.copyOf(valid, 20));
        assertRefused("image bytes=3, limit=7", Arrays.copyOf(valid, valid.length - 1));
        assertRefused("inputs=0, expected 1 to 1024", changed(valid, 12, 0));
        assertRefused("inputs=65281, expected 1 to 1024", changed(valid, 13, 0xff));
        assertRefused("image bytes=18446744073709551363, limit=8", filled(valid, 17, 7));
        assertRefused("name bytes=18446744073709551361, limit=4096", filled(valid, 25, 7));
    }

    private static void assertRefused(String message, byte[] request) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> LinkRequest.read(request));
        assertEquals(message, e.getMessage());
    }

    private static byte[] changed(byte[] bytes, int at, int value) {
        byte[] copy = bytes.clone();
        copy[at] = (byte) value;
        return copy;
    }

    private static byte[] filled(byte[] bytes, int at, int count) {
        byte[] copy = bytes.clone();
        Arrays.fill(copy, at, at + count, (byte) 0xff);
        return copy;
    }

    @Test
    void givenLinkResponse_whenWritten_thenFieldsAreAtOffsetsOfProtocol() {
        LinkResponse response = new LinkResponse(new byte[] {7}, "info", "\u00fc", 1L << 33);

        byte[] bytes = response.toBytes();

        MemorySegment memory = MemorySegment.ofArray(bytes);
        assertEquals(32 + 8 + 8 + 8, bytes.length);
        assertEquals(List.of(1, 0, 4, 0, 2, 0, 0, 2, 7, 0), ints(memory, 0, 10));
        LinkResponse read = LinkResponse.read(memory);
        assertArrayEquals(new byte[] {7}, read.cubin());
        assertEquals("info", read.messages());
        assertEquals("\u00fc", read.errors());
        assertEquals(1L << 33, read.nanoseconds());
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> LinkResponse.read(memory.asSlice(0, bytes.length - 8)));
    }

    @Test
    void givenFacts_whenWritten_thenFieldsAreAtOffsetsOfProtocol() {
        DeviceFacts facts =
                new DeviceFacts(
                        12040,
                        1L << 33,
                        new DeviceFacts.HandleLimits(1, 2, 3, 4, 5),
                        new UUID(0x0011223344556677L, 0x8899aabbccddeeffL),
                        "GPU",
                        "0000:00:00.0",
                        attribute -> attribute * 3);
        MemorySegment memory = filled(DeviceFacts.BYTES + 8);

        facts.write(memory);

        int count = CudaDeviceAttribute.COUNT;
        assertEquals(
                List.of(144 + 4 * count, count, 12040, 1, 0, 2, 1, 2, 3, 4, 5, 0),
                ints(memory, 0, 12));
        assertEquals(
                "00112233445566778899aabbccddeeff",
                HexFormat.of().formatHex(memory.asSlice(48, 16).toArray(ValueLayout.JAVA_BYTE)));
        assertEquals("GPU\0", text(memory, 64, 4));
        assertEquals("0000:00:00.0\0", text(memory, 128, 13));
        assertEquals(List.of(0, 3, 6), ints(memory, 144, 3));
        assertEquals(-1, memory.get(ValueLayout.JAVA_LONG_UNALIGNED, DeviceFacts.BYTES));
        DeviceFacts read = DeviceFacts.read(memory);
        assertEquals(facts.uuid(), read.uuid());
        assertEquals(facts.handles(), read.handles());
        assertEquals(3 * (count - 1), read.attributes().value(count - 1));
        assertEquals(0, read.attributes().value(count));
    }

    @Test
    void givenFailedCall_whenPacked_thenNumberAndStatusAreInTheirBits() {
        long word = FailedCall.of(0xffff_ffff_fffeL, CudaStatus.UNKNOWN);

        assertEquals(0x03e7_ffff_ffff_fffeL, word);
        assertEquals(0xffff_ffff_fffeL, FailedCall.number(word));
        assertEquals(CudaStatus.UNKNOWN, FailedCall.status(word));
    }

    @Test
    void givenRetiredWord_whenPublished_thenWordIsAtOffsetOfProtocol() {
        MemorySegment area = MemorySegment.ofArray(new long[0x2000 / Long.BYTES]);

        RetiredWord.set(area, 7);

        assertEquals(7, area.get(ValueLayout.JAVA_LONG, 0x1280));
        assertEquals(7, RetiredWord.get(area));
    }

    private static MemorySegment filled(int bytes) {
        byte[] memory = new byte[bytes];
        Arrays.fill(memory, (byte) -1);
        return MemorySegment.ofArray(memory);
    }

    private static List<Integer> ints(MemorySegment memory, long at, int count) {
        Integer[] words = new Integer[count];
        for (int i = 0; i < count; i++) {
            words[i] = memory.get(ValueLayout.JAVA_INT_UNALIGNED, at + (long) i * Integer.BYTES);
        }
        return List.of(words);
    }

    private static String text(MemorySegment memory, long at, int bytes) {
        return new String(
                memory.asSlice(at, bytes).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }
}
