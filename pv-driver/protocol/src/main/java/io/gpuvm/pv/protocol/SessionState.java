package io.gpuvm.pv.protocol;

/// States of a PCI function's session: values of [FunctionRegisters#STATE].
public enum SessionState {
    /// No session: none was begun, or the guest has ended it.
    CLOSED(0),
    /// The session has begun, and the host prepares the area; an earlier session may have to end
    /// first.
    PENDING(1),
    /// The area has its header, and the host executes commands.
    OPEN(2),
    /// The host could not begin the session.
    REFUSED(3),
    /// The host has ended the session.
    ENDED(4);

    private static final SessionState[] BY_CODE = values();

    private final int code;

    SessionState(int code) {
        this.code = code;
    }

    /// Value of the register.
    public int code() {
        return code;
    }

    /// State of a code, null if none has it.
    public static SessionState of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
