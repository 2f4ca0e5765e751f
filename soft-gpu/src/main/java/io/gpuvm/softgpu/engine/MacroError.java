package io.gpuvm.softgpu.engine;

/// Error in a program of the macro processor, or in its use.
enum MacroError {
    /// No error. A refusal without an error concerns a method that the program sent, and has
    /// already been reported.
    NONE,
    /// Another method arrived while the program waited for a parameter.
    TOO_FEW_PARAMETERS,
    /// A parameter arrived while no program waited for it.
    TOO_MANY_PARAMETERS,
    ILLEGAL_OPERATION,
    /// A branch is in the delay slot of another branch or of the program's end.
    DOUBLE_BRANCH,
    /// The program exceeded its instruction limit.
    TIMEOUT,
    /// Code or an entry is outside its memory.
    OUT_OF_SPACE
}
