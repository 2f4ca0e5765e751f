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

/// A request whose virtual machine waits until it is carried out, though not for ever.
///
/// ```text
///  ASKED ----> TAKEN ----> ANSWERED        owner
///    |           |
///    +-----------+-------> GIVEN_UP        virtual machine
/// ```
///
/// A mapping of which the virtual machine has given up is not made any more, for it is taken for
/// refused. Everything else is carried out even late: what it takes away must not stay.
final class Question {
    private enum State {
        ASKED,
        TAKEN,
        ANSWERED,
        GIVEN_UP
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.ASKED);
    private final List<DmaMapping> mappings;

    /// Of the mappings. Whoever takes the state away from [State#ASKED] closes them.
    private final List<Descriptor> files;

    private final List<DmaRange> ranges;

    /// Why nothing is done; written before the answer, read after it.
    private RuntimeException refusal;

    /// Why some mappings are not made, by their index; the same. Immutable as long as it is empty.
    private Map<Integer, GpuDeviceException> refused = Map.of();

    private Optional<SharedWindow> window = Optional.empty();

    /// One that is about no mapping.
    Question() {
        this(List.of(), List.of(), List.of());
    }

    private Question(List<DmaMapping> mappings, List<Descriptor> files, List<DmaRange> ranges) {
        this.mappings = mappings;
        this.files = files;
        this.ranges = ranges;
    }

    /// One about mappings of files that may be closed meanwhile, so that their numbers mean others
    /// when the owner comes to it: it gets descriptors of its own, one for each file.
    ///
    /// @throws GpuDeviceException if no descriptor is left
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

    /// One about ranges that are to be taken back.
    static Question toUnmap(List<DmaRange> ranges) {
        return new Question(List.of(), List.of(), List.copyOf(ranges));
    }

    /// What is to be mapped; empty if it is about no mapping.
    List<DmaMapping> mappings() {
        return mappings;
    }

    /// What is to be taken back.
    List<DmaRange> ranges() {
        return ranges;
    }

    /// One of the mappings is not made. Owner's thread, before the answer.
    void refuse(int index, GpuDeviceException why) {
        if (refused.isEmpty()) {
            refused = new TreeMap<>();
        }
        refused.put(index, why);
    }

    /// Why some of the mappings were not made, by their index; after the answer.
    Map<Integer, GpuDeviceException> refused() {
        return refused;
    }

    /// Whether an error has ended it, so that nobody knows how much of it is done. Owner's thread.
    boolean hasFailed() {
        return refusal != null;
    }

    /// The answer to a question for a window.
    void window(Optional<SharedWindow> opened) {
        window = opened;
    }

    /// The window that was asked for, after the answer.
    Optional<SharedWindow> window() {
        return window;
    }

    /// Does what was asked for, unless it is a mapping that nobody wants any more, and answers.
    /// Owner's thread, once.
    ///
    /// @return false if the virtual machine has given up while this was being done for it, and it
    ///   was done
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

    /// Whether the owner is done with it. Virtual machine's thread, as everything that follows.
    boolean isAnswered() {
        return state.get() == State.ANSWERED;
    }

    /// Waits for no answer any more.
    ///
    /// @return false if there is one by now, which counts
    boolean giveUp() {
        if (state.compareAndSet(State.ASKED, State.GIVEN_UP)) {
            closeFiles();
            return true;
        }
        return state.compareAndSet(State.TAKEN, State.GIVEN_UP);
    }

    /// @throws GpuDeviceException if that is the answer
    void throwRefusal() {
        if (refusal != null) {
            throw new GpuDeviceException(refusal.getMessage(), refusal);
        }
    }

    private void closeFiles() {
        files.forEach(Descriptor::close);
    }
}
