package io.gpuvm.trap.vfiouser;

import static io.gpuvm.trap.vfiouser.RawVfioUserClient.ints;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.linux.Errno;
import io.gpuvm.trap.vfiouser.RawVfioUserClient.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IrqInfoTest {
    private static final int GET_IRQ_INFO = 7;
    private static final int EINVAL = Errno.EINVAL.number();

    private final TestServer server = new TestServer();
    private final RawVfioUserClient client = server.client();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"0, 7, 1", "1, 9, 24", "2, 1, 0", "3, 1, 1", "4, 1, 1"})
    void givenKindOfInterrupt_whenQueried_thenFlagsAndVectorsAreReported(
            int index, int flags, int vectors) {
        Answer answer = client.done(GET_IRQ_INFO, ints(32, 0, index, 0));
        assertEquals(16, answer.body().limit());
        assertEquals(16, answer.int32(0), "argsz");
        assertEquals(flags, answer.int32(4), "flags");
        assertEquals(index, answer.int32(8), "index");
        assertEquals(vectors, answer.int32(12), "vectors");
    }

    @Test
    void givenShortBody_whenQueried_thenQueryIsRefused() {
        client.refused(EINVAL, GET_IRQ_INFO, ints(16, 0));
    }

    @Test
    void givenArgszTooSmall_whenQueried_thenQueryIsRefused() {
        client.refused(EINVAL, GET_IRQ_INFO, ints(8, 0, 0, 0));
        assertEquals(1, server.counters().refused(Refusal.ARGSZ_TOO_SMALL));
    }

    @Test
    void givenUnknownKind_whenQueried_thenQueryIsRefused() {
        client.refused(EINVAL, GET_IRQ_INFO, ints(16, 0, 5, 0));
        client.refused(EINVAL, GET_IRQ_INFO, ints(16, 0, -1, 0));
        assertEquals(2, server.counters().refused(Refusal.IRQ_INDEX));
    }
}
