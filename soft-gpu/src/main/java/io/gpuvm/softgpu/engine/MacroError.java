package io.gpuvm.softgpu.engine;

/// Error in a program of the macro processor, or in its use.
enum MacroError {
    /// No error; if a refusal occurred nevertheless, it concerned a method that the program sent,
    /// and has been reported.
    NONE,
    /// Another method arrived while the program waited for a parameter.
    TOO_FEW_PARAMETERS,
    /// A parameter arrived, and no program waits for it.
    TOO_MANY_PARAMETERS,
    ILLEGAL_OPERATION,
    /// A branch in the delay slot of another branch or of the end.
    DOUBLE_BRANCH,
    /// The program exceeded its instruction limit.
    TIMEOUT,
    /// Code or an entry is outside its memory.
    OUT_OF_SPACE
}
