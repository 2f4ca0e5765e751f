package io.gpuvm.counters;

import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/// Key of a counter in the metadata: the scope (offset 0), the member (4), the number of the
/// virtual machine's slot (8) and mode (12), each of 4 bytes; the number of its attachment (16, 8
/// bytes); the length of its name (24, 4 bytes) and the name in ASCII (28).
///
/// @param slot slot of the virtual machine; 0 for other scopes
/// @param mode number of the virtual machine's mode, [VmSnapshot#MODES]; 0 for other scopes
/// @param attachment number of the attachment; 0 for other scopes
/// @param name name of the virtual machine; empty for other scopes
record CounterKey(
        CounterScope scope, int member, int slot, int mode, long attachment, String name) {
    private static final int SCOPE_AT = 0;
    private static final int MEMBER_AT = 4;
    private static final int SLOT_AT = 8;
    private static final int MODE_AT = 12;
    private static final int ATTACHMENT_AT = 16;
    private static final int NAME_BYTES_AT = 24;
    private static final int NAME_AT = 28;

    /// Length of the key without the name.
    private static final int FIXED_BYTES = NAME_AT;

    /// Greatest length of a name: the rest of Agrona's 112 bytes.
    static final int MOST_NAME_BYTES = 84;

    /// Returns the key of a subject that is no virtual machine.
    static CounterKey of(CounterScope scope) {
        return new CounterKey(scope, 0, 0, 0, 0, "");
    }

    /// Returns the key as bytes.
    DirectBuffer encode() {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        if (text.length > MOST_NAME_BYTES) {
            throw new IllegalArgumentException(
                    "name=%s, bytes=%d, limit=%d".formatted(name, text.length, MOST_NAME_BYTES));
        }
        MutableDirectBuffer key = new UnsafeBuffer(new byte[FIXED_BYTES + text.length]);
        key.putInt(SCOPE_AT, scope.ordinal());
        key.putInt(MEMBER_AT, member);
        key.putInt(SLOT_AT, slot);
        key.putInt(MODE_AT, mode);
        key.putLong(ATTACHMENT_AT, attachment);
        key.putInt(NAME_BYTES_AT, text.length);
        key.putBytes(NAME_AT, text);
        return key;
    }

    /// Reads a key, whose bytes may be invalid.
    ///
    /// @param at offset of the key
    /// @return null if the bytes are no key
    static CounterKey decode(DirectBuffer buffer, int at) {
        int scope = buffer.getInt(at + SCOPE_AT);
        int bytes = buffer.getInt(at + NAME_BYTES_AT);
        if (scope < 0
                || scope >= CounterScope.values().length
                || bytes < 0
                || bytes > MOST_NAME_BYTES) {
            return null;
        }
        return new CounterKey(
                CounterScope.values()[scope],
                buffer.getInt(at + MEMBER_AT),
                buffer.getInt(at + SLOT_AT),
                buffer.getInt(at + MODE_AT),
                buffer.getLong(at + ATTACHMENT_AT),
                printable(buffer, at + NAME_AT, bytes));
    }

    /// Reads only the member of a virtual machine's key, whose other parts are known.
    static CounterKey decodeMember(DirectBuffer buffer, int at) {
        return new CounterKey(CounterScope.VM, buffer.getInt(at + MEMBER_AT), 0, 0, 0, "");
    }

    /// Returns the number of the attachment in a key.
    static long attachment(DirectBuffer buffer, int at) {
        return buffer.getLong(at + ATTACHMENT_AT);
    }

    /// Returns a text for a terminal: bytes outside printable ASCII become question marks.
    static String printable(DirectBuffer buffer, int at, int bytes) {
        StringBuilder text = new StringBuilder(bytes);
        for (int i = 0; i < bytes; i++) {
            byte each = buffer.getByte(at + i);
            text.append(each > ' ' && each < 0x7f ? (char) each : '?');
        }
        return text.toString();
    }
}
