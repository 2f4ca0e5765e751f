package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.pv.module.CodeLines;

/// Kernel in which a context has failed, and the place of the failure.
///
/// @param position position that the GPU reported
/// @param kernel name of the kernel; null if its module is unloaded
/// @param place line of the source; null if the module has no lines for this instruction
public record KernelFault(KernelPosition position, String kernel, CodeLines.Place place) {
    /// Maximum length of a name in a text: names come from the module's file, and may be long.
    private static final int MAX_NAME = 400;

    /// Returns a line with all that is known, in the form of a failed assertion.
    ///
    /// @param reason reason for the failure
    public String text(String reason) {
        return "%s%s: block: %s, thread: %s %s"
                .formatted(
                        place == null
                                ? ""
                                : "%s:%d: "
                                        .formatted(
                                                shortened(place.row().file()), place.row().line()),
                        functions(),
                        position.block(),
                        position.thread(),
                        reason);
    }

    /// Returns the names of the kernel and, if the instruction belongs to another one, of the
    /// function.
    private String functions() {
        String name = kernel == null ? "unknown kernel" : "kernel " + shortened(kernel);
        if (place == null) {
            return "%s, code=%#x".formatted(name, position.offset());
        }
        return place.function().equals(kernel)
                ? name
                : name + ", function " + shortened(place.function());
    }

    private static String shortened(String name) {
        return name.length() <= MAX_NAME ? name : name.substring(0, MAX_NAME) + "...";
    }
}
