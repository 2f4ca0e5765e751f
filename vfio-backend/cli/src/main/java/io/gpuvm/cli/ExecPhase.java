package io.gpuvm.cli;

/// What `gpuvm exec --time` tells apart.
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
