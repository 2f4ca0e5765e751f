package io.gpuvm.trap.vfiouser;

import static io.gpuvm.trap.vfiouser.RawVfioUserClient.NO_REPLY;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.access;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.body;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.empty;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.ints;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.le32;
import static io.gpuvm.trap.vfiouser.RawVfioUserClient.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.linux.Errno;
import io.gpuvm.trap.vfiouser.RawVfioUserClient.Answer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegionAccessBodyTest {
    private static final int READ = 9;
    private static final int WRITE = 10;
    private static final int RESET = 13;
    private static final int WRITE_MULTI = 15;
    private static final int FEATURE = 16;
    private static final int EINVAL = Errno.EINVAL.number();
    private static final int ROM = 6;
    private static final int CONFIG = 7;

    private final TestServer server = new TestServer();
    private final RawVfioUserClient client = server.client();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void givenWidth_whenValueIsWrittenAndRead_thenValueIsEqualAndOtherBytesAreUnchanged(int width) {
        fill(0, (byte) 0x77);
        byte[] data = Arrays.copyOf(new byte[] {-1, 2, -3, 4, -5, 6, -7, 8}, width);
        Answer written = client.done(WRITE, write(0x10, 0, data));
        assertEquals(16, written.body().limit());
        assertEquals(0x10, written.int64(0));
        assertEquals(0, written.int32(8));
        assertEquals(width, written.int32(12));
        Answer read = client.done(READ, access(0x10, 0, width));
        assertEquals(16 + width, read.body().limit());
        assertEquals(0x10, read.int64(0));
        assertEquals(width, read.int32(12));
        assertArrayEquals(data, dataOf(read));
        assertEquals(0x77, server.device().memory(0).get(0x10 + width));
        assertEquals(0x77, server.device().memory(0).get(0xf));
    }

    @ParameterizedTest
    @CsvSource({"0, 4096", "1, 2", "3, 13", "0x7fe, 5", "1, 4095", "0xff8, 8", "0xfff, 1"})
    void givenAnyOffsetAndLength_whenWrittenAndRead_thenDataIsEqual(String offset, int count) {
        byte[] data = new byte[count];
        for (int i = 0; i < count; i++) {
            data[i] = (byte) (i * 7 + 1);
        }
        client.done(WRITE, write(Long.decode(offset), 0, data));
        assertArrayEquals(data, dataOf(client.done(READ, access(Long.decode(offset), 0, count))));
    }

    @Test
    void givenFirstReadsByQemu_whenServed_thenEachRegionIsReturnedInOneReply() {
        fill(CONFIG, (byte) 0x11);
        fill(ROM, (byte) 0x22);
        assertEquals(16 + 4096, client.done(READ, access(0, CONFIG, 4096)).body().limit());
        Answer rom = client.done(READ, access(0, ROM, FakeDevice.ROM_BYTES));
        assertEquals(16 + FakeDevice.ROM_BYTES, rom.body().limit());
        assertEquals(0x22, dataOf(rom)[FakeDevice.ROM_BYTES - 1]);
        assertEquals(1, server.counters().reads(TrapRegion.CONFIG));
        assertEquals(1, server.counters().reads(TrapRegion.ROM));
    }

    @Test
    void givenLargestTransfer_whenWrittenAndRead_thenDataIsEqual() {
        try (TestServer large =
                        new TestServer(new FakeDevice().region(2, Region.trapped(1 << 21, true)));
                RawVfioUserClient one = large.client()) {
            byte[] data = new byte[1 << 20];
            Arrays.fill(data, (byte) 0x5a);
            one.done(WRITE, write(1 << 20, 2, data));
            assertArrayEquals(data, dataOf(one.done(READ, access(1 << 20, 2, 1 << 20))));
        }
    }

    @Test
    void givenZeroCount_whenReadAndWritten_thenRequestsSucceedAndRepliesHaveNoBody() {
        assertEquals(0, client.done(READ, access(0, 0, 0)).body().limit());
        assertEquals(0, client.done(WRITE, write(0, 0)).body().limit());
        assertEquals(0, server.counters().reads(TrapRegion.BAR0));
    }

    @Test
    void givenPostedWrites_whenFollowedByRead_thenOnlyReadIsAnswered() {
        for (int i = 0; i < 1000; i++) {
            client.send(WRITE, NO_REPLY, write(8, 0, le32(i)));
        }
        Answer read = client.done(READ, access(8, 0, 4));
        assertEquals(999, read.int32(16));
        assertEquals(1000, server.counters().postedWrites());
        assertEquals(1000, server.counters().writes(TrapRegion.BAR0));
    }

    @ParameterizedTest
    @CsvSource({
        // offset, region, count, reason
        "0, 9, 4, REGION_INDEX",
        "0, -1, 4, REGION_INDEX",
        "0, 2, 4, REGION_ABSENT",
        "0, 8, 4, REGION_ABSENT",
        "4096, 0, 4, REGION_RANGE",
        "4093, 0, 4, REGION_RANGE",
        "0, 0, 4097, REGION_RANGE",
        "-1, 0, 4, REGION_RANGE",
        "-1, 0, 256, REGION_RANGE",
        "0, 0, 1048584, REGION_COUNT",
        "0, 0, -1, REGION_COUNT"
    })
    void givenInvalidRead_whenSent_thenRequestIsRefusedAndReasonIsCounted(
            long offset, int region, int count, Refusal reason) {
        client.refused(EINVAL, READ, access(offset, region, count));
        assertEquals(1, server.counters().refused(reason));
        client.expectNoReplyBefore();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 9, REGION_INDEX",
        "0, 2, REGION_ABSENT",
        "4096, 0, REGION_RANGE",
        "4093, 0, REGION_RANGE",
        "-1, 0, REGION_RANGE",
        "0, 6, REGION_READ_ONLY"
    })
    void givenInvalidWrite_whenSent_thenRequestIsRefusedAndReasonIsCounted(
            long offset, int region, Refusal reason) {
        client.refused(EINVAL, WRITE, write(offset, region, le32(-1)));
        assertEquals(1, server.counters().refused(reason));
        client.send(WRITE, NO_REPLY, write(offset, region, le32(-1)));
        client.expectNoReplyBefore();
        assertEquals(2, server.counters().refused(reason));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 5, 0x7fffffff, -1})
    void givenCountUnequalToDataLength_whenWritten_thenRequestIsRefused(int count) {
        ByteBuffer body = write(0, 0, le32(-1));
        body.putInt(12, count);
        client.refused(EINVAL, WRITE, body);
        assertEquals(1, server.counters().refused(Refusal.BODY_LENGTH_WRONG));
        assertEquals(0, server.device().memory(0).getInt(0));
    }

    @Test
    void givenShortBody_whenSent_thenRequestIsRefused() {
        client.refused(EINVAL, READ, ints(0, 0));
        client.refused(EINVAL, WRITE, ints(0, 0));
    }

    @Test
    void givenPackedWrites_whenSomeWritesAreInvalid_thenOnlyValidWritesAreApplied() {
        client.send(
                WRITE_MULTI,
                NO_REPLY,
                packed(
                        new long[] {0, 0, 4, 0x11111111},
                        new long[] {4096, 0, 4, 0x22222222},
                        new long[] {4, 9, 4, 0x33333333},
                        new long[] {8, 0, 9, 0x44444444},
                        new long[] {8, 0, 0, 0x55555555},
                        new long[] {0, ROM, 4, 0x66666666},
                        new long[] {12, 0, 2, 0x77777777}));
        client.expectNoReplyBefore();
        ByteBuffer memory = server.device().memory(0);
        assertEquals(0x11111111, memory.getInt(0));
        assertEquals(0, memory.getInt(4));
        assertEquals(0, memory.getInt(8));
        assertEquals(0x7777, memory.getInt(12));
        assertEquals(2, server.counters().postedWrites());
        assertEquals(5, server.counters().refused());
    }

    @Test
    void givenPackedWritesUpToQemuLimit_whenHandled_thenWritesAreAppliedInOrder() {
        long[][] writes = new long[200][];
        for (int i = 0; i < writes.length; i++) {
            writes[i] = new long[] {8 * (i % 4), 0, 8, i};
        }
        client.send(WRITE_MULTI, NO_REPLY, packed(writes));
        client.expectNoReplyBefore();
        for (int i = 0; i < 4; i++) {
            assertEquals(196 + i, server.device().memory(0).getLong(8 * i));
        }
        assertEquals(200, server.counters().writes(TrapRegion.BAR0));
    }

    @Test
    void givenPackedWritesWithReply_whenApplied_thenReplyCountsAppliedWrites() {
        Answer answer =
                client.done(WRITE_MULTI, packed(new long[] {0, 0, 1, 1}, new long[] {0, 5, 1, 1}));
        assertEquals(8, answer.body().limit());
        assertEquals(1, answer.int64(0));
        assertEquals(0, client.done(WRITE_MULTI, packed()).int64(0));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 2, -1, Long.MIN_VALUE, 0x0aaaaaaaaaaaaaabL})
    void givenWrongNumberOfPackedWrites_whenSent_thenRequestIsRefused(long number) {
        ByteBuffer body = packed(new long[] {0, 0, 4, -1});
        body.putLong(0, number);
        client.refused(EINVAL, WRITE_MULTI, body);
        assertEquals(1, server.counters().refused(Refusal.BODY_LENGTH_WRONG));
        assertEquals(0, server.device().memory(0).getInt(0));
    }

    @Test
    void givenTruncatedPackedWrite_whenSent_thenRequestIsRefused() {
        client.refused(EINVAL, WRITE_MULTI, body(8 + 23, b -> b.putLong(1)));
        client.refused(EINVAL, WRITE_MULTI, body(8 + 25, b -> b.putLong(1)));
        client.refused(EINVAL, WRITE_MULTI, body(7, _ -> {}));
    }

    @Test
    void givenReset_whenSent_thenDeviceIsResetAndReplyHasNoBody() {
        Answer answer = client.done(RESET, empty());
        assertEquals(0, answer.body().limit());
        assertEquals(List.of("reset"), server.device().takeCalls());
    }

    @Test
    void givenResetWithBody_whenSent_thenRequestIsRefused() {
        client.refused(EINVAL, RESET, ints(0));
        assertEquals(List.of(), server.device().takeCalls());
    }

    @Test
    void givenDeviceFeature_whenQueried_thenQueryIsRefused() {
        client.refused(Errno.ENOTTY.number(), FEATURE, ints(8, 0x40000 | 2));
        client.refused(EINVAL, FEATURE, ints(2, 0x40000 | 2));
        client.refused(EINVAL, FEATURE, ints(8));
        client.expectNoReplyBefore();
    }

    private void fill(int region, byte value) {
        Arrays.fill(server.device().memory(region).array(), value);
    }

    private static byte[] dataOf(Answer answer) {
        return Arrays.copyOfRange(answer.body().array(), 16, answer.body().limit());
    }

    /// Packs writes, each of which consists of offset, region, count and data.
    private static ByteBuffer packed(long[]... writes) {
        return body(
                8 + 24 * writes.length,
                b -> {
                    b.putLong(writes.length);
                    for (long[] write : writes) {
                        b.putLong(write[0]).putInt((int) write[1]).putInt((int) write[2]);
                        b.putLong(write[3]);
                    }
                });
    }
}
