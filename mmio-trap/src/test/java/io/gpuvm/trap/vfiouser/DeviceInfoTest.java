package io.gpuvm.trap.vfiouser;

import static io.gpuvm.trap.vfiouser.RawVfioUserClient.ints;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.linux.Errno;
import io.gpuvm.trap.vfiouser.RawVfioUserClient.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeviceInfoTest {
    private static final int GET_INFO = 4;
    private static final int EINVAL = Errno.EINVAL.number();

    private final TestServer server = new TestServer();
    private final RawVfioUserClient client = server.client();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void givenLargeArgsz_whenQueried_thenReplyDescribesResettablePciDevice() {
        Answer answer = client.done(GET_INFO, ints(32, 0, 0, 0));
        assertEquals(16, answer.body().limit());
        assertEquals(16, answer.int32(0), "argsz");
        assertEquals(3, answer.int32(4), "flags");
        assertEquals(9, answer.int32(8), "regions");
        assertEquals(5, answer.int32(12), "kinds of interrupts");
    }

    @Test
    void givenShortBody_whenQueried_thenQueryIsRefused() {
        client.refused(EINVAL, GET_INFO, ints(16, 0));
    }

    @Test
    void givenArgszTooSmall_whenQueried_thenQueryIsRefused() {
        client.refused(EINVAL, GET_INFO, ints(15, 0, 0, 0));
        assertEquals(1, server.counters().refused(Refusal.ARGSZ_TOO_SMALL));
    }
}
