package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LostRepliesTest {
    private static final String TIMEOUT =
            "qemu-system-x86_64: vfio_user_device_io_region_write: timed out waiting for reply:"
                    + " Connection timed out";
    private static final String ACCESS =
            "qemu-system-x86_64: vfio_region_write(vfio-user:/tmp/vm0.sock:region0+0x100cbc,"
                    + " 0x80000005,4) failed: Bad address";
    private static final String SIGNAL = "qemu-system-x86_64: terminating on signal 15 from pid 7";

    @Test
    void givenLogWithoutTimeout_whenSearched_thenNoReplyIsLost() {
        assertEquals(Optional.empty(), LostReplies.find(List.of()));
        assertEquals(Optional.empty(), LostReplies.find(List.of(ACCESS, SIGNAL)));
    }

    @Test
    void givenTimeouts_whenSearched_thenCountAndFirstAccessAreReported() {
        assertEquals(
                Optional.of("QEMU: late replies of the server=2, limit=0; first: " + ACCESS),
                LostReplies.find(List.of(SIGNAL, TIMEOUT, ACCESS, TIMEOUT, SIGNAL)));
    }

    @Test
    void givenTimeoutWithoutAccess_whenSearched_thenTimeoutIsReported() {
        assertEquals(
                Optional.of("QEMU: late replies of the server=1, limit=0; first: " + TIMEOUT),
                LostReplies.find(List.of(SIGNAL, TIMEOUT)));
    }
}
