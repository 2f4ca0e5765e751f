package io.gpuvm.ptx.check;

import java.util.List;
import java.util.Map;

/// Module, resolved.
///
/// @param version version of the language: 10 times the major number plus the minor number, for
///   instance 75 for 7.5
/// @param target number of the target, for instance 20 for `sm_20`
/// @param addressBits width of addresses: 32 or 64
/// @param variables variables `.global`, `.const` and `.shared` of the module and of functions
/// @param headers functions that are declared or defined; the position in the list is
///   [PtxFunctionHeader#index()]
/// @param functions functions that are defined, in the order of the source
/// @param variableCount number of all variables; each [PtxVariable#index()] is less
/// @param files names of the files of [PtxSourceLine]
public record PtxModule(
        int version,
        int target,
        int addressBits,
        List<PtxVariable> variables,
        List<PtxFunctionHeader> headers,
        List<PtxFunction> functions,
        int variableCount,
        Map<Integer, String> files) {
    public PtxModule {
        variables = List.copyOf(variables);
        headers = List.copyOf(headers);
        functions = List.copyOf(functions);
        files = Map.copyOf(files);
    }
}
