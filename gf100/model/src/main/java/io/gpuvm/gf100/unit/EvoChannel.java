package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.memory.MemoryPort;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Evo;
import io.gpuvm.gf100.reg.Pdisplay;
import io.gpuvm.gf100.reg.Register;

/// Display channel with a push buffer: fetches command words when the driver moves PUT, and passes
/// the methods to a receiver.
///
/// A call to [#put(int)] reads fewer words than two push buffers hold, regardless of the push
/// buffer's contents.
final class EvoChannel {
    /// Receiver of methods.
    interface Methods {
        void method(int method, int data);
    }

    private static final int MAX_WORDS = Evo.PUSH_BUFFER_BYTES / Register.BYTES;
    private static final int KEPT =
            Pdisplay.CHANNEL_STAT_DMA_BITS.mask() | Pdisplay.CHANNEL_STAT_CONNECTED.mask();

    private final MemoryPort memory;
    private final Methods methods;
    private int control;
    private int pushBuffer;
    private int put;
    private int get;

    EvoChannel(MemoryPort memory, Methods methods) {
        this.memory = memory;
        this.methods = methods;
    }

    void reset() {
        control = 0;
        pushBuffer = 0;
        put = 0;
        get = 0;
    }

    /// Returns the channel's status word: the enable bits, and whether the channel is active or
    /// off. The channel is never busy.
    int status() {
        return control
                | (enabled()
                        ? Pdisplay.CHANNEL_STAT_STATE.of(Pdisplay.CHANNEL_STATE_ACTIVE)
                        : Pdisplay.CHANNEL_STAT_STATE.of(Pdisplay.CHANNEL_STATE_OFF));
    }

    void control(int value) {
        control = Pdisplay.CHANNEL_STAT_RESET.isSet(value) ? 0 : value & KEPT;
    }

    int pushBuffer() {
        return pushBuffer;
    }

    void pushBuffer(int value) {
        pushBuffer = value;
    }

    int put() {
        return put;
    }

    int get() {
        return get;
    }

    /// Moves PUT and executes the words before it. While the channel is off, GET follows PUT
    /// without execution: a driver rewinds PUT before it switches the channel on again.
    void put(int value) {
        put = value & (Evo.PUSH_BUFFER_BYTES - Register.BYTES);
        MemoryTarget target = target();
        if (enabled() && target != null) {
            execute(
                    target,
                    Pdisplay.CHANNEL_DMA_CB_ADDRESS.bytes(Integer.toUnsignedLong(pushBuffer)));
        }
        get = put;
    }

    private void execute(MemoryTarget target, long base) {
        int words = 0;
        while (get != put && words++ < MAX_WORDS) {
            int header = fetch(target, base);
            int offset = (int) Evo.HEADER_OFFSET.bytes(header);
            switch (Evo.HEADER_OPERATION.get(header)) {
                case Evo.OPERATION_JUMP -> get = offset;
                case Evo.OPERATION_INCREASING ->
                        words += packet(target, base, header, offset, Register.BYTES);
                case Evo.OPERATION_NON_INCREASING ->
                        words += packet(target, base, header, offset, 0);
                default -> {
                    // A word that is not a command is skipped.
                }
            }
        }
    }

    private int packet(MemoryTarget target, long base, int header, int first, int step) {
        int count = Evo.HEADER_COUNT.get(header);
        int method = first;
        for (int i = 0; i < count && get != put; i++, method += step) {
            methods.method(method, fetch(target, base));
        }
        return count;
    }

    private int fetch(MemoryTarget target, long base) {
        int word = (int) memory.read(target, base + get, Register.BYTES);
        get = (get + Register.BYTES) % Evo.PUSH_BUFFER_BYTES;
        return word;
    }

    private boolean enabled() {
        return Pdisplay.CHANNEL_STAT_ENABLE.isSet(control);
    }

    private MemoryTarget target() {
        return switch (Pdisplay.CHANNEL_DMA_CB_TARGET.get(pushBuffer)) {
            case Pdisplay.CHANNEL_DMA_CB_VRAM -> MemoryTarget.VRAM;
            case Pdisplay.CHANNEL_DMA_CB_SYSTEM_NONCOHERENT -> MemoryTarget.SYSTEM_NONCOHERENT;
            case Pdisplay.CHANNEL_DMA_CB_SYSTEM_COHERENT -> MemoryTarget.SYSTEM_COHERENT;
            default -> null;
        };
    }
}
