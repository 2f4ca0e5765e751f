package io.gpuvm.softgpu.engine;

/// What is wrong with a program of the macro processor, or with how it is used.
enum MacroError {
    /// Nothing; if something was refused nevertheless, it was a method that the program sent, and
    /// has been reported.
    NONE,
    /// Another method came while a parameter was waited for.
    TOO_FEW_PARAMETERS,
    /// A parameter came, and no program waits for it.
    TOO_MANY_PARAMETERS,
    ILLEGAL_OPERATION,
    /// A branch stands where another branch or the end has yet to take effect.
    DOUBLE_BRANCH,
    /// The program ran for too long.
    TIMEOUT,
    /// Code or an entry lies beyond the space for them.
    OUT_OF_SPACE
}
