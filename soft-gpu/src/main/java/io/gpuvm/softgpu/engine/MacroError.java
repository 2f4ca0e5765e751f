package io.gpuvm.softgpu.engine;

/// Error in a program of the macro processor, or in the use of the processor.
enum MacroError {
    /// No error. A refusal without an error concerns a method that the program sent; that refusal
    /// has already been reported.
    NONE,
    /// Arrival of another method while the program waited for a parameter.
    TOO_FEW_PARAMETERS,
    /// Arrival of a parameter while no program waited for a parameter.
    TOO_MANY_PARAMETERS,
    ILLEGAL_OPERATION,
    /// Branch in the delay slot of another branch or of the program's end.
    DOUBLE_BRANCH,
    /// More instructions than the limit of a program.
    TIMEOUT,
    /// Code or an entry outside the macro memory.
    OUT_OF_SPACE
}
