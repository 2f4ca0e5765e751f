package io.gpuvm.cuda.api.table;

import java.util.List;

/// Parameter of a C function.
///
/// @param type C type as in the table, such as `const char *`
/// @param name name, unique in its function
/// @param direction direction of the value
/// @param kind meaning of the value
/// @param isOptional whether the pointer may be null
/// @param isClient whether the value does not travel although values of its kind do
/// @param isNew whether the call creates the handle
/// @param checks conditions on the value
/// @param maxBytes limit of a string in bytes; 0 for other kinds
public record ApiParameter(
        String type,
        String name,
        ParameterDirection direction,
        ValueKind kind,
        boolean isOptional,
        boolean isClient,
        boolean isNew,
        List<ValueCheck> checks,
        int maxBytes) {

    /// Returns whether the parameter is a pointer that must not be null.
    public boolean mustNotBeNull() {
        return !isOptional && (isPointer() || kind == ValueKind.CALLBACK);
    }

    /// Returns whether the C type is a pointer; handles and callbacks are not.
    public boolean isPointer() {
        return type.endsWith("*");
    }

    /// Returns the declaration in C, such as `const char *name`.
    public String declaration() {
        return isPointer() ? type + name : type + " " + name;
    }

    /// Returns the C type without `const` and pointers.
    public String baseType() {
        return type.replace("const ", "").replace("*", "").strip();
    }

    /// Returns whether the value is an operand of the function's own call.
    boolean isOperand() {
        boolean isInput = direction == ParameterDirection.IN || isNew;
        return isInput && !isClient && !kind.isClientOnly();
    }

    /// Returns whether the value is a result of the function's own call.
    boolean isResult() {
        return direction == ParameterDirection.OUT && !isNew && !isClient && !kind.isClientOnly();
    }
}
