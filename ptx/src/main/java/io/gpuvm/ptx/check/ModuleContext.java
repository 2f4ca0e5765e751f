package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.ErrorList;
import io.gpuvm.ptx.syntax.VariableTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// State of the check of one module.
final class ModuleContext {
    /// First version in which registers and local variables need a function around them.
    private static final int FIRST_WITHOUT_PRIVATES = 30;

    /// Maximum number of declarations of registers and local variables outside of functions, since
    /// every kernel has its own.
    private static final int MAX_PRIVATES = 256;

    private final CheckOptions options;
    private final ErrorList errors;
    private final int version;
    private final int target;
    private final int addressBits;
    private final NameScope scope = new NameScope(null);
    private final Map<String, InstructionRules.Found> operations = new HashMap<>();
    private final Set<PtxVariable> statics = new LinkedHashSet<>();
    private final Set<String> names = new HashSet<>();
    private final VariableFactory variables;
    private final SignatureFactory signatures;
    private final List<VariableTree> privates = new ArrayList<>();
    private int renamed;

    ModuleContext(
            CheckOptions options, ErrorList errors, int version, int target, int addressBits) {
        this.options = options;
        this.errors = errors;
        this.version = version;
        this.target = target;
        this.addressBits = addressBits;
        ConstantEvaluator constants = new ConstantEvaluator(name -> scope.find(name, null));
        variables =
                new VariableFactory(
                        constants, new InitialValues(constants, addressBits / Byte.SIZE));
        signatures = new SignatureFactory(variables, constants);
    }

    CheckOptions options() {
        return options;
    }

    ErrorList errors() {
        return errors;
    }

    int version() {
        return version;
    }

    int target() {
        return target;
    }

    int addressBits() {
        return addressBits;
    }

    NameScope scope() {
        return scope;
    }

    VariableFactory variables() {
        return variables;
    }

    SignatureFactory signatures() {
        return signatures;
    }

    /// Returns the variables of the space `.global`, `.const` and `.shared`.
    List<PtxVariable> statics() {
        return List.copyOf(statics);
    }

    /// Removes a variable that another declaration replaces.
    void removeStatic(PtxVariable variable) {
        statics.remove(variable);
    }

    void addStatic(PtxVariable variable) {
        statics.add(variable);
        names.add(variable.name());
    }

    /// Returns the declarations `.reg` and `.local` of the module, which PTX before 3.0 permits.
    /// Each kernel has its own registers and variables of these names.
    List<VariableTree> privates() {
        return privates;
    }

    /// Adds a declaration `.reg` or `.local` of the module.
    ///
    /// @throws CheckException if the version of the module does not permit it
    void addPrivate(VariableTree tree) {
        if (version >= FIRST_WITHOUT_PRIVATES || privates.size() == MAX_PRIVATES) {
            throw new CheckException(
                    tree.position(),
                    tree.words().getFirst()
                            + (privates.isEmpty()
                                    ? ": expected a function around it"
                                    : ": declarations outside of functions: limit="
                                            + MAX_PRIVATES));
        }
        privates.add(tree);
    }

    /// Returns a name in the module for a variable of a function.
    String uniqueName(String function, String name) {
        String unique = "$" + function + "$" + name;
        while (!names.add(unique)) {
            renamed++;
            unique = "$" + function + "$" + name + "$" + renamed;
        }
        return unique;
    }

    /// Finds the form of an operation.
    InstructionRules.Found operation(String text) {
        return operations.computeIfAbsent(
                text, key -> InstructionRules.all().find(key, version, target, options.gpu()));
    }
}
