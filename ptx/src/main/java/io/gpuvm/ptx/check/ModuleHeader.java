package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.DirectiveTree;
import io.gpuvm.ptx.syntax.ErrorList;
import io.gpuvm.ptx.syntax.FunctionTree;
import io.gpuvm.ptx.syntax.ModuleTree;
import io.gpuvm.ptx.syntax.Quotation;
import io.gpuvm.ptx.syntax.SourcePosition;
import io.gpuvm.ptx.syntax.VariableTree;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Checks the directives at the start of a module: version, target, width of addresses.
final class ModuleHeader {
    private static final SourcePosition START = new SourcePosition(1, 1);
    private static final int FIRST_VERSION = 14;
    private static final int LAST_VERSION = 99;

    /// First version in which a module declares the width of addresses.
    private static final int ADDRESS_SIZE_VERSION = 23;

    private static final Pattern TARGET = Pattern.compile("(?:sm|compute)_([1-9][0-9]{1,2})[a-f]?");

    private ModuleHeader() {}

    /// Returns the context of a module, or null after an error.
    static ModuleContext context(ModuleTree tree, ErrorList errors, CheckOptions options) {
        DirectiveTree.Version version = null;
        DirectiveTree.Target target = null;
        DirectiveTree.AddressSize size = null;
        for (DirectiveTree directive : tree.directives()) {
            switch (directive) {
                case DirectiveTree.Version found -> {
                    if (version != null) {
                        errors.error(found.position(), ".version: expected only one");
                    }
                    version = found;
                }
                case DirectiveTree.Target found -> target = target == null ? found : target;
                case DirectiveTree.AddressSize found -> size = found;
                case FunctionTree function -> requireHeader(version, target, function, errors);
                case VariableTree variable -> requireHeader(version, target, variable, errors);
                default -> {}
            }
            if (errors.hasErrors()) {
                return null;
            }
        }
        if (version == null || target == null) {
            errors.error(START, "module: expected .version and .target at its start");
            return null;
        }
        int number = version(version, errors);
        int sm = target(target, errors);
        int bits = addressBits(size, number, errors, options);
        return errors.hasErrors() ? null : new ModuleContext(options, errors, number, sm, bits);
    }

    private static void requireHeader(
            DirectiveTree.Version version,
            DirectiveTree.Target target,
            DirectiveTree directive,
            ErrorList errors) {
        if (version == null || target == null) {
            errors.error(
                    directive.position(), "expected .version and .target before this directive");
        }
    }

    private static int version(DirectiveTree.Version tree, ErrorList errors) {
        final int ten = 10;
        int version = tree.major() * ten + tree.minor();
        if (tree.minor() >= ten || version < FIRST_VERSION || version > LAST_VERSION) {
            errors.error(
                    tree.position(),
                    ".version=%d.%d, expected 1.4 to 9.9".formatted(tree.major(), tree.minor()));
        }
        return version;
    }

    private static int target(DirectiveTree.Target tree, ErrorList errors) {
        int sm = 0;
        for (String name : tree.names()) {
            Matcher matcher = TARGET.matcher(name);
            if (matcher.matches() && sm == 0) {
                sm = Integer.parseInt(matcher.group(1));
            } else {
                option(tree.position(), name, errors);
            }
        }
        if (sm == 0) {
            errors.error(tree.position(), ".target: expected a name such as sm_20");
        }
        return sm;
    }

    private static void option(SourcePosition at, String name, ErrorList errors) {
        switch (name) {
            case "debug", "texmode_unified", "texmode_independent" -> {}
            case "map_f64_to_f32" ->
                    errors.warning(at, "map_f64_to_f32 has no effect: sm_20 has doubles");
            default ->
                    errors.error(
                            at, "target %s: expected sm_20 or such".formatted(Quotation.of(name)));
        }
    }

    private static int addressBits(
            DirectiveTree.AddressSize tree, int version, ErrorList errors, CheckOptions options) {
        if (tree == null) {
            return version < ADDRESS_SIZE_VERSION ? options.addressBits() : Integer.SIZE;
        }
        if (tree.bits() != Integer.SIZE && tree.bits() != Long.SIZE) {
            errors.error(
                    tree.position(),
                    ".address_size=%d, expected one of 32, 64".formatted(tree.bits()));
        }
        return (int) tree.bits();
    }
}
