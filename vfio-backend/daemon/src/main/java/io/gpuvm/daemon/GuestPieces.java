package io.gpuvm.daemon;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.VramWindow;
import io.gpuvm.gf100.unit.Board;
import io.gpuvm.owner.WindowSource;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Pieces of a shared GPU that virtual machines hold: windows to their VRAM, arenas for their
/// shadow structures, and windows for their VMMs. One thread at a time.
final class GuestPieces implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GuestPieces.class);

    private final PhysicalGpu gpu;
    private final BusPlan bus;

    /// Executes an action on the owner's thread, and waits for its end.
    private final Consumer<Runnable> onOwner;

    private final List<VramWindow> windows = new ArrayList<>();
    private final List<CardWindows> cardWindows = new ArrayList<>();
    private final List<VmArena> arenas = new ArrayList<>();

    /// @param onOwner executes an action on the owner's thread, and waits for its end
    GuestPieces(PhysicalGpu gpu, BusPlan bus, Consumer<Runnable> onOwner) {
        this.gpu = gpu;
        this.bus = bus;
        this.onOwner = onOwner;
    }

    /// Opens a window to a virtual machine's VRAM.
    ///
    /// @param share the VRAM
    /// @throws ConfigException if the GPU cannot show this much VRAM at once
    VramWindow openWindow(VmConfig vm, VramShare share) {
        VramWindow window;
        try {
            window = gpu.openWindow(share.bytes());
        } catch (GpuDeviceException e) {
            throw new ConfigException(
                    "--vm %s: vram=%dM, mode=fv needs a window of that size: %s"
                            .formatted(vm.name(), Board.mibOf(share.bytes()), e.getMessage()),
                    e);
        }
        windows.add(window);
        window.point(share.hostBase());
        return window;
    }

    /// Opens an arena for a virtual machine, and maps it for the GPU.
    ///
    /// @param slot slot of the virtual machine
    /// @throws GpuDeviceException if the memory cannot be mapped for the GPU
    VmArena openArena(VmConfig vm, int slot) {
        VmArena arena =
                new VmArena("gpuvm-arena-" + vm.name(), bus.arenaIova(slot), vm.arenaBytes());
        try {
            onOwner.accept(() -> gpu.mapDma(arena.dmaMapping()));
        } catch (GpuDeviceException e) {
            arena.close();
            throw e;
        }
        arenas.add(arena);
        return arena;
    }

    /// Closes an arena, which the GPU no longer uses.
    void closeArena(VmArena arena) {
        onOwner.accept(() -> gpu.unmapDma(arena.dmaMapping().iova(), arena.dmaMapping().bytes()));
        arenas.remove(arena);
        arena.close();
    }

    /// Returns the source of the windows that a virtual machine's VMM may map.
    WindowSource windowsOf(VmConfig vm, VmArena arena) {
        if (!vm.trustsVmm()) {
            return WindowSource.OF_GPU;
        }
        CardWindows source = new CardWindows(arena);
        cardWindows.add(source);
        return source;
    }

    /// Releases all pieces. Called after the owner has been closed.
    @Override
    public void close() {
        windows.forEach(window -> leave(window::close));
        cardWindows.forEach(window -> leave(window::close));
        for (VmArena arena : arenas) {
            leave(() -> gpu.unmapDma(arena.dmaMapping().iova(), arena.dmaMapping().bytes()));
            leave(arena::close);
        }
    }

    /// Releases one piece. A failure, for example because the card has been unplugged, must not
    /// prevent the release of the other pieces. The JVM reports an access to an unmapped BAR as an
    /// [InternalError].
    static void leave(Runnable step) {
        try {
            step.run();
        } catch (GpuDeviceException | InternalError e) {
            LOG.error("releasing the GPU failed: {}", e.getMessage());
        }
    }
}
