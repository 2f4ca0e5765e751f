package io.gpuvm.ptx;

import io.gpuvm.ptx.check.CheckOptions;
import io.gpuvm.ptx.syntax.DirectiveTree;
import io.gpuvm.ptx.syntax.ModuleTree;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Version and target that a source declares, which decide the reason of a failure.
///
/// @param isKnownVersion whether the compiler knows the version, or the source declares none
/// @param isNewerTarget whether the source has valid syntax, and its target is a newer GPU than a
///   GF100
record SourceHeader(boolean isKnownVersion, boolean isNewerTarget) {
    /// Last major version of PTX whose syntax the compiler knows.
    private static final int LAST_MAJOR = 9;

    /// A family of GPUs has numbers with the same tens: sm_20 and sm_21.
    private static final int FAMILY = 10;

    private static final Pattern TARGET = Pattern.compile("(?:sm|compute)_([0-9]{1,9})[a-z]?");

    /// @param hasValidSyntax whether the source is free of syntax errors
    static SourceHeader of(ModuleTree tree, boolean hasValidSyntax) {
        boolean isKnown = true;
        boolean isNewer = false;
        for (DirectiveTree directive : tree.directives()) {
            switch (directive) {
                case DirectiveTree.Version version -> isKnown &= version.major() <= LAST_MAJOR;
                case DirectiveTree.Target target ->
                        isNewer |= target.names().stream().anyMatch(SourceHeader::isNewer);
                default -> {}
            }
        }
        return new SourceHeader(isKnown, isNewer && hasValidSyntax);
    }

    private static boolean isNewer(String target) {
        Matcher matcher = TARGET.matcher(target);
        return matcher.matches()
                && Integer.parseInt(matcher.group(1)) / FAMILY
                        > CheckOptions.DEFAULT.gpu() / FAMILY;
    }

    /// Returns the reason for which sources are not linked.
    static PtxResult.Failure failureOf(List<SourceHeader> headers) {
        return new SourceHeader(
                        headers.stream().allMatch(SourceHeader::isKnownVersion),
                        headers.stream().anyMatch(SourceHeader::isNewerTarget))
                .failure();
    }

    /// Returns the reason for which the source is not compiled. A driver accepts no source for a
    /// newer GPU, so that an error in one whose syntax is valid is an effect of its target.
    PtxResult.Failure failure() {
        if (!isKnownVersion) {
            return PtxResult.Failure.UNSUPPORTED_VERSION;
        }
        return isNewerTarget
                ? PtxResult.Failure.UNSUPPORTED_TARGET
                : PtxResult.Failure.INVALID_SOURCE;
    }
}
