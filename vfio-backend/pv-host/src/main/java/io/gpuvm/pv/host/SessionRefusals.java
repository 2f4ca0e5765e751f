package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.CommandStatus;

/// Refusals of a session's requests for resources, with the limits of its place. Confined to the
/// poller.
final class SessionRefusals {
    private final PvPlace place;
    private final long privateBytes;

    SessionRefusals(PvPlace place, long privateBytes) {
        this.place = place;
        this.privateBytes = privateBytes;
    }

    /// Returns the refusal of an address space.
    SessionGpuException ofSpace(CommandStatus status) {
        int limit = place.quotas().spaces();
        return status == CommandStatus.QUOTA_SPACES
                ? refusal("address spaces=%d, limit=%d", limit + 1, limit)
                : refusal("no memory is left for the page tables of an address space");
    }

    /// Returns the refusal of VRAM.
    SessionGpuException ofVram(CommandStatus status, long bytes) {
        return switch (status) {
            case QUOTA_HANDLES -> {
                int limit = place.quotas().handles();
                yield refusal("pieces of VRAM=%d, limit=%d", limit + 1, limit);
            }
            case QUOTA_VRAM ->
                    refusal("VRAM bytes=%d, limit=%d", bytes, place.use().vram().freeBytes());
            default -> refusal("VRAM bytes=%d: the free VRAM is too fragmented", bytes);
        };
    }

    /// Returns the refusal of private memory.
    SessionGpuException ofPrivate(long bytes) {
        return refusal("private memory bytes=%d, limit=%d", bytes, privateBytes);
    }

    /// Returns the refusal of a mapping.
    SessionGpuException ofMapping(CommandStatus status, long gpuVa, long bytes) {
        return switch (status) {
            case QUOTA_PAGES ->
                    refusal(
                            "mapping at %#x, bytes=%d: limit=%d pages",
                            gpuVa, bytes, place.quotas().mappedPages());
            case MAPPED -> refusal("mapping at %#x, bytes=%d: in use", gpuVa, bytes);
            default ->
                    refusal(
                            "mapping at %#x, bytes=%d: no memory is left for page tables",
                            gpuVa, bytes);
        };
    }

    /// Returns the refusal of a channel.
    SessionGpuException ofChannel(CommandStatus status) {
        return status == CommandStatus.QUOTA_CHANNELS
                ? refusal("no channel is left, limit=%d", place.gpu().channels())
                : refusal("no memory is left for a channel: " + status);
    }

    private static SessionGpuException refusal(String format, Object... values) {
        return new SessionGpuException(format.formatted(values));
    }
}
