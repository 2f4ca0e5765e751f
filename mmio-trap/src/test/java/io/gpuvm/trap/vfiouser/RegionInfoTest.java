package io.gpuvm.trap.vfiouser;

import static io.gpuvm.trap.vfiouser.RawVfioUserClient.ints;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.Errno;
import io.gpuvm.linux.FileStatus;
import io.gpuvm.linux.MemFd;
import io.gpuvm.tests.support.OpenDescriptors;
import io.gpuvm.trap.vfiouser.RawVfioUserClient.Answer;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegionInfoTest {
    private static final int GET_REGION_INFO = 5;
    private static final int GET_REGION_IO_FDS = 6;
    private static final int EINVAL = Errno.EINVAL.number();
    private static final int READ_WRITE = 3;
    private static final int MMAP = 4;
    private static final int CAPS = 8;
    private static final long GIB = 1L << 30;

    private final MemFd file = MemFd.create("bar2", 0x10000);
    private final TestServer server =
            new TestServer(
                    new FakeDevice()
                            .region(1, Region.trapped(8 * GIB, true))
                            .region(
                                    2,
                                    new Region(
                                            FakeDevice.BAR2_BYTES,
                                            true,
                                            file.descriptor(),
                                            0x8000,
                                            List.of(
                                                    new Region.Area(0x1000, 0x1000),
                                                    new Region.Area(0x4000, 0x2000)))));
    private final RawVfioUserClient client = server.client();

    @AfterEach
    void close() {
        client.close();
        server.close();
        file.close();
    }

    @Test
    void givenLargeArgsz_whenQueried_thenReplyHasThirtyTwoBytes() {
        Answer answer = client.done(GET_REGION_INFO, request(40, 0));
        assertEquals(32, answer.body().limit());
        assertEquals(32, answer.int32(0), "argsz");
        assertEquals(READ_WRITE, answer.int32(4), "flags");
        assertEquals(0, answer.int32(8), "index");
        assertEquals(0, answer.int32(12), "capability offset");
        assertEquals(FakeDevice.BAR0_BYTES, answer.int64(16), "size");
        assertTrue(answer.files().isEmpty());
    }

    @Test
    void givenRegionAbove4GiB_whenQueried_thenFullSizeIsReported() {
        assertEquals(8 * GIB, client.done(GET_REGION_INFO, request(32, 1)).int64(16));
    }

    @Test
    void givenReadOnlyRegion_whenQueried_thenRegionIsNotWritable() {
        Answer answer = client.done(GET_REGION_INFO, request(32, 6));
        assertEquals(1, answer.int32(4));
        assertEquals(FakeDevice.ROM_BYTES, answer.int64(16));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 8})
    void givenAbsentRegion_whenQueried_thenSizeAndFlagsAreZero(int index) {
        Answer answer = client.done(GET_REGION_INFO, request(32, index));
        assertEquals(32, answer.body().limit());
        assertEquals(0, answer.int32(4));
        assertEquals(0, answer.int64(16));
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 79})
    void givenArgszTooSmallForAreas_whenQueried_thenRequiredLengthIsReported(int argsz) {
        Answer answer = client.done(GET_REGION_INFO, request(argsz, 2));
        assertEquals(32, answer.body().limit());
        assertEquals(80, answer.int32(0), "argsz");
        assertEquals(READ_WRITE | MMAP, answer.int32(4), "flags");
        assertEquals(0, answer.int32(12), "capability offset");
        assertTrue(answer.files().isEmpty());
    }

    @Test
    void givenSufficientArgszForAreas_whenQueried_thenAreasAreListedWithOneDescriptor() {
        Answer answer = client.done(GET_REGION_INFO, request(80, 2));
        assertEquals(80, answer.body().limit());
        assertEquals(80, answer.int32(0), "argsz");
        assertEquals(READ_WRITE | MMAP | CAPS, answer.int32(4), "flags");
        assertEquals(32, answer.int32(12), "capability offset");
        assertEquals(FakeDevice.BAR2_BYTES, answer.int64(16), "size");
        assertEquals(0x8000, answer.int64(24), "file offset");
        assertEquals(0x1_0001, answer.int32(32), "capability id and version");
        assertEquals(0, answer.int32(36), "next capability");
        assertEquals(2, answer.int32(40), "areas");
        assertEquals(0x1000, answer.int64(48));
        assertEquals(0x1000, answer.int64(56));
        assertEquals(0x4000, answer.int64(64));
        assertEquals(0x2000, answer.int64(72));
        assertEquals(1, answer.files().size());
        try (Descriptor received = answer.files().getFirst()) {
            FileStatus expected = FileStatus.of(file.descriptor());
            assertTrue(FileStatus.of(received.number()).sameFile(expected));
        }
    }

    @Test
    void givenPipelinedQueries_whenAnswered_thenEachDescriptorAccompaniesMatchingHeader() {
        for (int i = 0; i < 3; i++) {
            client.send(GET_REGION_INFO, 0, request(32, 0));
            client.send(GET_REGION_INFO, 0, request(80, 2));
        }
        for (int i = 0; i < 3; i++) {
            assertTrue(client.receive().files().isEmpty());
            List<Descriptor> files = client.receive().files();
            assertEquals(1, files.size());
            files.forEach(Descriptor::close);
        }
    }

    @Test
    void givenShortBody_whenQueried_thenQueryIsRefused() {
        client.refused(EINVAL, GET_REGION_INFO, ints(32, 0));
    }

    @Test
    void givenArgszTooSmall_whenQueried_thenQueryIsRefused() {
        client.refused(EINVAL, GET_REGION_INFO, request(31, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 512, -1})
    void givenUnknownIndex_whenQueried_thenQueryIsRefused(int index) {
        client.refused(EINVAL, GET_REGION_INFO, request(32, index));
        assertEquals(1, server.counters().refused(Refusal.REGION_INDEX));
    }

    @Test
    void givenDeviceThatWouldCrashQemu_whenServerIsCreated_thenDeviceIsRefused() {
        refusedDevice(0, Region.trapped(3 * 4096, true));
        refusedDevice(7, Region.trapped(512, true));
        refusedDevice(7, Region.ABSENT);
    }

    @Test
    void givenUnmappableArea_whenRegionIsCreated_thenRegionIsRefused() {
        int descriptor = file.descriptor();
        refusedRegion(new Region.Area(0x1800, 0x1000), descriptor, 0);
        refusedRegion(new Region.Area(0x1000, 0x800), descriptor, 0);
        refusedRegion(new Region.Area(0x1000, 0x1000), descriptor, 0x100);
        refusedRegion(new Region.Area(0x7000, 0x2000), descriptor, 0);
        refusedRegion(new Region.Area(-0x1000, 0x1000), descriptor, 0);
        refusedRegion(new Region.Area(0x1000, 0), descriptor, 0);
        refusedRegion(new Region.Area(0x1000, 0x1000), -1, 0);
        assertThrows(
                IllegalArgumentException.class,
                () -> new Region(0x8000, true, descriptor, 0, List.of()));
    }

    @Test
    void givenRegionWithoutIoEventFds_whenIoEventFdsAreQueried_thenNoEventFdIsReported() {
        Answer answer = client.done(GET_REGION_IO_FDS, ints(64, 0, 0, 0));
        assertEquals(16, answer.body().limit());
        assertEquals(16, answer.int32(0), "argsz");
        assertEquals(0, answer.int32(12), "count");
        client.done(GET_REGION_IO_FDS, ints(16, 0, 2, 0));
    }

    @Test
    void givenInvalidIoEventFdQuery_whenSent_thenQueryIsRefused() {
        client.refused(EINVAL, GET_REGION_IO_FDS, ints(15, 0, 0, 0));
        client.refused(EINVAL, GET_REGION_IO_FDS, ints((1 << 20) + 1, 0, 0, 0));
        client.refused(EINVAL, GET_REGION_IO_FDS, ints(16, 1, 0, 0));
        client.refused(EINVAL, GET_REGION_IO_FDS, ints(16, 0, 0, 1));
        client.refused(EINVAL, GET_REGION_IO_FDS, ints(16, 0, 512, 0));
        client.refused(EINVAL, GET_REGION_IO_FDS, ints(16, 0, 3, 0));
        assertEquals(1, server.counters().refused(Refusal.ARGSZ_TOO_SMALL));
        assertEquals(1, server.counters().refused(Refusal.ARGSZ_TOO_LARGE));
        assertEquals(1, server.counters().refused(Refusal.IO_FDS_FLAGS));
        assertEquals(1, server.counters().refused(Refusal.IO_FDS_COUNT));
        assertEquals(1, server.counters().refused(Refusal.REGION_INDEX));
        assertEquals(1, server.counters().refused(Refusal.REGION_ABSENT));
    }

    private static ByteBuffer request(int argsz, int index) {
        return ints(argsz, 0, index, 0, 0, 0, 0, 0);
    }

    private static void refusedDevice(int index, Region region) {
        FakeDevice device = new FakeDevice().region(index, region);
        int before = OpenDescriptors.count();
        assertThrows(IllegalArgumentException.class, () -> new TestServer(device));
        assertEquals(before, OpenDescriptors.count());
    }

    private static void refusedRegion(Region.Area area, int descriptor, long fileOffset) {
        assertThrows(
                IllegalArgumentException.class,
                () -> new Region(0x8000, true, descriptor, fileOffset, List.of(area)));
    }
}
