package io.gpuvm.ptx.build;

import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxLinkage;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.PtxSpace;
import io.gpuvm.ptx.check.PtxSymbol;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.check.PtxVariable;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Places of variables in the shared memory of blocks. Variables that functions use have the same
/// place in all kernels that call functions; each kernel's own follow, and then the dynamic memory.
final class SharedLayout {
    /// Threads of a block of a kernel without a limit: CUDA C Programming Guide, "Compute
    /// Capabilities".
    private static final int MAX_THREADS = 1024;

    private static final int WARP_SIZE = 32;

    /// Limit of sums, above that of a block.
    private static final int MAX_BYTES = 1 << 24;

    private final Program program;

    /// Words by which the threads of a warp exchange values.
    private final PtxVariable exchange;

    private final Map<PtxVariable, Integer> common = new HashMap<>();
    private final Map<PtxFunction, Map<PtxVariable, Integer>> own = new IdentityHashMap<>();
    private final Map<PtxFunction, Integer> bytes = new IdentityHashMap<>();

    SharedLayout(Program program) {
        this.program = program;
        List<PtxFunction> functions = program.functions();
        exchange = exchange(functions);
        int end = 0;
        boolean functionsUseDynamic = false;
        for (PtxFunction function : functions) {
            if (!function.header().kernel()) {
                end = place(used(function), common, end);
                functionsUseDynamic |= hasDynamic(used(function));
            }
        }
        int commonDynamic = 0;
        for (PtxFunction function : functions) {
            if (function.header().kernel()) {
                Map<PtxVariable, Integer> places = new HashMap<>();
                boolean calls = Uses.has(function, PtxOpcode.CALL);
                if (calls) {
                    places.putAll(common);
                }
                int ownEnd = place(used(function), places, calls ? end : 0);
                int dynamic = placeDynamic(used(function), places, ownEnd);
                own.put(function, places);
                bytes.put(function, dynamic);
                if (calls && functionsUseDynamic) {
                    commonDynamic = Math.max(commonDynamic, dynamic);
                }
            }
        }
        if (functionsUseDynamic) {
            placeCommonDynamic(functions, commonDynamic);
        }
    }

    /// Gives dynamic memory the same place in all kernels that call functions.
    private void placeCommonDynamic(List<PtxFunction> functions, int start) {
        int at = start;
        for (PtxFunction function : functions) {
            for (PtxVariable variable : used(function)) {
                if (variable.isDynamicShared()) {
                    at = align(at, variable.alignment());
                }
            }
        }
        for (PtxFunction function : functions) {
            Map<PtxVariable, Integer> places = own.getOrDefault(function, common);
            boolean isCaller = !function.header().kernel() || Uses.has(function, PtxOpcode.CALL);
            if (!isCaller) {
                continue;
            }
            for (PtxVariable variable : used(function)) {
                if (variable.isDynamicShared()) {
                    places.put(variable, at);
                }
            }
            int end = at;
            bytes.computeIfPresent(function, (_, _) -> end);
        }
    }

    private static PtxVariable exchange(List<PtxFunction> functions) {
        int threads = 0;
        for (PtxFunction function : functions) {
            if (Uses.has(function, PtxOpcode.SHFL)) {
                int bound = function.header().kernel() ? function.bounds().threads() : 0;
                threads = Math.max(threads, bound == 0 ? MAX_THREADS : bound);
            }
        }
        return new PtxVariable(
                0,
                "",
                PtxSpace.SHARED,
                PtxType.B32,
                (long) align(threads, WARP_SIZE) * Integer.BYTES,
                Integer.BYTES,
                PtxLinkage.INTERNAL,
                PtxVariable.Role.STATIC,
                MemorySegment.ofArray(new byte[0]),
                List.of(),
                null);
    }

    private Set<PtxVariable> used(PtxFunction function) {
        Set<PtxVariable> used = new LinkedHashSet<>();
        for (PtxSymbol symbol : Uses.symbols(function)) {
            if (symbol instanceof PtxVariable variable && variable.space() == PtxSpace.SHARED) {
                used.add(program.definition(variable));
            }
        }
        if (Uses.has(function, PtxOpcode.SHFL)) {
            used.add(exchange);
        }
        return used;
    }

    private static boolean hasDynamic(Set<PtxVariable> variables) {
        return variables.stream().anyMatch(PtxVariable::isDynamicShared);
    }

    /// Places variables without a place, and returns the end of all.
    private static int place(
            Set<PtxVariable> variables, Map<PtxVariable, Integer> places, int start) {
        int end = start;
        for (PtxVariable variable : variables) {
            if (!variable.isDynamicShared() && !places.containsKey(variable)) {
                end = align(end, variable.alignment());
                places.put(variable, end);
                // Beyond the limit, the sum does not overflow.
                end = (int) Math.min(end + variable.bytes(), MAX_BYTES);
            }
        }
        return end;
    }

    /// Places dynamic memory behind all other, and returns its start or, if there is none, the end
    /// of the other.
    private static int placeDynamic(
            Set<PtxVariable> variables, Map<PtxVariable, Integer> places, int end) {
        int start = end;
        for (PtxVariable variable : variables) {
            start = variable.isDynamicShared() ? align(start, variable.alignment()) : start;
        }
        for (PtxVariable variable : variables) {
            if (variable.isDynamicShared()) {
                places.put(variable, start);
            }
        }
        return start;
    }

    private static int align(int offset, int alignment) {
        return offset + alignment - 1 & -alignment;
    }

    /// Returns the offset of a variable for a function's code.
    int offset(PtxFunction function, PtxVariable variable) {
        return own.getOrDefault(function, common).get(variable);
    }

    int exchange(PtxFunction function) {
        return offset(function, exchange);
    }

    /// Returns the number of bytes of a kernel's shared memory, without the dynamic part.
    int bytes(PtxFunction kernel) {
        return bytes.get(kernel);
    }

    boolean isEmpty() {
        return exchange.bytes() == 0 && !program.hasVariables(PtxSpace.SHARED);
    }
}
