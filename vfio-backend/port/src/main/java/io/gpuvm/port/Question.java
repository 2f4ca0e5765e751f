package io.gpuvm.port;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.LinuxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/// Request whose virtual machine waits for the completion, up to a deadline.
///
/// ```text
///  ASKED ----> TAKEN ----> ANSWERED        owner
///    |           |
///    +-----------+-------> GIVEN_UP        virtual machine
/// ```
///
/// A mapping that the virtual machine has given up is not carried out, because the virtual machine
/// considers it refused. All other requests are carried out even after the deadline, because the
/// resources that they release must not remain allocated.
final class Question {
    private enum State {
        ASKED,
        TAKEN,
        ANSWERED,
        GIVEN_UP
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.ASKED);
    private final List<DmaMapping> mappings;

    /// Descriptors of the mappings. The thread that changes the state from [State#ASKED] closes
    /// them.
    private final List<Descriptor> files;

    private final List<DmaRange> ranges;

    /// Reason for a refusal of the whole request; written before the answer, read after it.
    private RuntimeException refusal;

    /// Reasons for refused mappings, by index; written before the answer, read after it. Immutable
    /// while empty.
    private Map<Integer, GpuDeviceException> refused = Map.of();

    private Optional<SharedWindow> window = Optional.empty();

    /// Creates a request without mappings.
    Question() {
        this(List.of(), List.of(), List.of());
    }

    private Question(List<DmaMapping> mappings, List<Descriptor> files, List<DmaRange> ranges) {
        this.mappings = mappings;
        this.files = files;
        this.ranges = ranges;
    }

    /// Creates a request for mappings. The request has its own descriptors, one for each file,
    /// because the caller may close its files before the owner handles the request.
    ///
    /// @throws GpuDeviceException if the process has no free descriptor
    static Question toMap(List<DmaMapping> wanted) {
        List<DmaMapping> mappings = new ArrayList<>(wanted.size());
        Map<Integer, Descriptor> files = new HashMap<>();
        try {
            for (DmaMapping each : wanted) {
                Descriptor file = files.computeIfAbsent(each.descriptor(), Descriptor::duplicate);
                mappings.add(
                        new DmaMapping(
                                file.number(),
                                each.offset(),
                                each.bytes(),
                                each.iova(),
                                each.writable()));
            }
            return new Question(mappings, List.copyOf(files.values()), List.of());
        } catch (LinuxException e) {
            files.values().forEach(Descriptor::close);
            throw new GpuDeviceException(e.getMessage(), e);
        }
    }

    /// Creates a request to unmap ranges.
    static Question toUnmap(List<DmaRange> ranges) {
        return new Question(List.of(), List.of(), List.copyOf(ranges));
    }

    /// Returns the mappings; empty if the request has none.
    List<DmaMapping> mappings() {
        return mappings;
    }

    /// Returns the ranges to unmap.
    List<DmaRange> ranges() {
        return ranges;
    }

    /// Refuses one of the mappings. Owner's thread, before the answer.
    void refuse(int index, GpuDeviceException why) {
        if (refused.isEmpty()) {
            refused = new TreeMap<>();
        }
        refused.put(index, why);
    }

    /// Returns the reasons for refused mappings, by index; after the answer.
    Map<Integer, GpuDeviceException> refused() {
        return refused;
    }

    /// Returns whether an error has ended the request, which may be partly carried out. Owner's
    /// thread.
    boolean hasFailed() {
        return refusal != null;
    }

    /// Sets the window that the owner has opened.
    void window(Optional<SharedWindow> opened) {
        window = opened;
    }

    /// Returns the opened window; after the answer.
    Optional<SharedWindow> window() {
        return window;
    }

    /// Carries out the request, unless it is a mapping that the virtual machine has given up, and
    /// answers it. Owner's thread, once.
    ///
    /// @return false if the action has succeeded, but the virtual machine has given up
    boolean carryOut(Runnable action) {
        if (!state.compareAndSet(State.ASKED, State.TAKEN) && !mappings.isEmpty()) {
            return true;
        }
        try {
            action.run();
        } catch (RuntimeException e) {
            refusal = e;
        } finally {
            closeFiles();
        }
        return state.compareAndSet(State.TAKEN, State.ANSWERED) || refusal != null;
    }

    /// Returns whether the owner has answered. Virtual machine's thread.
    boolean isAnswered() {
        return state.get() == State.ANSWERED;
    }

    /// Gives up waiting.
    ///
    /// @return false if the owner has already answered, and the answer is valid
    boolean giveUp() {
        if (state.compareAndSet(State.ASKED, State.GIVEN_UP)) {
            closeFiles();
            return true;
        }
        return state.compareAndSet(State.TAKEN, State.GIVEN_UP);
    }

    /// @throws GpuDeviceException if the owner has refused the request
    void throwRefusal() {
        if (refusal != null) {
            throw new GpuDeviceException(refusal.getMessage(), refusal);
        }
    }

    private void closeFiles() {
        files.forEach(Descriptor::close);
    }
}
