package io.gpuvm.cuda.api.table;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// C types of parameters, by name in the order of the table.
///
/// @param integers synonyms of integer types, and their C types
/// @param enums enumerations of 32 bits, unsigned
/// @param handles handle types, and the kinds of their objects; null for opaque types
/// @param callbacks types of functions of the program
/// @param structs structures, and the declarations of their fields
public record ApiTypes(
        Map<String, String> integers,
        List<String> enums,
        Map<String, ValueKind> handles,
        Map<String, Callback> callbacks,
        Map<String, List<String>> structs) {

    private static final String STATUS = "CUresult";
    private static final String ATTRIBUTE = "CUdevice_attribute";

    private static final Map<String, OperandType> OF_C = ofC();

    /// Type of a function of the program.
    ///
    /// @param result C type of the result
    /// @param parameters C parameters, with parentheses
    public record Callback(String result, String parameters) {}

    /// Returns the type on the wire of a C type, or null if values of the type do not travel.
    public OperandType wireType(String cType) {
        if (enums.contains(cType) || cType.equals(STATUS) || cType.equals(ATTRIBUTE)) {
            return OperandType.U32;
        }
        String synonym = integers.get(cType);
        return OF_C.get(synonym == null ? cType : synonym);
    }

    /// Returns whether a name is a known C type.
    public boolean isKnown(String cType) {
        return wireType(cType) != null
                || handles.containsKey(cType)
                || callbacks.containsKey(cType)
                || structs.containsKey(cType)
                || cType.equals("void")
                || cType.equals("char");
    }

    private static Map<String, OperandType> ofC() {
        Map<String, OperandType> types = new LinkedHashMap<>();
        types.put("int", OperandType.I32);
        types.put("unsigned char", OperandType.U8);
        types.put("unsigned short", OperandType.U16);
        types.put("unsigned int", OperandType.U32);
        types.put("unsigned long long", OperandType.U64);
        types.put("uint64_t", OperandType.U64);
        types.put("size_t", OperandType.U64);
        types.put("float", OperandType.F32);
        return types;
    }
}
