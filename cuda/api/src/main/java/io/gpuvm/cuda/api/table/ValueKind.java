package io.gpuvm.cuda.api.table;

import java.util.EnumSet;
import java.util.Set;

/// Meaning of a parameter, an operand or a result.
public enum ValueKind {
    /// Integer or enumeration; travels with the width of its C type.
    SCALAR,
    /// `size_t`.
    SIZE,
    /// Address of the GPU's memory.
    ADDRESS,
    /// Float of 32 bits.
    FLOAT,
    /// Ordinal of a device.
    DEVICE,
    /// Handle of a context.
    CONTEXT,
    /// Handle of a stream.
    STREAM,
    /// Handle of an event.
    EVENT,
    /// Handle of a module.
    MODULE,
    /// Handle of a texture reference.
    TEXREF,
    /// Text that ends with a zero byte; travels without it.
    STRING,
    /// Handle of a function; known to the library only.
    FUNCTION,
    /// Handle of a kernel of a library; known to the library only.
    KERNEL,
    /// Handle of a library; known to the library only.
    LIBRARY,
    /// Pointer to memory of the program; does not travel.
    HOST,
    /// Pointer to a structure; does not travel.
    STRUCT,
    /// Pointer to a function of the program; does not travel.
    CALLBACK,
    /// Pointer to a buffer for text; does not travel.
    TEXT,
    /// Operand of 32 bits, unsigned.
    U32,
    /// Operand of 32 bits, signed.
    I32,
    /// Operand of 64 bits.
    U64,
    /// Offset in the data area.
    AREA,
    /// Bytes.
    BYTES;

    private static final Set<ValueKind> TRAVELLING_HANDLES =
            EnumSet.of(CONTEXT, STREAM, EVENT, MODULE, TEXREF);
    private static final Set<ValueKind> CLIENT_HANDLES = EnumSet.of(FUNCTION, KERNEL, LIBRARY);
    private static final Set<ValueKind> CLIENT_POINTERS = EnumSet.of(HOST, STRUCT, CALLBACK, TEXT);
    private static final Set<ValueKind> OPERANDS_ONLY = EnumSet.of(U32, I32, U64, AREA, BYTES);

    /// Returns the word in the table, such as `address`.
    public String word() {
        return TableWords.of(this);
    }

    /// Returns whether values are handles, of which the wire or only the library knows the objects.
    public boolean isHandle() {
        return TRAVELLING_HANDLES.contains(this) || CLIENT_HANDLES.contains(this);
    }

    /// Returns whether values are handles that travel.
    public boolean isTravellingHandle() {
        return TRAVELLING_HANDLES.contains(this);
    }

    /// Returns whether parameters of this kind never travel.
    public boolean isClientOnly() {
        return CLIENT_HANDLES.contains(this) || CLIENT_POINTERS.contains(this);
    }

    /// Returns whether only operands and results have this kind, and parameters never.
    public boolean isOperandOnly() {
        return OPERANDS_ONLY.contains(this);
    }

    /// Returns whether an `in` parameter of this kind is itself a pointer.
    boolean isPointer() {
        return this == HOST || this == STRUCT || this == TEXT || this == STRING;
    }
}
