package io.gpuvm.cli;

/// Phases that `gpuvm exec --time` measures.
enum ExecPhase {
    LOAD("load"),
    COPY_IN("copy in"),
    LAUNCH("launch"),
    COPY_OUT("copy out");

    private final String text;

    ExecPhase(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
