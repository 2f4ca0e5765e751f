package io.gpuvm.ptx.check;

/// Parameter or result of a function.
///
/// @param name name; empty in a prototype and in a declaration without names
/// @param type type of an element
/// @param bytes size in bytes
/// @param alignment alignment in bytes
/// @param offset offset from the first parameter in bytes, with natural alignment
/// @param register register of a parameter `.reg` of a function with a body, otherwise null
/// @param variable variable of a parameter `.param` of a function with a body, otherwise null
/// @param inRegister whether the parameter is declared `.reg`
public record PtxParameter(
        String name,
        PtxType type,
        long bytes,
        int alignment,
        int offset,
        boolean inRegister,
        PtxRegister register,
        PtxVariable variable) {}
