package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.ErrorList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// State of the check of one module.
final class ModuleContext {
    private final CheckOptions options;
    private final ErrorList errors;
    private final int version;
    private final int target;
    private final int addressBits;
    private final NameScope scope = new NameScope(null);
    private final Map<String, InstructionRules.Found> operations = new HashMap<>();
    private final List<PtxVariable> statics = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final VariableFactory variables;
    private final SignatureFactory signatures;
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
        return statics;
    }

    void addStatic(PtxVariable variable) {
        statics.add(variable);
        names.add(variable.name());
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
