package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.gf100.unit.ByteSize;
import java.math.BigInteger;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Argument of a kernel, as given by `gpuvm exec --arg`: a value, or GPU memory.
sealed interface ExecArgument {
    /// Forms of an argument, for messages and for the help text.
    String FORMS =
            "i32:N, u32:N, i64:N, u64:N, f32:X, f64:X, in:FILE, out:FILE:SIZE, inout:FILE,"
                    + " zero:SIZE, fill:SIZE:BYTE or {ARG;ARG...}";

    /// Signed or unsigned 32-bit integer.
    record Word(int value) implements ExecArgument {}

    /// Signed or unsigned 64-bit integer.
    record LongWord(long value) implements ExecArgument {}

    /// A 32-bit floating-point number.
    record Single(float value) implements ExecArgument {}

    /// A 64-bit floating-point number.
    record Wide(double value) implements ExecArgument {}

    /// A structure by value.
    record Structure(List<ExecArgument> members) implements ExecArgument {}

    /// Address of memory allocated for this run.
    ///
    /// @param contents initial contents
    /// @param result file for the final contents; null to discard them
    record Buffer(Contents contents, Path result) implements ExecArgument {}

    /// Initial contents of memory.
    sealed interface Contents {
        /// Contents and size of a file.
        record OfFile(Path file) implements Contents {}

        /// One value, repeated in all bytes.
        record Filled(long bytes, int value) implements Contents {}
    }

    /// Parses the value of one `--arg`. Accesses no file.
    ///
    /// @throws ConfigException if the value is invalid; the message names the value and the limit
    static ExecArgument parse(String text) {
        try {
            return read(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--arg %s: %s".formatted(text, e.getMessage()), e);
        }
    }

    /// Parses an argument, for callers that report errors differently.
    ///
    /// @throws IllegalArgumentException if the value is invalid; the message names the limit
    static ExecArgument read(String text) {
        if (text.startsWith("{")) {
            return new Structure(members(text));
        }
        int colon = text.indexOf(':');
        String rest = text.substring(colon + 1);
        return switch (colon < 0 ? "" : text.substring(0, colon)) {
            case "i32" -> new Word(integer(rest, Integer.SIZE, true).intValue());
            case "u32" -> new Word(integer(rest, Integer.SIZE, false).intValue());
            case "i64" -> new LongWord(integer(rest, Long.SIZE, true).longValue());
            case "u64" -> new LongWord(integer(rest, Long.SIZE, false).longValue());
            case "f32" -> new Single(single(rest));
            case "f64" -> new Wide(wide(rest));
            case "in" -> new Buffer(new Contents.OfFile(file(rest)), null);
            case "inout" -> new Buffer(new Contents.OfFile(file(rest)), file(rest));
            case "out" -> result(rest);
            case "zero" -> new Buffer(new Contents.Filled(size(rest), 0), null);
            case "fill" -> filled(rest);
            default -> throw new IllegalArgumentException("expected " + FORMS);
        };
    }

    /// Parses the members of a structure, which may be structures themselves.
    private static List<ExecArgument> members(String text) {
        List<ExecArgument> members = new ArrayList<>();
        int last = text.length() - 1;
        int depth = 0;
        int start = 1;
        for (int i = 0; i <= last; i++) {
            char here = text.charAt(i);
            depth += here == '{' ? 1 : here == '}' ? -1 : 0;
            if (depth == 0 != (i == last)) {
                throw new IllegalArgumentException("expected {ARG;ARG...}");
            }
            if (depth == 0 || depth == 1 && here == ';') {
                members.add(read(text.substring(start, i)));
                start = i + 1;
            }
        }
        return List.copyOf(members);
    }

    private static Buffer result(String text) {
        int colon = split(text, "out:FILE:SIZE");
        Contents zeros = new Contents.Filled(size(text.substring(colon + 1)), 0);
        return new Buffer(zeros, file(text.substring(0, colon)));
    }

    private static Buffer filled(String text) {
        int colon = split(text, "fill:SIZE:BYTE");
        int value = integer(text.substring(colon + 1), Byte.SIZE, false).intValue();
        return new Buffer(new Contents.Filled(size(text.substring(0, colon)), value), null);
    }

    /// Returns the index of the last colon, because file names may contain colons.
    private static int split(String text, String form) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("expected " + form);
        }
        return colon;
    }

    private static long size(String text) {
        long bytes = ByteSize.parse("size", text);
        if (bytes < 1) {
            throw new IllegalArgumentException("size=%d, expected at least 1".formatted(bytes));
        }
        return bytes;
    }

    private static Path file(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("file='', expected a name");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("file=%s, expected a name".formatted(text), e);
        }
    }

    private static BigInteger integer(String text, int bits, boolean signed) {
        BigInteger least = signed ? BigInteger.TWO.pow(bits - 1).negate() : BigInteger.ZERO;
        BigInteger most = BigInteger.TWO.pow(signed ? bits - 1 : bits).subtract(BigInteger.ONE);
        BigInteger value = null;
        try {
            boolean hex = text.startsWith("0x");
            value = hex ? new BigInteger(text.substring(2), 16) : new BigInteger(text);
        } catch (NumberFormatException _) {
            // Reported below, together with numbers that are too large.
        }
        if (value == null || value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "value=%s, expected %d to %d, or hexadecimal after 0x"
                            .formatted(text, least, most));
        }
        return value;
    }

    private static float single(String text) {
        wide(text);
        float value = Float.parseFloat(text);
        checkFinite(text, Float.isInfinite(value), Float.MAX_VALUE);
        return value;
    }

    private static double wide(String text) {
        try {
            double value = Double.parseDouble(text);
            checkFinite(text, Double.isInfinite(value), Double.MAX_VALUE);
            return value;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("value=%s, expected a number".formatted(text), e);
        }
    }

    /// Accepts an infinite value only if the text contains it explicitly. A number that is too
    /// large is an error.
    private static void checkFinite(String text, boolean infinite, double most) {
        if (infinite && !text.contains("Infinity")) {
            throw new IllegalArgumentException(
                    "value=%s, limit=%s, or Infinity".formatted(text, most));
        }
    }
}
