package io.gpuvm.pv.protocol;

/// States of a PCI function's session: values of [FunctionRegisters#STATE].
public enum SessionState {
    /// No session: the guest has not begun a session, or has ended the latest session.
    CLOSED(0),
    /// The session has begun, and the host is preparing the area. An earlier session may have to
    /// end first.
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

    /// Returns the value of the register.
    public int code() {
        return code;
    }

    /// Returns the state with the given code; null if the code is undefined.
    public static SessionState of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
