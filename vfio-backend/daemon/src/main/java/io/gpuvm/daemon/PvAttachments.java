package io.gpuvm.daemon;

import io.gpuvm.cuda.service.session.CudaSessions;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.pv.host.PlaceKind;
import io.gpuvm.pv.host.PvPlace;
import io.gpuvm.pv.protocol.RingProtocol;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Virtual machines whose guests are programs: their attachment and detachment, at the start and
/// while the backend serves others.
///
/// Changed by one thread at a time.
final class PvAttachments implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PvAttachments.class);

    /// Part of the heap for all virtual machines of CUDA programs, in bytes: three eighths. The
    /// rest is for one module that is being read, and for the backend itself.
    private static final long CUDA_HEAP = Runtime.getRuntime().maxMemory() / 8 * 3;

    /// Time within which the guests of a virtual machine leave the GPU.
    private static final long DETACH_LIMIT_S = 30;

    /// Pieces of an attached virtual machine.
    ///
    /// @param compiler thread that compiles PTX; null without CUDA programs
    /// @param heapBytes part of the heap; 0 without CUDA programs
    record Pieces(int slot, PvPlace place, TaskThread compiler, long heapBytes) {}

    private final SharedGpu shared;
    private final PvService pv;
    private final TaskThread modules;
    private final ServedVms served;
    private final Runnable onFailure;
    private final Portions heap = new Portions(CUDA_HEAP);

    /// Part of the heap for each virtual machine of the start that has CUDA programs, in bytes.
    private final long startHeapBytes;

    private final Map<String, Pieces> pieces = new ConcurrentHashMap<>();

    /// Results of the departures of guests, by name of the virtual machine.
    private final Map<String, CompletableFuture<Void>> closings = new HashMap<>();

    /// True once the virtual machines of the start are attached.
    private boolean running;

    /// @param modules thread that reads the modules of CUDA programs
    /// @param onFailure called on any thread when an internal error has stopped a thread
    PvAttachments(
            BackendConfig config,
            SharedGpu shared,
            PvService pv,
            TaskThread modules,
            ServedVms served,
            Runnable onFailure) {
        this.shared = shared;
        this.pv = pv;
        this.modules = modules;
        this.served = served;
        this.onFailure = onFailure;
        long cudaVms = config.vms().stream().filter(vm -> vm.mode() == VmMode.CUDA).count();
        long ofStart = config.control() == null ? CUDA_HEAP : CUDA_HEAP / 2;
        startHeapBytes = ofStart / Math.max(1, cudaVms);
    }

    /// Ends the attachments of the start: virtual machines that attach later get portions of the
    /// rest.
    void begin() {
        running = true;
    }

    /// Adds a virtual machine with a socket. On return, its socket accepts connections.
    ///
    /// @throws ConfigException if the socket cannot be created, or if VRAM, channels, heap or bus
    ///   addresses do not suffice
    /// @throws GpuDeviceException if the GPU refuses memory of the virtual machine
    /// @throws IllegalStateException if the GPU's owner does not answer, or lacks channels
    void add(VmConfig vm) {
        Pieces made = allocate(vm);
        try {
            pv.open(made.place, vm.socket(), vm.access());
        } catch (LinuxException | IllegalArgumentException e) {
            release(vm.name());
            throw new ConfigException(
                    "--vm %s: socket=%s: %s".formatted(vm.name(), vm.socket(), e.getMessage()), e);
        } catch (RuntimeException | Error e) {
            release(vm.name());
            throw e;
        }
        served.add(
                new ServedVm(
                        vm,
                        made.slot,
                        () ->
                                BackendSummary.pv(
                                        vm.mode(),
                                        made.place,
                                        null,
                                        shared.commands(made.slot),
                                        shared.deviceSeconds(made.slot))));
        LOG.info("{}: {} on {}", vm.name(), vm.mode(), vm.socket());
    }

    /// Allocates the pieces of a virtual machine without a socket.
    Pieces allocate(VmConfig vm) {
        int slot = shared.freeSlot();
        long heapBytes = 0;
        TaskThread compiler = null;
        PlaceKind kind = PlaceKind.COMMANDS;
        if (vm.mode() == VmMode.CUDA) {
            heapBytes = takeHeap(vm);
            compiler = new TaskThread("gpuvm-ptx-" + vm.name(), onFailure);
            compiler.start();
            kind =
                    new PlaceKind.FrontEnds(
                            RingProtocol.CUDA,
                            new CudaSessions(
                                    heapBytes,
                                    vm.quotas().sessions(),
                                    modules::run,
                                    compiler::run));
        }
        PvPlace place;
        try {
            place = shared.addPv(vm, kind, slot, pv::wakePoller);
        } catch (RuntimeException | Error e) {
            if (compiler != null) {
                compiler.close();
            }
            heap.giveBack(heapBytes);
            throw e;
        }
        Pieces made = new Pieces(slot, place, compiler, heapBytes);
        pieces.put(vm.name(), made);
        return made;
    }

    private long takeHeap(VmConfig vm) {
        if (!running) {
            return heap.takeExactly(startHeapBytes);
        }
        long bytes = heap.take(CUDA_HEAP);
        if (bytes == 0) {
            throw new ConfigException(
                    "--vm %s: all of the heap for CUDA programs, %d MiB, is in use; a larger heap (GPUVM_JAVA_OPTS=-Xmx...) has room for more"
                            .formatted(vm.name(), CUDA_HEAP >> 20));
        }
        return bytes;
    }

    /// Returns whether guests of a virtual machine are leaving, because it is being detached.
    boolean isClosing(String name) {
        return closings.containsKey(name);
    }

    /// Returns the number of channels of a virtual machine.
    int channelsOf(String name) {
        return pieces.get(name).place.gpu().channels();
    }

    /// Removes a virtual machine: removes its socket, disconnects its guests, takes their channels
    /// off the GPU, zeroes and releases their memory, and forgets its account. Other virtual
    /// machines are served meanwhile.
    ///
    /// @throws IllegalStateException if the GPU does not release the memory of a guest; the virtual
    ///   machine's memory then remains unavailable
    void remove(String name) {
        Pieces removed = pieces.get(name);
        await(name, closings.computeIfAbsent(name, _ -> pv.close(removed.place)));
        release(name);
        closings.remove(name);
        served.remove(name);
        LOG.info("{}: detached", name);
    }

    private static void await(String name, CompletableFuture<Void> closing) {
        try {
            ChangeWait.await(
                    closing,
                    DETACH_LIMIT_S,
                    "%s: guests have not left the GPU, limit=%d s; a repeated request continues to wait"
                            .formatted(name, DETACH_LIMIT_S));
        } catch (GpuDeviceException e) {
            throw new IllegalStateException(
                    "%s: the GPU may still use memory of a former guest, which remains allocated: %s"
                            .formatted(name, e.getMessage()),
                    e);
        }
    }

    /// Releases the pieces of a virtual machine without guests.
    private void release(String name) {
        Pieces released = pieces.get(name);
        shared.removePv(released.place, released.slot);
        pieces.remove(name);
        if (released.compiler != null) {
            released.compiler.close();
        }
        heap.giveBack(released.heapBytes);
    }

    /// Ends the threads. Called after the end of the poller.
    @Override
    public void close() {
        for (Pieces each : List.copyOf(pieces.values())) {
            if (each.compiler != null) {
                each.compiler.close();
            }
        }
    }
}
