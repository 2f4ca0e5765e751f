package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.DeclaratorTree;
import io.gpuvm.ptx.syntax.DirectiveTree;
import io.gpuvm.ptx.syntax.ErrorList;
import io.gpuvm.ptx.syntax.FunctionTree;
import io.gpuvm.ptx.syntax.ModuleTree;
import io.gpuvm.ptx.syntax.Quotation;
import io.gpuvm.ptx.syntax.SourcePosition;
import io.gpuvm.ptx.syntax.VariableTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Checker of modules: resolves names, types and operands, and refuses instructions that Fermi does
/// not express. Time and memory are proportional to the length of the source.
public final class PtxChecker {
    private final ModuleContext module;
    private final Map<String, FunctionDraft> drafts = new LinkedHashMap<>();
    private final Map<Integer, String> files = new HashMap<>();
    private final List<PtxFunctionHeader> headers = new ArrayList<>();
    private final List<PtxFunction> functions = new ArrayList<>();

    private PtxChecker(ModuleContext module) {
        this.module = module;
    }

    /// Checks a module.
    ///
    /// @param tree tree of a source without errors
    /// @param errors list to which the checker adds diagnostics
    /// @return module, or null if the list contains an error
    public static PtxModule check(ModuleTree tree, ErrorList errors, CheckOptions options) {
        ModuleContext context = ModuleHeader.context(tree, errors, options);
        if (context == null || errors.hasErrors()) {
            return null;
        }
        PtxModule module = new PtxChecker(context).module(tree);
        return errors.hasErrors() ? null : module;
    }

    private PtxModule module(ModuleTree tree) {
        for (DirectiveTree directive : tree.directives()) {
            if (directive instanceof FunctionTree function) {
                attempt(() -> draft(function));
            }
        }
        drafts.values().forEach(draft -> attempt(() -> declare(draft)));
        for (DirectiveTree directive : tree.directives()) {
            attempt(() -> directive(directive));
        }
        for (FunctionDraft draft : drafts.values()) {
            if (draft.header() != null && draft.isDefined() && !module.errors().isFull()) {
                functions.add(draft.check(module));
            }
        }
        return new PtxModule(
                module.version(),
                module.target(),
                module.addressBits(),
                module.statics(),
                headers,
                functions,
                module.variables().count(),
                files);
    }

    private void attempt(Runnable step) {
        if (module.errors().isFull()) {
            return;
        }
        try {
            step.run();
        } catch (CheckException e) {
            module.errors().error(e.position(), e.getMessage());
        }
    }

    private void draft(FunctionTree tree) {
        FunctionDraft draft = drafts.get(tree.name());
        if (draft == null) {
            drafts.put(tree.name(), new FunctionDraft(tree));
        } else {
            draft.add(tree);
        }
    }

    private void declare(FunctionDraft draft) {
        PtxFunctionHeader header = draft.declare(headers.size(), module);
        headers.add(header);
        module.scope().declare(draft.position(), header.name(), new Named.Function(header));
    }

    private void directive(DirectiveTree directive) {
        switch (directive) {
            case VariableTree variable -> variable(variable);
            case DirectiveTree.SourceFile file -> files.put(file.index(), file.name());
            case DirectiveTree.Alias alias -> alias(alias);
            case FunctionTree function -> {}
            case DirectiveTree.Pragma pragma -> {}
            case DirectiveTree.Version version -> {}
            case DirectiveTree.Target target -> {}
            case DirectiveTree.AddressSize size -> {}
        }
    }

    private void alias(DirectiveTree.Alias alias) {
        Named named = module.scope().find(alias.function(), null);
        if (!(named instanceof Named.Function)) {
            throw new CheckException(
                    alias.position(), Quotation.of(alias.function()) + " is not a function");
        }
        // The name may have a declaration, which the alias replaces.
        module.scope().replace(alias.position(), alias.name(), named);
    }

    private void variable(VariableTree tree) {
        DeclaredType declared = DeclaredType.of(tree);
        if (declared.isRegister() || declared.space().equals(".local")) {
            module.addPrivate(tree);
            return;
        }
        if (declared.space().equals(".param")) {
            throw new CheckException(
                    tree.position(), declared.space() + ": expected a function around it");
        }
        for (DeclaratorTree declarator : tree.declarators()) {
            variable(tree, declared, declarator);
        }
    }

    private void variable(VariableTree tree, DeclaredType declared, DeclaratorTree declarator) {
        Named earlier = module.scope().find(declarator.name(), null);
        PtxVariable variable =
                module.variables()
                        .create(
                                tree,
                                declared,
                                declarator,
                                declarator.name(),
                                PtxVariable.Role.STATIC,
                                null);
        SourcePosition at = declarator.position();
        Named named = new Named.Variable(variable, declared.elementBytes());
        if (earlier instanceof Named.Variable declaration) {
            redeclare(at, declaration.variable(), variable, named);
        } else {
            module.scope().declare(at, declarator.name(), named);
            module.addStatic(variable);
        }
    }

    /// Adds a variable whose name is in use: one of both declarations is `.extern`.
    private void redeclare(
            SourcePosition at, PtxVariable earlier, PtxVariable variable, Named named) {
        boolean first = earlier.linkage() == PtxLinkage.EXTERN;
        boolean second = variable.linkage() == PtxLinkage.EXTERN;
        if (!first && !second || earlier.space() != variable.space()) {
            throw new CheckException(
                    at, Quotation.of(variable.name()) + " is declared with another meaning");
        }
        if (!second) {
            // Earlier references contain the name only, so that the definition may replace the
            // declaration.
            module.removeStatic(earlier);
            module.addStatic(variable);
            module.scope().replace(at, variable.name(), named);
        }
    }
}
