package io.gpuvm.ptx.clang;

import java.util.ArrayList;
import java.util.List;

/// Names that a random expression may use. One thread.
final class CScope {
    /// Variable or other operand.
    ///
    /// @param assignable whether statements may assign it
    record Variable(CType type, String name, boolean assignable) {}

    /// Function of a thread that has scalar parameters.
    record Function(String name, CType result, List<CType> parameters) {
        Function {
            parameters = List.copyOf(parameters);
        }
    }

    private static final int NO_PHASE = -1;

    private final List<Variable> variables = new ArrayList<>();
    private final List<Function> functions;
    private final int phase;
    private final int threads;
    private boolean calls = true;

    private CScope(List<Function> functions, int phase, int threads) {
        this.functions = List.copyOf(functions);
        this.phase = phase;
        this.threads = threads;
    }

    /// Returns the scope of a function without access to memory.
    ///
    /// @param functions functions to call
    static CScope ofFunction(List<Function> functions) {
        return new CScope(functions, NO_PHASE, 0);
    }

    /// Returns the scope of a phase of a kernel.
    ///
    /// @param functions functions to call
    /// @param threads number of threads of a block
    static CScope ofPhase(List<Function> functions, int phase, int threads) {
        return new CScope(functions, phase, threads);
    }

    void add(CType type, String name, boolean assignable) {
        variables.add(new Variable(type, name, assignable));
    }

    /// Returns the number of variables, for [#truncate(int)].
    int size() {
        return variables.size();
    }

    /// Removes the variables that were added last.
    void truncate(int size) {
        variables.subList(size, variables.size()).clear();
    }

    List<String> names(CType type) {
        return variables.stream().filter(each -> each.type() == type).map(Variable::name).toList();
    }

    List<Variable> assignable() {
        return variables.stream().filter(Variable::assignable).toList();
    }

    List<Function> functions(CType result) {
        return calls
                ? functions.stream().filter(each -> each.result() == result).toList()
                : List.of();
    }

    /// Sets whether expressions call functions, and returns the previous setting.
    boolean calls(boolean enable) {
        boolean previous = calls;
        calls = enable;
        return previous;
    }

    boolean hasMemory() {
        return phase != NO_PHASE;
    }

    int threads() {
        return threads;
    }

    int phase() {
        return phase;
    }
}
