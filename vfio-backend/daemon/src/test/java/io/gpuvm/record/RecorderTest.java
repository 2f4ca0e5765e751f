package io.gpuvm.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.MemFd;
import io.gpuvm.trap.client.RefusedException;
import io.gpuvm.trap.client.VfioUserClient;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the recordings of a complete backend.
@Timeout(60)
class RecorderTest {
    private static final int CONFIG = 7;
    private static final int CONFIG_BYTES = 4096;
    private static final int SET_EVENT = 0x24;
    private static final int INTX = 0;
    private static final int DATA_AND_ACTION_MISSING = 0;

    @TempDir Path folder;

    @Test
    void givenClient_whenMessageOfEachKindIsSent_thenMessagesAreRecordedInOrder() {
        Path recording = folder.resolve("recording");
        try (RecordedHost host = new RecordedHost(folder, recording, 1);
                VfioUserClient client = new VfioUserClient(host.socket(0)).negotiate();
                MemFd file = MemFd.create("gpuvm-test", 1 << 20);
                EventFd event = EventFd.create()) {
            client.map(1, 4096, 8192, 4096, file.descriptor());
            client.setIrqs(SET_EVENT, INTX, 0, 1, event.descriptor());
            client.post(0, Pmc.ENABLE.offset(), 0x1234);
            client.read(0, Pmc.BOOT_0.offset(), 4);
            client.write(CONFIG, 0x3c, MemorySegment.ofArray(new byte[] {7}), 1);
            assertThrows(
                    RefusedException.class,
                    () -> client.setIrqs(DATA_AND_ACTION_MISSING, INTX, 0, 1));
            client.unmap(0, 8192, 4096);
            client.reset();
        }

        assertEquals(
                List.of(
                        "CONNECT",
                        "DMA_MAP flags=1 shared=true 0x2000+0x1000",
                        "SET_IRQS flags=0x24 index=0 start=0 count=1 descriptors=1",
                        "WRITE region=0 offset=0x200 bytes=4 value=0x1234 posted=true",
                        "READ region=0 offset=0x0 bytes=4 value=0xc0000a3",
                        "WRITE region=7 offset=0x3c bytes=1 value=0x7 posted=false",
                        "REFUSED",
                        "DMA_UNMAP flags=0 0x2000+0x1000",
                        "RESET",
                        "DISCONNECT"),
                recordsOf(recording));
    }

    @Test
    void givenLongRead_whenRecorded_thenDataIsStoredInPiecesWithoutPadding() {
        Path recording = folder.resolve("recording");
        byte[] answer = new byte[2 * CONFIG_BYTES];
        try (RecordedHost host = new RecordedHost(folder, recording, 1);
                VfioUserClient client = new VfioUserClient(host.socket(0)).negotiate()) {
            client.read(0, Pmc.BOOT_0.offset(), answer.length - 1, MemorySegment.ofArray(answer));
        }

        byte[] recorded = new byte[answer.length];
        int at = 0;
        try (Recording open = Recording.open(recording);
                RecordCursor cursor = open.cursor()) {
            for (RecordView record; (record = cursor.next()) != null; ) {
                if (record.kind() == RecordKind.READ) {
                    assertEquals(at, record.offset());
                    record.copyData(MemorySegment.ofArray(recorded), at);
                    at += record.dataBytes();
                }
            }
        }
        assertEquals(answer.length - 1, at);
        assertArrayEquals(answer, recorded);
    }

    @Test
    void givenRingInGuestMemory_whenDoorbellRings_thenInputOfGpuIsRecordedBeforeDoorbell() {
        Path recording = folder.resolve("recording");
        try (RecordedHost host = new RecordedHost(folder, recording, 2);
                TestDriver driver = new TestDriver(host.socket(1))) {
            driver.compute(0x1111);
            driver.compute(0x2222);
        }

        List<String> records = recordsOf(recording);
        int first = records.indexOf("DOORBELL channel=0");
        assertEquals(
                List.of("MEMORY 0x101000+8", "MEMORY 0x102000+20"),
                records.subList(first - 2, first));
        int second = records.lastIndexOf("DOORBELL channel=0");
        assertEquals(
                List.of("MEMORY 0x101008+8", "MEMORY 0x102100+20"),
                records.subList(second - 2, second));
        assertEquals(2, first < second ? commands(recording, RecordKind.SUBMITTED) : 0);
        assertEquals(2, commands(recording, RecordKind.STARTED));
        assertEquals(2, commands(recording, RecordKind.COMPLETED));
    }

    @Test
    void givenMorePushBuffersThanDoorbellLimit_whenDoorbellRings_thenExcessIsCountedAsMissing() {
        Path recording = folder.resolve("recording");
        try (RecordedHost host = new RecordedHost(folder, recording, 1);
                TestDriver driver = new TestDriver(host.socket(0))) {
            int dwords = (2 << 20) / Integer.BYTES;
            driver.submit(GpfifoEntry.of(TestDriver.PUSH, dwords));
            driver.read(Pmc.BOOT_0);
        }

        RecordStats.Vm vm;
        try (Recording open = Recording.open(recording)) {
            vm = RecordStats.of(open).vms().getFirst();
        }
        assertEquals(1 << 20, vm.memoryBytes());
        assertEquals((1 << 20) + GpfifoEntry.BYTES, vm.memoryMissingBytes());
    }

    @Test
    void givenRecording_whenCounted_thenSumsMatchSentMessages() {
        Path recording = folder.resolve("recording");
        try (RecordedHost host = new RecordedHost(folder, recording, 2);
                TestDriver driver = new TestDriver(host.socket(1))) {
            driver.compute(1);
            driver.read(Pmc.BOOT_0);
        }

        try (Recording open = Recording.open(recording)) {
            RecordStats stats = RecordStats.of(open);
            assertTrue(stats.complete());
            assertEquals(0, stats.lost());
            assertEquals(0, stats.vms().getFirst().messages());
            RecordStats.Vm vm = stats.vms().get(1);
            assertEquals("vm1", vm.name());
            assertEquals(1, vm.connections());
            assertEquals(1, vm.doorbells());
            assertEquals(1, vm.regions().get(RecordedRegion.CONFIG).writes());
            assertTrue(vm.regions().get(RecordedRegion.PRAMIN).writes() > 1024);
            assertEquals(1, vm.commands().completed());
            assertNull(vm.regions().get(RecordedRegion.BAR5));
        }
    }

    @Test
    void givenNonEmptyFolder_whenStarted_thenStartIsRefused() throws IOException {
        Files.writeString(folder.resolve("precious"), "data");

        ConfigException refused =
                assertThrows(ConfigException.class, () -> new RecordedHost(folder, folder, 1));

        assertTrue(refused.getMessage().contains("is not empty"), refused::getMessage);
    }

    private static long commands(Path recording, RecordKind kind) {
        long count = 0;
        try (Recording open = Recording.open(recording);
                RecordCursor cursor = open.cursor()) {
            for (RecordView record; (record = cursor.next()) != null; ) {
                boolean match = record.kind() == kind && record.vm() == -1;
                count += match && record.commandVm() == 1 ? 1 : 0;
            }
        }
        return count;
    }

    /// Returns the actions of the virtual machines as text.
    private static List<String> recordsOf(Path recording) {
        List<String> records = new ArrayList<>();
        try (Recording open = Recording.open(recording);
                RecordCursor cursor = open.cursor()) {
            for (RecordView record; (record = cursor.next()) != null; ) {
                if (record.vm() >= 0) {
                    records.add(inWords(record));
                }
            }
        }
        return records;
    }

    private static String inWords(RecordView record) {
        String text =
                switch (record.kind()) {
                    case READ -> access(record);
                    case WRITE -> access(record) + " posted=" + record.posted();
                    case DMA_MAP -> flags(record) + " shared=" + record.shared() + range(record);
                    case DMA_UNMAP -> flags(record) + range(record);
                    case SET_IRQS ->
                            " flags=%#x index=%d start=%d count=%d descriptors=%d"
                                    .formatted(
                                            record.flags(),
                                            record.irqIndex(),
                                            record.irqStart(),
                                            record.irqCount(),
                                            record.irqDescriptors());
                    case MEMORY -> " %#x+%d".formatted(record.guestPhys(), record.dataBytes());
                    case DOORBELL -> " channel=" + record.channel();
                    default -> "";
                };
        return record.kind() + text;
    }

    private static String access(RecordView record) {
        return " region=%d offset=%#x bytes=%d value=%#x"
                .formatted(record.region(), record.offset(), record.dataBytes(), record.value());
    }

    private static String flags(RecordView record) {
        return " flags=" + record.flags();
    }

    private static String range(RecordView record) {
        return " %#x+%#x".formatted(record.guestPhys(), record.rangeBytes());
    }
}
