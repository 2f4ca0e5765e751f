package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Evo;

/// Notifier of the core channel. Handles the methods that report their completion in memory
/// (UPDATE, GET_CAPABILITIES) and the methods that configure the notifier.
///
/// Ignores all other methods: they program the display's output, which this model does not have.
final class EvoNotifier implements EvoChannel.Methods {
    private final EvoObjects objects;
    private int control;
    private int handle;

    EvoNotifier(EvoObjects objects) {
        this.objects = objects;
    }

    void reset() {
        control = 0;
        handle = 0;
    }

    @Override
    public void method(int method, int data) {
        switch (method) {
            case Evo.SET_NOTIFIER_CONTROL -> control = data;
            case Evo.SET_CONTEXT_DMA_NOTIFIER -> handle = data;
            case Evo.UPDATE -> report(Evo.NOTIFIER_COMPLETION);
            case Evo.GET_CAPABILITIES -> report(Evo.NOTIFIER_CAPABILITIES);
            default -> {
                // Other methods program the display's output.
            }
        }
    }

    private void report(int word) {
        if (Evo.NOTIFIER_CONTROL_NOTIFY.isSet(control)) {
            long offset = Evo.NOTIFIER_CONTROL_OFFSET.bytes(control) + word;
            objects.setBits(handle, offset, Evo.NOTIFIER_DONE.mask());
        }
    }
}
