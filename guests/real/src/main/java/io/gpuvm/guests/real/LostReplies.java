package io.gpuvm.guests.real;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Accesses of a guest whose reply QEMU did not receive within its timeout of 5 s. QEMU then passes
/// -1 to the guest, or continues after a write whose effect is still pending, so that the guest's
/// results are meaningless and its kernel may crash.
///
/// Source: QEMU `hw/vfio-user/proxy.c`, `hw/vfio/region.c`.
final class LostReplies {
    private static final Predicate<String> TIMEOUT =
            line -> line.contains("timed out waiting for reply");
    private static final Predicate<String> ACCESS = line -> line.contains(": vfio_region_");

    private LostReplies() {}

    /// Returns a description of the lost replies with the first access; empty if no reply was lost.
    ///
    /// @param qemuLog all lines of QEMU's standard error
    static Optional<String> find(List<String> qemuLog) {
        List<String> fromFirst = qemuLog.stream().dropWhile(TIMEOUT.negate()).toList();
        if (fromFirst.isEmpty()) {
            return Optional.empty();
        }
        String first = fromFirst.stream().filter(ACCESS).findFirst().orElse(fromFirst.getFirst());
        return Optional.of(
                "QEMU: late replies of the server=%d, limit=0; first: %s"
                        .formatted(fromFirst.stream().filter(TIMEOUT).count(), first));
    }
}
