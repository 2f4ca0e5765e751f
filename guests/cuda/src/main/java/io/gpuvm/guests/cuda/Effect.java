package io.gpuvm.guests.cuda;

/// Kinds of calls whose effects clients check. The library of `tests/cuda-clients/no-effect` can
/// suppress each kind.
enum Effect {
    LAUNCHES("launches"),
    COPIES("copies"),
    FILLS("fills");

    private final String text;

    Effect(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
