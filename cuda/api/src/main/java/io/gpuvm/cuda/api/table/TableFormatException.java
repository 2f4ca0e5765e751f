package io.gpuvm.cuda.api.table;

/// Error in a file of the table. The message names the file, the line and the value.
public final class TableFormatException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// Creates an error.
    ///
    /// @param place file and line, such as `functions.txt:12`
    /// @param message the value and its limit
    public TableFormatException(String place, String message) {
        super(place + ": " + message);
    }
}
