package io.gpuvm.port;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.DmaRefusals;
import io.gpuvm.gf100.device.GpuDeviceException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Requests that map a guest's memory for the GPU and unmap it: large pieces are split, and small
/// pieces share a request, so that no request occupies the owner for long. Confined to the virtual
/// machine's thread, except where a method names another; [GpuRequests] specifies the contracts.
final class DmaRequests {
    /// Maximum number of bytes mapped by one request. Allocating, zeroing and pinning all memory of
    /// a large guest takes Linux longer than any caller waits, and would delay other requests.
    static final long MAP_BYTES = 64L << 20;

    private final RequestCalls calls;
    private final Consumer<Question> mapping;
    private final Consumer<Question> unmapping;

    /// @param mapping function that requests mappings and waits for the answer
    /// @param unmapping function that requests the removal of ranges and waits for the answer
    DmaRequests(RequestCalls calls, Consumer<Question> mapping, Consumer<Question> unmapping) {
        this.calls = calls;
        this.mapping = mapping;
        this.unmapping = unmapping;
    }

    /// Maps memory: see [GpuRequests#mapDma(DmaMapping)].
    void map(DmaMapping atGuestPhysical) {
        long done = 0;
        try {
            do {
                DmaMapping piece = piece(atGuestPhysical, done);
                Question question = Question.toMap(List.of(piece));
                mapping.accept(question);
                for (GpuDeviceException why : question.refused().values()) {
                    throw new GpuDeviceException(why.getMessage(), why);
                }
                done += piece.bytes();
            } while (done < atGuestPhysical.bytes());
        } catch (RuntimeException e) {
            if (done > 0) {
                takeBack(atGuestPhysical.iova(), done, e);
            }
            throw e;
        }
    }

    /// Maps several ranges: see [GpuRequests#mapDma(List, DmaRefusals)].
    void map(List<DmaMapping> atGuestPhysical, DmaRefusals refusals) {
        int first = 0;
        while (first < atGuestPhysical.size()) {
            int end = endOfRequest(atGuestPhysical, first);
            if (end - first == 1) {
                mapAlone(atGuestPhysical.get(first), first, refusals);
            } else {
                mapTogether(atGuestPhysical.subList(first, end), first, refusals);
            }
            first = end;
        }
    }

    /// Unmaps ranges: see [GpuRequests#unmapDma(List)].
    void unmap(List<DmaRange> guestPhysical) {
        unmapping.accept(Question.toUnmap(guestPhysical));
        calls.rest(guestPhysical.size());
    }

    /// Maps pieces. Unmaps them again if the virtual machine no longer waits, or if the request has
    /// failed midway: a virtual machine never unmaps a mapping that it considers refused. Owner's
    /// thread.
    static void carryOutMap(Question question, GpuRequests.Handler handler) {
        List<DmaMapping> mappings = question.mappings();
        boolean isWanted = question.carryOut(() -> handler.onMapDma(mappings, question::refuse));
        if (!isWanted || question.hasFailed() && mappings.size() > 1) {
            List<DmaRange> ranges = new ArrayList<>(mappings.size());
            for (DmaMapping mapping : mappings) {
                ranges.add(new DmaRange(mapping.iova(), mapping.bytes()));
            }
            try {
                handler.onUnmapDma(ranges);
            } catch (RuntimeException _) {
                // The GPU cannot access the memory even so, and no caller waits for the error.
            }
        }
    }

    /// Unmaps ranges. Owner's thread.
    static void carryOutUnmap(Question question, GpuRequests.Handler handler) {
        question.carryOut(() -> handler.onUnmapDma(question.ranges()));
    }

    /// Returns the index after the last mapping that shares a request with the mapping at `first`.
    private static int endOfRequest(List<DmaMapping> mappings, int first) {
        long bytes = mappings.get(first).bytes();
        int end = first + 1;
        while (end < mappings.size() && mappings.get(end).bytes() <= MAP_BYTES - bytes) {
            bytes += mappings.get(end).bytes();
            end++;
        }
        return end;
    }

    private void mapAlone(DmaMapping wanted, int index, DmaRefusals refusals) {
        try {
            map(wanted);
        } catch (GpuDeviceException e) {
            refusals.onRefused(index, e);
        }
    }

    /// @param base index of the first mapping in the list to which `refusals` refers
    private void mapTogether(List<DmaMapping> wanted, int base, DmaRefusals refusals) {
        Question question;
        try {
            question = Question.toMap(wanted);
        } catch (GpuDeviceException _) {
            // Free descriptors may be few: one mapping at a time needs the fewest.
            for (int i = 0; i < wanted.size(); i++) {
                mapAlone(wanted.get(i), base + i, refusals);
            }
            return;
        }
        try {
            mapping.accept(question);
            calls.rest(wanted.size());
            question.refused().forEach((index, why) -> refusals.onRefused(base + index, why));
        } catch (GpuDeviceException e) {
            for (int i = 0; i < wanted.size(); i++) {
                refusals.onRefused(base + i, e);
            }
        }
    }

    private static DmaMapping piece(DmaMapping whole, long from) {
        return new DmaMapping(
                whole.descriptor(),
                whole.offset() + from,
                Math.min(MAP_BYTES, whole.bytes() - from),
                whole.iova() + from,
                whole.writable());
    }

    /// Unmaps the pieces of a failed mapping.
    ///
    /// @param why reason of the failure
    /// @throws UnsettledException if the pieces may still be mapped
    private void takeBack(long guestPhysical, long bytes, RuntimeException why) {
        try {
            unmap(List.of(new DmaRange(guestPhysical, bytes)));
        } catch (GpuDeviceException e) {
            UnsettledException unsettled = new UnsettledException(why.getMessage(), why);
            unsettled.addSuppressed(e);
            throw unsettled;
        }
    }
}
