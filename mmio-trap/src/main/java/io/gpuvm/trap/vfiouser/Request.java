package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.Descriptor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Message in progress: its position in the buffer, and the reason if it is refused. A server
/// reuses one object for all messages.
final class Request {
    /// Return value of a handler for a message that it refuses.
    static final int REFUSED = -1;

    private final MessageHeader header = new MessageHeader();
    private final List<Descriptor> descriptors = new ArrayList<>();
    private Refusal refusal;
    private String refusedName;
    private long refusedValue;
    private long refusedLimit;

    /// Text that replaces the two numbers if the value is not a number; computed only for the log.
    private Supplier<String> refusedText;

    private String expectedText;

    Request wrap(MemorySegment buffer, long start) {
        header.wrap(buffer, start);
        refusal = null;
        return this;
    }

    MessageHeader header() {
        return header;
    }

    MemorySegment buffer() {
        return header.buffer();
    }

    /// Returns the offset of the body in the buffer.
    long body() {
        return header.base() + MessageHeader.BYTES;
    }

    /// Returns the length of the body, which has been received completely.
    long bodyBytes() {
        return header.size() - MessageHeader.BYTES;
    }

    /// Returns the descriptors that accompanied the message. The message owns them: descriptors
    /// that the handler does not remove are closed when the handler has finished. A removed
    /// descriptor has a new owner, which closes it even on failure.
    List<Descriptor> descriptors() {
        return descriptors;
    }

    /// Returns whether no descriptor of this message was opened as a path only (`O_PATH`); refuses
    /// the message otherwise.
    boolean checkDescriptors() {
        for (int i = 0; i < descriptors.size(); i++) {
            if (descriptors.get(i).isPathOnly()) {
                refuse(Refusal.DESCRIPTOR_PATH_ONLY, "descriptor", i, descriptors.size() - 1L);
                return false;
            }
        }
        return true;
    }

    /// Refuses this message because of a value that exceeds a limit.
    ///
    /// @return [#REFUSED], so that handlers can return the call
    int refuse(Refusal reason, String name, long value, long limit) {
        refusal = reason;
        refusedName = name;
        refusedValue = value;
        refusedLimit = limit;
        refusedText = null;
        return REFUSED;
    }

    /// Refuses this message because of a value that is not a number.
    ///
    /// @param value supplier of the value; called at most once, while the message's descriptors are
    ///   open
    /// @param expected accepted values
    /// @return [#REFUSED], so that handlers can return the call
    int refuse(Refusal reason, String name, Supplier<String> value, String expected) {
        refusal = reason;
        refusedName = name;
        refusedText = value;
        expectedText = expected;
        return REFUSED;
    }

    /// Returns the last refusal of this message, or null.
    Refusal refusal() {
        return refusal;
    }

    void closeDescriptors() {
        if (!descriptors.isEmpty()) {
            descriptors.forEach(Descriptor::close);
            descriptors.clear();
        }
    }

    /// Returns the reason for the refusal in words.
    String refusalText() {
        if (refusedText != null) {
            return "%s (%s=%s, expected %s)"
                    .formatted(refusal.meaning(), refusedName, refusedText.get(), expectedText);
        }
        return "%s (%s=%#x, limit=%#x)"
                .formatted(refusal.meaning(), refusedName, refusedValue, refusedLimit);
    }
}
