package io.gpuvm.cuda.api.table;

/// Direction of a C parameter, as seen by the function.
public enum ParameterDirection {
    /// The function reads the parameter.
    IN,
    /// The parameter is a pointer to which the function writes.
    OUT,
    /// The parameter is a pointer to a value that the function reads and writes.
    INOUT;

    /// Returns the word in the table, such as `in`.
    public String word() {
        return TableWords.of(this);
    }
}
