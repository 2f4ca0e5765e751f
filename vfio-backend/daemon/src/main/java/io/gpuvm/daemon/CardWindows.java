package io.gpuvm.daemon;

import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.owner.WindowSource;
import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// The one window of a virtual machine whose VMM is trusted with the card. It is taken for the
/// first client and kept for those that follow. On the owner's thread, but for what makes and
/// closes it.
final class CardWindows implements WindowSource, AutoCloseable {
    private final MemorySegment blank;
    private final long blankIova;
    private CardWindow window;

    /// @param arena the virtual machine's, which the GPU reaches; nobody else uses it yet
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

    /// After the owner's thread has ended.
    @Override
    public void close() {
        if (window != null) {
            window.giveBack();
            window = null;
        }
    }
}
