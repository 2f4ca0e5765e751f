package io.gpuvm.gf100.cubin;

/// Thrown if a file is not a cubin, or violates the format. The message contains the location, the
/// value, and the limit or the expected values.
public final class CubinException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// Kinds of refused files.
    public enum Kind {
        /// File that is no module, or is damaged.
        MALFORMED,
        /// Module for other architectures.
        OTHER_ARCHITECTURE,
        /// Module that contains PTX, which a compiler would have to translate, but no cubin for
        /// sm_20 or sm_21.
        ONLY_PTX
    }

    private final Kind kind;

    CubinException(String message) {
        this(Kind.MALFORMED, message);
    }

    CubinException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /// Returns the reason why the file is refused.
    public Kind kind() {
        return kind;
    }

    static CubinException at(String where, String name, long value, String expected) {
        return new CubinException(where + ": " + name + "=" + value + ", expected " + expected);
    }

    static CubinException at(String where, String name, long value, long limit) {
        return new CubinException(where + ": " + name + "=" + value + ", limit=" + limit);
    }
}
