package io.gpuvm.port;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.LinuxException;
import java.util.Optional;
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
    private final DmaMapping mapping;

    /// Of the mapping; null if there is none. Whoever takes the state away from [State#ASKED]
    /// closes it.
    private final Descriptor file;

    /// Written before the answer, read after it.
    private RuntimeException refusal;

    private Optional<SharedWindow> window = Optional.empty();

    /// One that is about no mapping.
    Question() {
        this(null, null);
    }

    private Question(DmaMapping mapping, Descriptor file) {
        this.mapping = mapping;
        this.file = file;
    }

    /// One about a mapping of a file that may be closed meanwhile, so that its number means another
    /// one when the owner comes to it: it gets a descriptor of its own.
    ///
    /// @throws GpuDeviceException if no descriptor is left
    static Question toMap(DmaMapping wanted) {
        try {
            Descriptor file = Descriptor.duplicate(wanted.descriptor());
            DmaMapping mapping =
                    new DmaMapping(
                            file.number(),
                            wanted.offset(),
                            wanted.bytes(),
                            wanted.iova(),
                            wanted.writable());
            return new Question(mapping, file);
        } catch (LinuxException e) {
            throw new GpuDeviceException(e.getMessage(), e);
        }
    }

    /// What is to be mapped; null if it is about no mapping.
    DmaMapping mapping() {
        return mapping;
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
        if (!state.compareAndSet(State.ASKED, State.TAKEN) && mapping != null) {
            return true;
        }
        try {
            action.run();
        } catch (RuntimeException e) {
            refusal = e;
        } finally {
            closeFile();
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
            closeFile();
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

    private void closeFile() {
        if (file != null) {
            file.close();
        }
    }
}
