package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.Descriptor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// The message that is being handled: where it lies, and why it is refused if it is. One object
/// serves all messages of a server.
final class Request {
    /// What a handler returns for a message that it refuses.
    static final int REFUSED = -1;

    private final MessageHeader header = new MessageHeader();
    private final List<Descriptor> descriptors = new ArrayList<>();
    private Refusal refusal;
    private String refusedName;
    private long refusedValue;
    private long refusedLimit;

    /// In place of the two numbers, if the value is no number: made only if it is logged.
    private Supplier<String> refusedText;

    private String refusedTextLimit;

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

    /// Where the body begins in the buffer.
    long body() {
        return header.base() + MessageHeader.BYTES;
    }

    /// Length of the body; all of it has been received.
    long bodyBytes() {
        return header.size() - MessageHeader.BYTES;
    }

    /// The descriptors that came with the message. They belong to it: those that a handler does not
    /// remove are closed when the handler is done. One that a handler removes belongs to whatever
    /// the handler gives it to, and that closes it also if it fails.
    List<Descriptor> descriptors() {
        return descriptors;
    }

    /// Whether each descriptor of this message can be used for more than to be passed on; the
    /// message is refused if not.
    boolean checkDescriptors() {
        for (int i = 0; i < descriptors.size(); i++) {
            if (descriptors.get(i).isPathOnly()) {
                refuse(Refusal.DESCRIPTOR_PATH_ONLY, "descriptor", i, descriptors.size() - 1L);
                return false;
            }
        }
        return true;
    }

    /// Refuses this message, because of a value that breaks a limit.
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

    /// Refuses this message, because of a value that is no number.
    ///
    /// @param value tells the value; called at most once, while the message's descriptors are open
    /// @param limit what is accepted
    /// @return [#REFUSED], so that handlers can return the call
    int refuse(Refusal reason, String name, Supplier<String> value, String limit) {
        refusal = reason;
        refusedName = name;
        refusedText = value;
        refusedTextLimit = limit;
        return REFUSED;
    }

    /// The last refusal of this message, or null.
    Refusal refusal() {
        return refusal;
    }

    void closeDescriptors() {
        if (!descriptors.isEmpty()) {
            descriptors.forEach(Descriptor::close);
            descriptors.clear();
        }
    }

    /// Why it was refused, in words.
    String refusalText() {
        if (refusedText != null) {
            return "%s (%s=%s, limit=%s)"
                    .formatted(refusal.meaning(), refusedName, refusedText.get(), refusedTextLimit);
        }
        return "%s (%s=%#x, limit=%#x)"
                .formatted(refusal.meaning(), refusedName, refusedValue, refusedLimit);
    }
}
