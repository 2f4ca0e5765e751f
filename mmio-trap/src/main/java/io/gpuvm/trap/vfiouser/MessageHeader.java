package io.gpuvm.trap.vfiouser;

import java.lang.foreign.MemorySegment;

/// Header of a message.
///
/// ```
///   0               2               4                               8
///  +---------------+---------------+-------------------------------+
///  |  message id   |    command    |  size in bytes, header incl.  |
///  +---------------+---------------+-------------------------------+
///  |             flags             |     error number (replies)    |
///  +-------------------------------+-------------------------------+
/// ```
final class MessageHeader extends Flyweight {
    static final int BYTES = 16;

    static final int TYPE_COMMAND = 0;
    static final int TYPE_REPLY = 1;

    private static final int MESSAGE_ID = 0;
    private static final int COMMAND = 2;
    private static final int SIZE = 4;
    private static final int FLAGS = 8;
    private static final int ERROR = 12;

    private static final int TYPE_MASK = 0xf;
    private static final int NO_REPLY = 0x10;
    private static final int HAS_ERROR = 0x20;

    MessageHeader wrap(MemorySegment buffer, long base) {
        move(buffer, base);
        return this;
    }

    int messageId() {
        return u16(MESSAGE_ID);
    }

    int command() {
        return u16(COMMAND);
    }

    long size() {
        return u32(SIZE);
    }

    int type() {
        return i32(FLAGS) & TYPE_MASK;
    }

    /// Returns whether the sender expects no reply, not even if the command fails.
    boolean noReply() {
        return (i32(FLAGS) & NO_REPLY) != 0;
    }

    int error() {
        return i32(ERROR);
    }

    MessageHeader command(int messageId, int command, int flags) {
        u16(MESSAGE_ID, messageId);
        u16(COMMAND, command);
        i32(FLAGS, TYPE_COMMAND | flags);
        i32(ERROR, 0);
        return this;
    }

    /// Initializes the header of the reply to a command.
    MessageHeader replyTo(MessageHeader request) {
        u16(MESSAGE_ID, request.messageId());
        u16(COMMAND, request.command());
        i32(FLAGS, TYPE_REPLY);
        i32(ERROR, 0);
        return this;
    }

    MessageHeader size(int bytes) {
        i32(SIZE, bytes);
        return this;
    }

    /// Turns a reply into a refusal.
    MessageHeader error(int errno) {
        i32(FLAGS, TYPE_REPLY | HAS_ERROR);
        i32(ERROR, errno);
        return this;
    }

    @Override
    public String toString() {
        return "%s id=%d size=%d type=%d noReply=%b error=%d"
                .formatted(
                        Command.nameOf(command()), messageId(), size(), type(), noReply(), error());
    }
}
