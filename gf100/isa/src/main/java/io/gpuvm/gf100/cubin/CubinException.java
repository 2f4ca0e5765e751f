package io.gpuvm.gf100.cubin;

/// Thrown if a file is not a cubin, or violates the format. The message contains the location, the
/// value, and the limit or the expected values.
public final class CubinException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CubinException(String message) {
        super(message);
    }

    static CubinException at(String where, String name, long value, String expected) {
        return new CubinException(where + ": " + name + "=" + value + ", expected " + expected);
    }

    static CubinException at(String where, String name, long value, long limit) {
        return new CubinException(where + ": " + name + "=" + value + ", limit=" + limit);
    }
}
