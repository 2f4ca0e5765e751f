package io.gpuvm.pv.protocol;

/// How the session of a PCI function is: what [FunctionRegisters#STATE] reads.
public enum SessionState {
    /// There is none: none was begun, or the guest has ended it.
    CLOSED(0),
    /// It has been begun, and the host is making the area; one before may have to be taken down.
    PENDING(1),
    /// The area has its header, and commands are carried out.
    OPEN(2),
    /// The host could not begin it.
    REFUSED(3),
    /// The host has ended it.
    ENDED(4);

    private static final SessionState[] BY_CODE = values();

    private final int code;

    SessionState(int code) {
        this.code = code;
    }

    /// What stands in the register.
    public int code() {
        return code;
    }

    /// The state with a code, null if there is none.
    public static SessionState of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
