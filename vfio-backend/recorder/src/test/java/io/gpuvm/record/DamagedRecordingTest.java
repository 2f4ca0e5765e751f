package io.gpuvm.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of folders without a recording, damaged recordings, and full disks.
@Timeout(60)
class DamagedRecordingTest {
    private static final List<RecordedVm> VMS =
            List.of(new RecordedVm("vm0", "fv", "none", 64 << 20));
    private static final LongSupplier MUCH = () -> Long.MAX_VALUE;
    private static final byte[] PAGE = new byte[4096];

    @TempDir Path root;
    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createDirectory(root.resolve("recording"));
    }

    @Test
    void givenNoFolder_whenOpened_thenReasonIsReported() {
        assertRefused(root.resolve("nowhere"), "is not a folder");
    }

    @Test
    void givenForeignFolder_whenOpened_thenMissingFileIsNamed() throws IOException {
        Files.writeString(folder.resolve("letter.txt"), "Dear Sir");

        assertRefused(folder, "is not a recording: no recording.json");
    }

    @Test
    void givenForeignHeader_whenOpened_thenReasonIsReported() throws IOException {
        Path header = folder.resolve(RecordingHeader.FILE);
        for (String text : List.of("", "{", "[]", "{\"format\":7,\"and\":8}", "\0\0\0")) {
            Files.writeString(header, text);
            assertRefused(folder, "cannot be read");
        }
        for (String text : List.of("null", "{}", "{\"format\":\"other\"}")) {
            Files.writeString(header, text);
            assertRefused(folder, "is not a recording");
        }
        Files.writeString(header, "{\"format\":\"gpuvm-recording\",\"version\":99}");
        assertRefused(folder, "version=99, expected=2");
        String known = "{\"format\":\"gpuvm-recording\",\"version\":2,";
        for (String rest : List.of("\"vms\":[]}", "\"level\":\"COMMANDS\",\"vms\":[{}]}")) {
            Files.writeString(header, known + rest);
            assertRefused(folder, "cannot be read: level=");
        }
    }

    @Test
    void givenHeaderWithoutQueue_whenOpened_thenMissingQueueIsReported() throws IOException {
        record(10);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, QueueFiles.FILES)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }

        assertRefused(folder, "queue is missing");
    }

    @Test
    void givenTruncatedQueue_whenRead_thenRecordsAreReadOrErrorNamesFolder() throws IOException {
        record(2000);
        Path queue = queueFile();
        for (long bytes : new long[] {4 << 20, 1 << 20, 100_000, 8192, 100, 1, 0}) {
            try (FileChannel file = FileChannel.open(queue, StandardOpenOption.WRITE)) {
                file.truncate(bytes);
            }
            assertReadsOrNamesFolder();
        }
    }

    @Test
    void givenMissingEnd_whenCounted_thenRecordingIsNotComplete() throws IOException {
        Recorder recorder = Recorder.create(folder, RecordLevel.MESSAGES, VMS, MUCH);
        recorder.vm(0).onReset();
        recorder.doWork();

        try (Recording open = Recording.open(folder)) {
            RecordStats stats = RecordStats.of(open);
            assertFalse(stats.complete());
            assertEquals(1, stats.vms().getFirst().messages());
        }
        recorder.close();
    }

    @Test
    void givenInvalidRecords_whenRead_thenLocationIsReported() throws IOException {
        long seed = System.nanoTime();
        System.err.println("seed=" + seed);
        record(300);
        Path queue = queueFile();
        byte[] whole = Files.readAllBytes(queue);
        Random random = new Random(seed);
        for (int round = 0; round < 40; round++) {
            byte[] noise = new byte[1 + random.nextInt(64)];
            random.nextBytes(noise);
            // Not the library's own index of the queue, which is at the beginning.
            long at = 0x20400 + random.nextInt(1_000_000);
            try (FileChannel file = FileChannel.open(queue, StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.wrap(whole), 0);
                file.write(ByteBuffer.wrap(noise), at);
            }
            assertReadsOrNamesFolder();
        }
    }

    @Test
    void givenDiskThatFillsUp_whenRecorded_thenRecordingEndsAndNoProducerWaits()
            throws IOException {
        AtomicLong free = new AtomicLong(1L << 40);
        Recorder recorder = Recorder.create(folder, RecordLevel.MESSAGES, VMS, free::get);
        VmTrack track = recorder.vm(0);
        for (int i = 0; i < 500; i++) {
            track.onRead(0, 0, PAGE.length, MemorySegment.ofArray(PAGE), 0);
        }
        recorder.doWork();
        assertFalse(track.isStopped());

        free.set(1 << 20);
        for (int i = 0; i < 5000; i++) {
            track.onRead(0, 0, PAGE.length, MemorySegment.ofArray(PAGE), 0);
            if (i % 500 == 0) {
                recorder.doWork();
            }
        }
        assertTrue(track.isStopped());
        recorder.close();

        try (Recording open = Recording.open(folder)) {
            RecordStats stats = RecordStats.of(open);
            assertFalse(stats.complete());
            assertTrue(stats.records() >= 500, () -> "records=" + stats.records());
        }
    }

    @Test
    void givenFileInPlaceOfFolder_whenRecorded_thenErrorIsReported() throws IOException {
        Path file = Files.writeString(root.resolve("file"), "data");

        RecordingException refused =
                assertThrows(
                        RecordingException.class,
                        () -> Recorder.create(file, RecordLevel.MESSAGES, VMS));

        assertTrue(refused.getMessage().contains(file.toString()), refused::getMessage);
    }

    private void record(int pages) throws IOException {
        try (Recorder recorder = Recorder.create(folder, RecordLevel.MESSAGES, VMS, MUCH)) {
            for (int i = 0; i < pages; i++) {
                recorder.vm(0).onRead(0, 0, PAGE.length, MemorySegment.ofArray(PAGE), 0);
                if (i % 100 == 0) {
                    recorder.doWork();
                }
            }
        }
    }

    private Path queueFile() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, QueueFiles.FILES)) {
            return files.iterator().next();
        }
    }

    private void assertReadsOrNamesFolder() {
        try (Recording open = Recording.open(folder)) {
            RecordStats.of(open);
        } catch (RecordingException e) {
            assertTrue(e.getMessage().contains(folder.toString()), e::getMessage);
        }
    }

    private static void assertRefused(Path folder, String why) {
        RecordingException refused =
                assertThrows(RecordingException.class, () -> Recording.open(folder).close());
        assertTrue(refused.getMessage().contains(why), refused::getMessage);
    }
}
