package io.gpuvm.trap.vfiouser;

import static io.gpuvm.trap.vfiouser.RawVfioUserClient.body;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.ints;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.le16;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.message;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.Errno;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.MemoryFile;
import io.gpuvm.tests.support.OpenDescriptors;
import io.gpuvm.trap.vfiouser.RawVfioUserClient.Answer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class DmaTest {
    private static final int DMA_MAP = 2;
    private static final int DMA_UNMAP = 3;
    private static final int REGION_WRITE = 10;
    private static final int RESET = 13;
    private static final int CONFIG = 7;
    private static final int EINVAL = Errno.EINVAL.number();
    private static final int ENOSPC = Errno.ENOSPC.number();
    private static final int EEXIST = Errno.EEXIST.number();
    private static final int READ_WRITE = 3;
    private static final long TIB = 1L << 40;

    private final TestServer server = new TestServer();
    private final RawVfioUserClient client = server.client();
    private final MemFd ram = MemFd.create("ram", 0x100000);
    private int descriptorsBefore;

    @BeforeEach
    void open() {
        busMaster(true);
        descriptorsBefore = OpenDescriptors.count();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        ram.close();
    }

    @Test
    void givenDescriptor_whenMapped_thenDeviceReachesMemory() {
        Answer answer = mapped(0x4000, 0x2000, 0x1000);
        assertEquals(0, answer.body().limit(), "a reply to DMA_MAP has no body");
        calls("map 4000+2000 from 1000 writable");
    }

    @Test
    void givenReadOnlyRange_whenMapped_thenMappingIsReadOnly() {
        client.done(DMA_MAP, map(1, 0, 0xc0000, 0x1000), ram.descriptor());
        calls("map c0000+1000 from 0");
    }

    @Test
    void givenNoDescriptor_whenMapped_thenRequestSucceedsAndDeviceMapsNoMemory() {
        client.done(DMA_MAP, map(READ_WRITE, 0, 0, 0x1000));
        client.done(DMA_UNMAP, unmap(0, 0, 0x1000));
        calls();
    }

    @Test
    void givenGuestRamWithoutDescriptors_whenMapped_thenOneWarningNamesRemedy() {
        Logger logger = (Logger) LoggerFactory.getLogger(DmaRegions.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.WARN);
        try {
            client.done(DMA_MAP, map(1, 0, 0xfffc0000L, 0x40000));
            assertEquals(0, log.list.size(), "read-only memory causes no warning");
            client.done(DMA_MAP, map(READ_WRITE, 0, 0, 0x1000));
            client.done(DMA_MAP, map(READ_WRITE, 0, 0x1000, 0x1000));
            assertEquals(1, log.list.size());
            assertTrue(log.list.getFirst().getFormattedMessage().contains("share=on"));
        } finally {
            logger.setLevel(null);
            logger.detachAppender(log);
        }
    }

    @Test
    void givenNoBusMaster_whenMapped_thenDeviceReachesMemoryOnlyAsBusMaster() {
        busMaster(false);
        server.device().takeCalls();
        mapped(0x4000, 0x1000, 0);
        mapped(0x8000, 0x1000, 0x1000);
        client.done(DMA_UNMAP, unmap(0, 0x4000, 0x1000));
        calls();
        busMaster(true);
        calls("map 8000+1000 from 1000 writable");
        busMaster(false);
        calls("unmap 0+8000000000000000", "unmap 8000000000000000+8000000000000000");
        busMaster(true);
        calls("map 8000+1000 from 1000 writable");
    }

    @Test
    void givenMappedMemory_whenDeviceIsReset_thenBusMasterIsOffAndRangeRemains() {
        mapped(0x4000, 0x1000, 0);
        server.device().takeCalls();
        client.done(RESET, RawVfioUserClient.empty());
        calls("reset", "unmap 0+8000000000000000", "unmap 8000000000000000+8000000000000000");
        busMaster(true);
        calls("map 4000+1000 from 0 writable");
    }

    @Test
    void givenFileOnDisk_whenMapped_thenRefusalNamesFileSystem(@TempDir Path folder)
            throws IOException {
        Path file = Files.write(folder.resolve("ram"), new byte[0x1000]);
        String fileSystem = Files.getFileStore(file).type();
        assumeTrue(!fileSystem.equals("tmpfs"), "temporary files are on tmpfs");
        Logger logger = (Logger) LoggerFactory.getLogger(ClientSession.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.WARN);
        try (Descriptor descriptor = Descriptor.open(file)) {
            for (int i = 0; i < 2; i++) {
                client.refused(EINVAL, DMA_MAP, map(READ_WRITE, 0, 0, 0x1000), descriptor.number());
            }
        } finally {
            logger.setLevel(null);
            logger.detachAppender(log);
        }
        calls();
        assertEquals(2, server.counters().refused(Refusal.DMA_FILE_SYSTEM));
        assertEquals(1, log.list.size());
        String line = log.list.getFirst().getFormattedMessage();
        assertTrue(line.contains("fileSystem=" + fileSystem), line);
        assertTrue(line.contains("expected " + MemoryFile.ACCEPTED), line);
    }

    @Test
    void givenFileInSharedMemory_whenMapped_thenDeviceReachesMemory() throws IOException {
        Path file = Files.createTempFile(Path.of("/dev/shm"), "gpuvm", ".test");
        try (Descriptor descriptor = Descriptor.open(file)) {
            Files.write(file, new byte[0x1000]);
            client.done(DMA_MAP, map(READ_WRITE, 0, 0, 0x1000), descriptor.number());
        } finally {
            Files.delete(file);
        }
        calls("map 0+1000 from 0 writable");
    }

    @Test
    void givenFile_whenMappedManyTimes_thenOneDescriptorIsRetained() {
        for (int page = 0; page < 64; page++) {
            mapped(page * 0x1000L, 0x1000, page * 0x1000L);
        }
        assertEquals(descriptorsBefore + 1, OpenDescriptors.count());
        client.done(DMA_UNMAP, unmap(0, 0, 0x40000));
        assertEquals(descriptorsBefore, OpenDescriptors.count());
    }

    @Test
    void givenMappedRange_whenUnmapped_thenRangeIsRemovedAndRequestIsEchoed() {
        mapped(0x4000, 0x1000, 0);
        server.device().takeCalls();
        Answer answer = client.done(DMA_UNMAP, unmap(0, 0x4000, 0x1000));
        assertEquals(24, answer.body().limit());
        assertEquals(24, answer.int32(0), "argsz");
        assertEquals(0, answer.int32(4), "flags");
        assertEquals(0x4000, answer.int64(8));
        assertEquals(0x1000, answer.int64(16));
        calls("unmap 4000+1000");
        assertEquals(descriptorsBefore, OpenDescriptors.count());
    }

    @Test
    void givenManyRanges_whenLargeRangeIsUnmapped_thenContainedRangesAreRemoved() {
        for (int page = 0; page < 4; page++) {
            mapped(page * 0x1000L, 0x1000, page * 0x1000L);
        }
        mapped(0x10000, 0x1000, 0x8000);
        mapped(0x8000_0000L, 0x1000, 0x9000);
        server.device().takeCalls();
        client.done(DMA_UNMAP, unmap(0, 0, 0x8000_0000L));
        calls("unmap 0+4000", "unmap 10000+1000");
    }

    @ParameterizedTest
    @CsvSource({
        "0x0, 0x1000",
        "0x0, 0x8000000000000000",
        "0x8000000000000000, 0x8000000000000000",
        "0xfef00000, 0xffffffff01100000",
        "0xfffffffffffff000, 0x1000"
    })
    void givenNeverMappedRange_whenUnmapped_thenRequestSucceeds(String iova, String bytes) {
        client.done(DMA_UNMAP, unmap(0, unsigned(iova), unsigned(bytes)));
        calls();
    }

    @Test
    void givenRangeUpToEndOfAddressSpace_whenMappedAndUnmapped_thenRequestsSucceed() {
        client.done(DMA_MAP, map(READ_WRITE, 0, -0x1000, 0x1000), ram.descriptor());
        client.done(DMA_UNMAP, unmap(0, 0xfef00000L, -0xfef00000L));
        calls("map fffffffffffff000+1000 from 0 writable", "unmap fffffffffffff000+1000");
    }

    @Test
    void givenMappedRange_whenMiddleIsUnmapped_thenOuterPartsRemain() {
        mapped(0x10000, 0x4000, 0x1000);
        server.device().takeCalls();
        client.done(DMA_UNMAP, unmap(0, 0x11000, 0x1000));
        calls("unmap 11000+1000");
        client.refused(EEXIST, DMA_MAP, map(READ_WRITE, 0, 0x10000, 0x2000), ram.descriptor());
        client.done(DMA_MAP, map(READ_WRITE, 0x1000, 0x10000, 0x1000), ram.descriptor());
        busMaster(false);
        server.device().takeCalls();
        busMaster(true);
        calls("map 10000+1000 from 1000 writable", "map 12000+2000 from 3000 writable");
    }

    @Test
    void givenTwoRanges_whenAllRangesAreUnmapped_thenNoRangeRemains() {
        mapped(0x4000, 0x1000, 0);
        mapped(0x8000_0000L, 0x1000, 0x1000);
        server.device().takeCalls();
        client.done(DMA_UNMAP, unmap(2, 0, 0));
        calls("unmap 4000+1000", "unmap 80000000+1000");
        assertEquals(descriptorsBefore, OpenDescriptors.count());
    }

    @Test
    void givenMappedRange_whenMappedAgain_thenOnlyIdenticalRangeIsAccepted() {
        mapped(0x4000, 0x1000, 0);
        mapped(0x4000, 0x1000, 0);
        calls("map 4000+1000 from 0 writable");
        client.refused(EEXIST, DMA_MAP, map(READ_WRITE, 0x1000, 0x4000, 0x1000), ram.descriptor());
        client.refused(EEXIST, DMA_MAP, map(1, 0, 0x4000, 0x1000), ram.descriptor());
        client.refused(EEXIST, DMA_MAP, map(READ_WRITE, 0, 0x4000, 0x1000));
        assertEquals(descriptorsBefore + 1, OpenDescriptors.count());
    }

    @ParameterizedTest
    @CsvSource({"0x3000, 0x2000", "0x5000, 0x1000", "0x7000, 0x2000", "0x0, 0x10000"})
    void givenOverlappingRange_whenMapped_thenRequestIsRefused(String iova, String bytes) {
        mapped(0x4000, 0x4000, 0);
        client.refused(
                EEXIST,
                DMA_MAP,
                map(READ_WRITE, 0, unsigned(iova), unsigned(bytes)),
                ram.descriptor());
        assertEquals(1, server.counters().refused(Refusal.DMA_RANGE_OVERLAPS));
    }

    @Test
    void givenBurstThatRemapsAllMemory_whenReceivedTogether_thenIdenticalRangesStayMapped() {
        mapped(0, 0xa0000, 0);
        mapped(0x100000, 0x1000, 0xf0000);
        server.device().takeCalls();
        List<Integer> ids = new ArrayList<>();
        ids.add(post(DMA_UNMAP, unmap(0, 0, 0xa0000)));
        ids.add(post(DMA_UNMAP, unmap(0, 0x100000, 0x1000)));
        ids.add(post(DMA_MAP, map(READ_WRITE, 0, 0, 0x80000), ram.descriptor()));
        ids.add(post(DMA_MAP, map(READ_WRITE, 0xf0000, 0x100000, 0x1000), ram.descriptor()));
        for (int id : ids) {
            Answer answer = client.receive();
            assertEquals(id, answer.id());
            assertEquals(0, answer.error());
        }
        calls("unmap 0+a0000", "map 0+80000 from 0 writable");
        assertEquals(1, server.counters().dmaKept());
        assertEquals(3, server.counters().dmaMaps());
        assertEquals(1, server.counters().dmaUnmaps());
    }

    @Test
    void givenUnmap_whenReplyIsReceived_thenDeviceHasUnmappedRange() {
        mapped(0x4000, 0x1000, 0);
        server.device().takeCalls();
        post(DMA_UNMAP, unmap(0, 0x4000, 0x1000));
        while (client.receiveSome() <= 0) {
            if (server.server().doWork() == 0) {
                server.look();
            }
        }
        calls("unmap 4000+1000");
    }

    @Test
    void givenManyUnmapsWithoutReplies_whenSent_thenAllRangesAreUnmapped() {
        client.done(DMA_MAP, map(READ_WRITE, 0, 0, 0x100000), ram.descriptor());
        server.device().takeCalls();
        for (int page = 0; page < 256; page += 2) {
            client.send(DMA_UNMAP, RawVfioUserClient.NO_REPLY, unmap(0, page * 0x1000L, 0x1000));
        }
        client.expectNoReplyBefore();
        assertEquals(128, server.device().takeCalls().size());
    }

    @Test
    void givenDeviceThatCannotUseMemory_whenMapped_thenRequestIsRefusedAndRangeIsNotRecorded() {
        server.device().failMappings(true);
        client.refused(EINVAL, DMA_MAP, map(READ_WRITE, 0, 0x4000, 0x1000), ram.descriptor());
        assertEquals(1, server.counters().refused(Refusal.DMA_MEMORY_UNUSABLE));
        assertEquals(descriptorsBefore, OpenDescriptors.count());
        server.device().failMappings(false);
        mapped(0x4000, 0x1000, 0);
    }

    @ParameterizedTest
    @CsvSource({
        // flags, file offset, address, size, error, reason
        "0x13, 0, 0, 0x1000, 22, DMA_FLAGS",
        "0x3, 0, 0, 0, 22, DMA_RANGE_EMPTY",
        "0x3, 0, 0x800, 0x1000, 22, DMA_RANGE_UNALIGNED",
        "0x3, 0, 0, 0x1001, 22, DMA_RANGE_UNALIGNED",
        "0x3, 0x10, 0, 0x1000, 22, DMA_RANGE_UNALIGNED",
        "0x3, 0, 0, 0x80000001000, 28, DMA_RANGE_TOO_LARGE",
        "0x3, 0, 0, 0xfffffffffffff000, 28, DMA_RANGE_TOO_LARGE",
        "0x3, 0, 0xfffffffffffff000, 0x2000, 22, DMA_RANGE_WRAPS",
        "0x3, 0, 0, 0x101000, 22, DMA_FILE_TOO_SHORT",
        "0x3, 0x100000, 0, 0x1000, 22, DMA_FILE_TOO_SHORT",
        "0x3, 0xfffffffffffff000, 0, 0x2000, 22, DMA_FILE_TOO_SHORT",
        "0x3, 0x7ffffffffffff000, 0, 0x1000, 22, DMA_FILE_TOO_SHORT"
    })
    void givenInvalidMap_whenSent_thenRequestIsRefusedAndReasonIsCounted(
            String flags, String offset, String iova, String bytes, int error, Refusal reason) {
        ByteBuffer body =
                map(Integer.decode(flags), unsigned(offset), unsigned(iova), unsigned(bytes));
        client.refused(error, DMA_MAP, body, ram.descriptor());
        assertEquals(1, server.counters().refused(reason));
        assertEquals(descriptorsBefore, OpenDescriptors.count());
        calls();
    }

    @Test
    void givenShortMapBody_whenSent_thenRequestIsRefused() {
        client.refused(EINVAL, DMA_MAP, ints(32, 3, 0, 0), ram.descriptor());
        client.refused(EINVAL, DMA_MAP, ints(31, 3, 0, 0, 0, 0, 0x1000, 0), ram.descriptor());
        assertEquals(1, server.counters().refused(Refusal.BODY_TOO_SHORT));
        assertEquals(1, server.counters().refused(Refusal.ARGSZ_TOO_SMALL));
        assertEquals(descriptorsBefore, OpenDescriptors.count());
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 11})
    void givenDescriptorAccessMode_whenDescriptorIsMissing_thenRequestIsRefused(int flags) {
        client.refused(EINVAL, DMA_MAP, map(flags, 0, 0, 0x1000));
        client.done(DMA_MAP, map(flags, 0, 0, 0x1000), ram.descriptor());
        assertEquals(1, server.counters().refused(Refusal.DMA_DESCRIPTOR_MISSING));
    }

    @Test
    void givenTwoDescriptors_whenMapped_thenRequestIsRefusedAndDescriptorsAreClosed() {
        client.refused(
                EINVAL, DMA_MAP, map(READ_WRITE, 0, 0, 0x1000), ram.descriptor(), ram.descriptor());
        assertEquals(descriptorsBefore, OpenDescriptors.count());
    }

    @Test
    void givenDescriptorWithoutMemory_whenMapped_thenRequestIsRefused() {
        try (EventFd event = EventFd.create();
                Descriptor device = Descriptor.open(Path.of("/dev/zero"))) {
            client.refused(EINVAL, DMA_MAP, map(READ_WRITE, 0, 0, 0x1000), event.descriptor());
            client.refused(EINVAL, DMA_MAP, map(READ_WRITE, 0, 0, 0x1000), device.number());
        }
        assertEquals(2, server.counters().refused(Refusal.DMA_FILE_SYSTEM));
        assertEquals(descriptorsBefore, OpenDescriptors.count());
    }

    @Test
    void givenMaximumNumberOfRanges_whenRangeIsAddedOrSplit_thenRequestIsRefused() {
        int limit = 20_480;
        for (int i = 0; i < limit; i++) {
            client.send(
                    DMA_MAP,
                    RawVfioUserClient.NO_REPLY,
                    map(READ_WRITE, 0, i * 0x10000L, i == 0 ? 0x3000 : 0x1000));
        }
        client.expectNoReplyBefore();
        client.refused(EINVAL, DMA_MAP, map(READ_WRITE, 0, limit * 0x10000L, 0x1000));
        client.refused(EINVAL, DMA_UNMAP, unmap(0, 0x1000, 0x1000));
        assertEquals(2, server.counters().refused(Refusal.DMA_TABLE_FULL));
        client.done(DMA_UNMAP, unmap(0, 0x10000, 0x1000));
        client.done(DMA_UNMAP, unmap(0, 0x1000, 0x1000));
        client.refused(EINVAL, DMA_MAP, map(READ_WRITE, 0, limit * 0x10000L, 0x1000));
    }

    @Test
    void givenManyRanges_whenMappedAndUnmapped_thenDeviceReceivesBatches() {
        busMaster(false);
        int ranges = 10 * DmaRegions.BATCH_RANGES + 1;
        for (int i = 0; i < ranges; i++) {
            mapped(i * 0x2000L, 0x1000, i % 256 * 0x1000L);
        }
        server.device().takeBatches();
        server.device().takeCalls();

        busMaster(true);
        assertEquals(batches(10), server.device().takeBatches());
        assertEquals(ranges, server.device().pages().size());
        assertEquals(ranges, server.device().takeCalls().size());
        assertEquals(ranges, server.counters().dmaMaps());

        busMaster(false);
        assertEquals(List.of(), server.device().takeBatches());
        assertEquals(2, server.device().takeCalls().size());

        busMaster(true);
        server.device().takeBatches();
        client.done(DMA_UNMAP, unmap(2, 0, 0));
        assertEquals(batches(10), server.device().takeBatches());
        assertEquals(0, server.device().pages().size());
    }

    @Test
    void givenRangesUnusableForDevice_whenBusMasterIsSet_thenOtherRangesAreMapped() {
        busMaster(false);
        for (int i = 0; i < 5; i++) {
            mapped(i * 0x2000L, 0x1000, i * 0x1000L);
        }
        server.device().failMappings(0x4000);
        busMaster(true);
        assertEquals(Set.of(0L, 0x2000L, 0x6000L, 0x8000L), server.device().pages().keySet());
        assertEquals(4, server.counters().dmaMaps());
    }

    /// Returns the expected sizes of batches: full batches, and a last batch of one range.
    private static List<Integer> batches(int full) {
        List<Integer> batches = new ArrayList<>(Collections.nCopies(full, 64));
        batches.add(1);
        return batches;
    }

    @Test
    void givenTooManyFiles_whenMapped_thenRequestIsRefusedAndNoDescriptorLeaks() {
        List<MemFd> files = new ArrayList<>();
        try {
            for (int i = 0; i < 128; i++) {
                files.add(MemFd.create("file", 0x1000));
                int descriptor = files.getLast().descriptor();
                client.done(DMA_MAP, map(READ_WRITE, 0, i * 0x1000L, 0x1000), descriptor);
            }
            int before = OpenDescriptors.count();
            client.refused(ENOSPC, DMA_MAP, map(READ_WRITE, 0, TIB, 0x1000), ram.descriptor());
            assertEquals(1, server.counters().refused(Refusal.DMA_FILES_FULL));
            assertEquals(before, OpenDescriptors.count());
            client.done(DMA_MAP, map(READ_WRITE, 0, TIB, 0x1000), files.getFirst().descriptor());
        } finally {
            files.forEach(MemFd::close);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // argsz, flags, address, size, reason
        "8, 0, 0, 0x1000, ARGSZ_TOO_SMALL",
        "0x100001, 0, 0, 0x1000, ARGSZ_TOO_LARGE",
        "24, 1, 0, 0x1000, UNMAP_FLAGS",
        "24, 3, 0, 0, UNMAP_FLAGS",
        "24, 4, 0, 0x1000, UNMAP_FLAGS",
        "24, 2, 0x1000, 0, UNMAP_ALL_WITH_RANGE",
        "24, 2, 0, 0x1000, UNMAP_ALL_WITH_RANGE",
        "24, 0, 0, 0, DMA_RANGE_EMPTY",
        "24, 0, 0x10, 0x1000, DMA_RANGE_UNALIGNED",
        "24, 0, 0, 0x1010, DMA_RANGE_UNALIGNED",
        "24, 0, 0x1000, 0xfffffffffffff000, none",
        "24, 0, 0x2000, 0xfffffffffffff000, DMA_RANGE_WRAPS"
    })
    void givenValidOrInvalidUnmap_whenSent_thenOnlyInvalidRequestIsRefused(
            String argsz, int flags, String iova, String bytes, String reason) {
        mapped(0, 0x1000, 0);
        server.device().takeCalls();
        ByteBuffer body = unmap(flags, unsigned(iova), unsigned(bytes));
        body.putInt(0, Integer.decode(argsz));
        if (reason.equals("none")) {
            client.done(DMA_UNMAP, body);
        } else {
            client.refused(EINVAL, DMA_UNMAP, body);
            assertEquals(1, server.counters().refused(Refusal.valueOf(reason)));
        }
        calls();
    }

    @Test
    void givenShortUnmapBody_whenSent_thenRequestIsRefused() {
        client.refused(EINVAL, DMA_UNMAP, ints(24, 0));
    }

    private Answer mapped(long iova, long bytes, long offset) {
        return client.done(DMA_MAP, map(READ_WRITE, offset, iova, bytes), ram.descriptor());
    }

    /// Sends a message without running the server.
    private int post(int command, ByteBuffer body, int... descriptors) {
        int id = command * 1000 + (int) (body.getLong(8) >>> 12 & 0xff);
        Arena arena = Arena.ofAuto();
        byte[] bytes = message(id, command, 0, body);
        MemorySegment buffer = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
        assertEquals(bytes.length, client.socket().send(buffer, 0, bytes.length, descriptors));
        return id;
    }

    private void busMaster(boolean on) {
        client.done(REGION_WRITE, write(4, CONFIG, le16(on ? 4 : 0)));
    }

    private void calls(String... expected) {
        assertEquals(List.of(expected), server.device().takeCalls());
    }

    private static long unsigned(String hex) {
        return hex.startsWith("0x")
                ? Long.parseUnsignedLong(hex, 2, hex.length(), 16)
                : Long.parseLong(hex);
    }

    private static ByteBuffer map(int flags, long offset, long iova, long bytes) {
        return body(
                32, b -> b.putInt(32).putInt(flags).putLong(offset).putLong(iova).putLong(bytes));
    }

    private static ByteBuffer unmap(int flags, long iova, long bytes) {
        return body(24, b -> b.putInt(24).putInt(flags).putLong(iova).putLong(bytes));
    }
}
