package io.gpuvm.ptx;

import io.gpuvm.ptx.check.CheckOptions;
import io.gpuvm.ptx.syntax.DirectiveTree;
import io.gpuvm.ptx.syntax.ModuleTree;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Version and target that a source declares, which decide the reason of a failure.
///
/// @param isKnownVersion whether the compiler knows the version, or the source declares none
/// @param isNewerTarget whether the target is a newer GPU than a GF100
record SourceHeader(boolean isKnownVersion, boolean isNewerTarget) {
    /// Last major version of PTX whose syntax the compiler knows.
    private static final int LAST_MAJOR = 9;

    /// A family of GPUs has numbers with the same tens: sm_20 and sm_21.
    private static final int FAMILY = 10;

    private static final Pattern TARGET = Pattern.compile("(?:sm|compute)_([0-9]{1,9})[a-z]?");

    static SourceHeader of(ModuleTree tree) {
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
        return new SourceHeader(isKnown, isNewer);
    }

    private static boolean isNewer(String target) {
        Matcher matcher = TARGET.matcher(target);
        return matcher.matches()
                && Integer.parseInt(matcher.group(1)) / FAMILY
                        > CheckOptions.DEFAULT.gpu() / FAMILY;
    }

    /// Returns the reason of a failure.
    ///
    /// @param ofKnown reason if the compiler knows the version
    PtxResult.Failure failure(PtxResult.Failure ofKnown) {
        return isKnownVersion ? ofKnown : PtxResult.Failure.UNSUPPORTED_VERSION;
    }

    /// Returns the reason for which a source with valid syntax is not compiled: a driver accepts no
    /// source for a newer GPU, so that an error in one is an effect of its target.
    PtxResult.Failure failureOfMeaning() {
        return failure(
                isNewerTarget
                        ? PtxResult.Failure.UNSUPPORTED_TARGET
                        : PtxResult.Failure.INVALID_SOURCE);
    }
}
