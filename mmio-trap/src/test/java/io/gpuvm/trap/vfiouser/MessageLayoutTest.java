package io.gpuvm.trap.vfiouser;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that the setters of each format write the bytes of the specification and the getters read
/// them, at a misaligned address.
class MessageLayoutTest {
    private static final int MISALIGNED = 3;

    record Format(String name, int bytes, Consumer<MemorySegment> write, String hex, String text) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Format> formats() {
        return Stream.of(
                new Format(
                        "header",
                        MessageHeader.BYTES,
                        m ->
                                new MessageHeader()
                                        .wrap(m, MISALIGNED)
                                        .command(0x1234, 9, 0x10)
                                        .size(32),
                        "34120900 20000000 10000000 00000000",
                        "REGION_READ id=4660 size=32 type=0 noReply=true error=0"),
                new Format(
                        "region access",
                        RegionAccessBody.BYTES,
                        m ->
                                new RegionAccessBody()
                                        .wrap(m, MISALIGNED)
                                        .offset(0x1122334455667788L)
                                        .region(7)
                                        .count(4),
                        "8877665544332211 07000000 04000000",
                        "region=7 offset=0x1122334455667788 count=4"),
                new Format(
                        "DMA_MAP",
                        DmaMapBody.BYTES,
                        m ->
                                new DmaMapBody()
                                        .wrap(m, MISALIGNED)
                                        .argsz(32)
                                        .flags(3)
                                        .fileOffset(0x80000000L)
                                        .iova(0x100000000L)
                                        .size(0x40000000),
                        "20000000 03000000 0000008000000000 0000000001000000 0000004000000000",
                        "argsz=32 flags=0x3 fileOffset=0x80000000 iova=0x100000000"
                                + " size=0x40000000"),
                new Format(
                        "DMA_UNMAP",
                        DmaUnmapBody.BYTES,
                        m ->
                                new DmaUnmapBody()
                                        .wrap(m, MISALIGNED)
                                        .argsz(24)
                                        .flags(2)
                                        .iova(0xfef00000L)
                                        .size(-0xfef00000L),
                        "18000000 02000000 0000f0fe00000000 00001001ffffffff",
                        "argsz=24 flags=0x2 iova=0xfef00000 size=0xffffffff01100000"),
                new Format(
                        "device info",
                        DeviceInfoBody.BYTES,
                        m ->
                                new DeviceInfoBody()
                                        .wrap(m, MISALIGNED)
                                        .argsz(16)
                                        .flags(3)
                                        .regions(9)
                                        .irqs(5),
                        "10000000 03000000 09000000 05000000",
                        "argsz=16 flags=0x3 regions=9 irqs=5"),
                new Format(
                        "region info",
                        RegionInfoBody.bytesWith(1),
                        m ->
                                new RegionInfoBody()
                                        .wrap(m, MISALIGNED)
                                        .argsz(64)
                                        .flags(15)
                                        .index(1)
                                        .size(0x8000000)
                                        .fileOffset(0x2000)
                                        .sparseAreas(1)
                                        .area(0, 0x1000, 0x3000),
                        "40000000 0f000000 01000000 20000000 0000000800000000 0020000000000000"
                                + " 0100 0100 00000000 01000000 00000000 0010000000000000"
                                + " 0030000000000000",
                        "argsz=64 flags=0xf index=1 capOffset=32 size=0x8000000"
                                + " fileOffset=0x2000"),
                new Format(
                        "region I/O descriptors",
                        RegionIoFdsBody.BYTES,
                        m ->
                                new RegionIoFdsBody()
                                        .wrap(m, MISALIGNED)
                                        .argsz(16)
                                        .flags(0)
                                        .index(2)
                                        .count(0),
                        "10000000 00000000 02000000 00000000",
                        "argsz=16 flags=0x0 index=2 count=0"),
                new Format(
                        "irq info",
                        IrqInfoBody.BYTES,
                        m ->
                                new IrqInfoBody()
                                        .wrap(m, MISALIGNED)
                                        .argsz(16)
                                        .flags(9)
                                        .index(1)
                                        .count(32),
                        "10000000 09000000 01000000 20000000",
                        "argsz=16 flags=0x9 index=1 count=32"),
                new Format(
                        "SET_IRQS",
                        SetIrqsBody.BYTES,
                        m ->
                                new SetIrqsBody()
                                        .wrap(m, MISALIGNED)
                                        .argsz(20)
                                        .flags(0x24)
                                        .index(1)
                                        .start(2)
                                        .count(3),
                        "14000000 24000000 01000000 02000000 03000000",
                        "argsz=20 flags=0x24 index=1 start=2 count=3"),
                new Format(
                        "DEVICE_FEATURE",
                        DeviceFeatureBody.BYTES,
                        m -> new DeviceFeatureBody().wrap(m, MISALIGNED).argsz(8).flags(0x40002),
                        "08000000 02000400",
                        "argsz=8 feature=2"));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void givenFormat_whenWritten_thenBytesMatchSpecification(Format format) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(MISALIGNED + format.bytes + MISALIGNED);
            memory.fill((byte) 0);
            format.write.accept(memory);
            byte[] written =
                    memory.asSlice(MISALIGNED, format.bytes).toArray(ValueLayout.JAVA_BYTE);
            assertArrayEquals(
                    HexFormat.of().parseHex(format.hex.replace(" ", "")),
                    written,
                    HexFormat.of().formatHex(written));
            assertEquals(format.text, read(format, memory));
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void givenFormat_whenWrittenOverOnes_thenEveryFieldIsWritten(Format format) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment zeros = arena.allocate(MISALIGNED + format.bytes);
            MemorySegment ones = arena.allocate(MISALIGNED + format.bytes);
            ones.fill((byte) -1);
            format.write.accept(zeros);
            format.write.accept(ones);
            assertTrue(
                    MemorySegment.mismatch(
                                    zeros,
                                    MISALIGNED,
                                    zeros.byteSize(),
                                    ones,
                                    MISALIGNED,
                                    ones.byteSize())
                            == -1);
        }
    }

    private static String read(Format format, MemorySegment m) {
        return switch (format.name) {
            case "header" -> new MessageHeader().wrap(m, MISALIGNED).toString();
            case "region access" -> new RegionAccessBody().wrap(m, MISALIGNED).toString();
            case "DMA_MAP" -> new DmaMapBody().wrap(m, MISALIGNED).toString();
            case "DMA_UNMAP" -> new DmaUnmapBody().wrap(m, MISALIGNED).toString();
            case "device info" -> new DeviceInfoBody().wrap(m, MISALIGNED).toString();
            case "region info" -> new RegionInfoBody().wrap(m, MISALIGNED).toString();
            case "region I/O descriptors" -> new RegionIoFdsBody().wrap(m, MISALIGNED).toString();
            case "irq info" -> new IrqInfoBody().wrap(m, MISALIGNED).toString();
            case "SET_IRQS" -> new SetIrqsBody().wrap(m, MISALIGNED).toString();
            case "DEVICE_FEATURE" -> new DeviceFeatureBody().wrap(m, MISALIGNED).toString();
            default -> throw new IllegalArgumentException(format.name);
        };
    }
}
