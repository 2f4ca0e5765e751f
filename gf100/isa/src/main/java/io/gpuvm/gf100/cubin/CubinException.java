package io.gpuvm.gf100.cubin;

/// Thrown if a file is not a cubin, or violates the format. The message contains the place and the
/// limit.
public final class CubinException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CubinException(String message) {
        super(message);
    }

    static CubinException at(String where, String name, long value, String limit) {
        return new CubinException(where + ": " + name + "=" + value + ", limit=" + limit);
    }

    static CubinException at(String where, String name, long value, long limit) {
        return at(where, name, value, Long.toString(limit));
    }
}
