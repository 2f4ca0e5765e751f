package io.gpuvm.cuda.protocol;

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
