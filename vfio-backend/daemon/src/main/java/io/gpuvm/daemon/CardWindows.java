package io.gpuvm.daemon;

import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.owner.WindowSource;
import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Source of the only window of a virtual machine whose VMM is trusted with the card. The window is
/// opened for the first client and retained for later clients. Confined to the owner's thread,
/// except creation and closing.
final class CardWindows implements WindowSource, AutoCloseable {
    private final MemorySegment blank;
    private final long blankIova;
    private CardWindow window;

    /// @param arena arena of the virtual machine, mapped for the GPU and not yet used otherwise
    CardWindows(VmArena arena) {
        long offset = arena.take(ArenaBlock.INSTANCE);
        blank = arena.memory().asSlice(offset, ArenaBlock.INSTANCE.bytes());
        blankIova = arena.iovaOf(offset);
    }

    @Override
    public Optional<SharedWindow> open(PhysicalGpu gpu, long bytes) {
        if (window == null) {
            window = CardWindow.open(gpu, bytes, blank, blankIova);
        }
        return Optional.of(window);
    }

    /// Releases the window. Called after the owner's thread has ended.
    @Override
    public void close() {
        if (window != null) {
            window.giveBack();
            window = null;
        }
    }
}
