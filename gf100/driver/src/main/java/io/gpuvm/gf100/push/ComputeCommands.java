package io.gpuvm.gf100.push;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.ConstantMethods;

/// Commands that make a channel run kernels: first the setup for all kernels, then the module,
/// kernel, constants and launch shape whenever they change. Settings persist until they are set
/// again.
///
/// The commands have the same order as in Mesa's `nvc0_compute.c` and gdev's `gdev_nvidia_nvc0.c`.
public final class ComputeCommands {
    /// Number of words of [#setup].
    public static final int SETUP_WORDS = 2 + 1 + 1 + 2 + 1 + 1 + 256 + 1 + 2 + 2 + 1;

    /// Number of words of [#temporary].
    public static final int TEMPORARY_WORDS = 6 + 1;

    /// Number of words of [#code].
    public static final int CODE_WORDS = 3;

    /// Number of words of [#bind].
    public static final int BIND_WORDS = 4 + 2;

    /// Number of words of [#update] before the data.
    public static final int UPDATE_WORDS = 2;

    /// Number of words of [#kernel].
    public static final int KERNEL_WORDS = 2 + 4 + 2 + 2;

    /// Number of words of [#launch].
    public static final int LAUNCH_WORDS = 1 + 3 + 3 + 3 + 1 + 5;

    private static final int SUBCHANNEL = Subchannel.COMPUTE;

    private ComputeCommands() {}

    /// Sets up a channel to run kernels.
    ///
    /// @param sharedWindow generic address of shared memory
    /// @param localWindow generic address of local memory
    public static void setup(PushBuffer push, int sharedWindow, int localWindow) {
        push.bind(SUBCHANNEL, ClassId.COMPUTE)
                .immediate(SUBCHANNEL, ComputeClass.CALL_DEPTH, ComputeClass.CALL_DEPTH_MAX)
                .immediate(SUBCHANNEL, ComputeClass.GRID_ID, 1)
                .method(SUBCHANNEL, ComputeClass.UNKNOWN_2A0, ComputeClass.UNKNOWN_2A0_VALUE);
        windows(push);
        push.method(SUBCHANNEL, ComputeClass.LOCAL_BASE, localWindow)
                .method(SUBCHANNEL, ComputeClass.SHARED_BASE, sharedWindow)
                .immediate(SUBCHANNEL, ComputeClass.CACHE_SPLIT, ComputeClass.SPLIT_SHARED_48K);
    }

    /// Configures the windows so that they leave all addresses unchanged.
    private static void windows(PushBuffer push) {
        push.immediate(SUBCHANNEL, ComputeClass.GLOBAL_WINDOWS_ENABLE, 0)
                .nonIncreasing(SUBCHANNEL, ComputeClass.GLOBAL_WINDOW, ComputeClass.GLOBAL_WINDOWS);
        int access = ComputeClass.GLOBAL_WINDOW_READ.of(1) | ComputeClass.GLOBAL_WINDOW_WRITE.of(1);
        for (int i = 0; i < ComputeClass.GLOBAL_WINDOWS; i++) {
            push.word(
                    access
                            | ComputeClass.GLOBAL_WINDOW_VALUE.of(i)
                            | ComputeClass.GLOBAL_WINDOW_BECOMES.of(i));
        }
        push.immediate(SUBCHANNEL, ComputeClass.GLOBAL_WINDOWS_ENABLE, 1);
    }

    /// Sets the memory for local memory and stacks.
    ///
    /// @param multiprocessors number of multiprocessors that share the memory
    public static void temporary(PushBuffer push, long gpuVa, long bytes, int multiprocessors) {
        push.immediate(SUBCHANNEL, ComputeClass.MULTIPROCESSOR_LIMIT, multiprocessors)
                .address(SUBCHANNEL, ComputeClass.TEMP_ADDRESS_HIGH, gpuVa)
                .address(SUBCHANNEL, ComputeClass.TEMP_BYTES_HIGH, bytes);
    }

    /// Sets the start address of a module's code.
    public static void code(PushBuffer push, long gpuVa) {
        push.address(SUBCHANNEL, ComputeClass.CODE_ADDRESS_HIGH, gpuVa);
    }

    /// Binds memory to constant bank `index`; later calls to [#update] write to this memory.
    ///
    /// @param gpuVa address, a multiple of 256
    /// @param bytes length, up to 64 KiB
    public static void bind(PushBuffer push, int index, long gpuVa, int bytes) {
        push.increasing(SUBCHANNEL, ConstantMethods.SIZE, 3)
                .word(bytes)
                .word((int) (gpuVa >>> Integer.SIZE))
                .word((int) gpuVa);
        push.method(
                SUBCHANNEL,
                ComputeClass.CONSTANT_BIND,
                ConstantMethods.COMPUTE_BIND_VALID.of(1)
                        | ConstantMethods.COMPUTE_BIND_INDEX.of(index));
    }

    /// Announces words for the most recently bound memory. Earlier launches read the old words,
    /// later launches read the new words.
    ///
    /// @param position offset in the memory, in bytes
    /// @param words number of words that follow
    public static void update(PushBuffer push, int position, int words) {
        push.increaseOnce(SUBCHANNEL, ConstantMethods.POSITION, 1 + words).word(position);
    }

    /// Selects the kernel for subsequent launches.
    public static void kernel(PushBuffer push, KernelSetup kernel) {
        push.method(SUBCHANNEL, ComputeClass.ENTRY, kernel.entry())
                .increasing(SUBCHANNEL, ComputeClass.LOCAL_POSITIVE_BYTES, 3)
                .word(kernel.localLowBytes())
                .word(kernel.localHighBytes())
                .word(kernel.callStackBytes())
                .method(SUBCHANNEL, ComputeClass.BARRIERS, kernel.barriers())
                .method(SUBCHANNEL, ComputeClass.REGISTERS, kernel.registers());
    }

    /// Launches the kernel.
    ///
    /// @param newCode whether code may have changed since the last launch
    public static void launch(PushBuffer push, GridShape shape, boolean newCode) {
        int flush =
                ComputeClass.FLUSH_GLOBAL.of(1)
                        | ComputeClass.FLUSH_CONSTANTS.of(1)
                        | ComputeClass.FLUSH_CODE.of(newCode ? 1 : 0);
        push.immediate(SUBCHANNEL, ComputeClass.FLUSH, flush)
                .methods(
                        SUBCHANNEL,
                        ComputeClass.SHARED_BYTES,
                        shape.sharedBytes(),
                        shape.blockX() * shape.blockY() * shape.blockZ())
                .methods(
                        SUBCHANNEL,
                        ComputeClass.BLOCK_YX,
                        pair(shape.blockX(), shape.blockY()),
                        shape.blockZ())
                .methods(
                        SUBCHANNEL,
                        ComputeClass.GRID_YX,
                        pair(shape.gridX(), shape.gridY()),
                        shape.gridZ())
                .immediate(SUBCHANNEL, ComputeClass.BEGIN, 0)
                .immediate(SUBCHANNEL, ComputeClass.UNKNOWN_A08, 0)
                .immediate(SUBCHANNEL, ComputeClass.LAUNCH, ComputeClass.LAUNCH_VALUE)
                .immediate(SUBCHANNEL, ComputeClass.END, 0)
                .immediate(SUBCHANNEL, ComputeClass.UNKNOWN_360, 1)
                // Later commands see the kernel's stores.
                .immediate(SUBCHANNEL, ComputeClass.SERIALIZE, 0);
    }

    private static int pair(int x, int y) {
        return ComputeClass.DIMENSION_X.of(x) | ComputeClass.DIMENSION_Y.of(y);
    }
}
