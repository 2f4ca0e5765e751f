package io.gpuvm.cuda.compiler;

import java.util.ArrayList;
import java.util.List;

/// Last step of a call of the compiler driver.
enum Phase {
    PROGRAM(null, "a.out"),
    OBJECT(CcOption.COMPILE, ".o"),
    LIBRARY(CcOption.LIB, "a.a"),
    DEVICE_LINK(CcOption.DEVICE_LINK, "a_dlink.o"),
    PTX(CcOption.PTX, ".ptx"),
    CUBIN(CcOption.CUBIN, ".cubin"),
    FATBIN(CcOption.FATBIN, ".fatbin"),
    PREPROCESSED(CcOption.PREPROCESS, ""),
    DEPENDENCIES(CcOption.DEPENDENCIES, ""),
    OWN_DEPENDENCIES(CcOption.OWN_DEPENDENCIES, "");

    private final CcOption option;
    private final String name;
    private final String result;

    Phase(CcOption option, String result) {
        this.option = option;
        this.name = option == null ? "" : option.names().getFirst();
        this.result = result;
    }

    /// Returns the last step that the arguments select.
    ///
    /// @throws CcException if they select several
    static Phase of(CcArguments arguments) {
        List<Phase> selected = new ArrayList<>();
        for (Phase phase : values()) {
            if (phase.option != null && arguments.has(phase.option)) {
                selected.add(phase);
            }
        }
        boolean compiles = arguments.has(CcOption.DEVICE_C) || arguments.has(CcOption.DEVICE_W);
        if (compiles && !selected.contains(OBJECT)) {
            selected.add(OBJECT);
        }
        if (selected.size() > 1) {
            throw CcException.usage(
                    "%s and %s exclude each other"
                            .formatted(selected.get(0).name, selected.get(1).name));
        }
        return selected.isEmpty() ? PROGRAM : selected.getFirst();
    }

    /// Returns whether each source has a result of its own.
    boolean isOfOneSource() {
        return switch (this) {
            case PROGRAM, LIBRARY, DEVICE_LINK -> false;
            default -> true;
        };
    }

    /// Returns the end of the names of results of one source, or the name of the only result; empty
    /// for the standard output.
    String result() {
        return result;
    }
}
