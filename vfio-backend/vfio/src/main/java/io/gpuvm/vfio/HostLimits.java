package io.gpuvm.vfio;

import io.gpuvm.linux.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Limits of the host on this process's DMA mappings, and their current use. If the kernel refuses
/// a mapping, the message contains both, because the error number indicates neither.
///
/// Sources: proc_pid_limits(5) and proc_pid_status(5); `vfio_iommu_type1.c`, where a mapping's
/// pages are counted as locked memory, and mappings against `dma_entry_limit`.
final class HostLimits {
    private static final String LIMITS = "proc/self/limits";
    private static final String STATUS = "proc/self/status";
    private static final String ENTRY_LIMIT =
            "sys/module/vfio_iommu_type1/parameters/dma_entry_limit";
    private static final String LOCKED_LIMIT = "Max locked memory";
    private static final String LOCKED = "VmLck:";
    private static final String UNLIMITED = "unlimited";
    private static final String UNKNOWN = "unknown";
    private static final int KIB = 1024;

    private final Path root;

    /// @param root folder that contains `proc` and `sys`
    HostLimits(Path root) {
        this.root = root;
    }

    /// Returns the reason why the kernel refused a mapping, and the remedy; empty if the error
    /// number is sufficient.
    ///
    /// @param bytes size of the mapping
    String explain(int errno, long bytes) {
        if (errno == Errno.ENOMEM.number()) {
            return explainMemory(bytes);
        }
        return errno == Errno.ENOSPC.number() ? explainEntries() : "";
    }

    private String explainMemory(long bytes) {
        String limit = lockedLimit();
        String locked = lockedKib();
        if (limit.equals(UNLIMITED) || fits(locked, bytes, limit)) {
            return ": out of memory (locked memory=%s KiB, limit=%s)"
                    .formatted(locked, limit.equals(UNLIMITED) ? limit : limit + " bytes");
        }
        return (": locked memory=%s KiB and %d KiB more, limit=%s; raise the limit for the user"
                        + " who starts gpuvm: 'ulimit -l unlimited' as root in the user's shell, or"
                        + " LimitMEMLOCK=infinity in the systemd unit, or the line"
                        + " 'USER - memlock unlimited' in /etc/security/limits.conf")
                .formatted(locked, bytes / KIB, limitText(limit));
    }

    private String explainEntries() {
        String limit = read(ENTRY_LIMIT).stream().findFirst().map(String::strip).orElse(UNKNOWN);
        return (": number of mappings exhausted, limit=%s (dma_entry_limit of"
                        + " vfio_iommu_type1); raise the limit, as root, for owners that start"
                        + " afterwards: echo N >"
                        + " /sys/module/vfio_iommu_type1/parameters/dma_entry_limit, or"
                        + " permanently: echo 'options vfio_iommu_type1 dma_entry_limit=N' >"
                        + " /etc/modprobe.d/gpuvm.conf")
                .formatted(limit);
    }

    private static boolean fits(String lockedKib, long bytes, String limit) {
        return isNumber(lockedKib)
                && isNumber(limit)
                && Long.parseLong(lockedKib) * KIB + bytes <= Long.parseLong(limit);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(Character::isDigit);
    }

    private static String limitText(String limit) {
        return isNumber(limit) ? Long.parseLong(limit) / KIB + " KiB" : limit;
    }

    /// Returns the soft limit, the first of two columns, in bytes.
    private String lockedLimit() {
        return read(LIMITS).stream()
                .filter(line -> line.startsWith(LOCKED_LIMIT))
                .map(line -> line.substring(LOCKED_LIMIT.length()).strip().split("\\s+")[0])
                .findFirst()
                .orElse(UNKNOWN);
    }

    private String lockedKib() {
        return read(STATUS).stream()
                .filter(line -> line.startsWith(LOCKED))
                .map(line -> line.substring(LOCKED.length()).strip().split("\\s+")[0])
                .findFirst()
                .orElse(UNKNOWN);
    }

    private List<String> read(String file) {
        try {
            return Files.readAllLines(root.resolve(file));
        } catch (IOException _) {
            return List.of();
        }
    }
}
