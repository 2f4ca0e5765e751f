package io.gpuvm.daemon;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.gpuvm.gf100.reg.RegisterMap;
import io.gpuvm.gf100.unit.UndeclaredAccesses;
import io.gpuvm.pv.host.PvCounter;
import io.gpuvm.pv.host.PvCounters;
import io.gpuvm.pv.host.PvPlace;
import io.gpuvm.trap.vfiouser.Refusal;
import io.gpuvm.trap.vfiouser.TrapCounters;
import io.gpuvm.trap.vfiouser.TrapRegion;
import io.gpuvm.trap.vgpu.VirtualGpu;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What a backend has counted, at one moment. Its JSON form is described in `docs/summary.md`.
///
/// @param clockNs when that was: [System#nanoTime()], which is one clock for all of a host
/// @param vms one entry per virtual machine, in the order of the configuration
/// @param gpu the GPU's own counters
public record BackendSummary(long clockNs, List<Vm> vms, Gpu gpu) {
    /// Accesses of one kind to one region.
    public record Traps(long reads, long writes) {}

    /// Memory of a virtual machine that its VMM has announced, and the GPU can reach.
    ///
    /// @param maps ranges that were mapped for the GPU
    /// @param unmaps times that memory was taken from it
    /// @param kept ranges that the VMM unmapped and mapped again at once, so that they stayed
    public record Dma(long maps, long unmaps, long kept) {}

    /// One virtual machine.
    ///
    /// @param connections guests that connected so far
    /// @param refusedBy number of refused messages, by reason; reasons that never came up are left
    ///   out
    /// @param dma what mapping its memory for the GPU cost; null if it has no vfio-user socket
    /// @param shadow what following its page tables cost; null in pass-through
    /// @param mapping what its VMM may map, and what that cost; null in pass-through
    /// @param share what it has of the GPU; null if that is all of it
    /// @param commands what became of its commands; null in pass-through, where nobody looks
    /// @param deviceSeconds how long the GPU worked for it by its own count, in seconds by engine:
    ///   `graph`, `copy0`, `copy1`; empty if nobody counts that
    /// @param pv what a paravirtual virtual machine has done: every [PvCounter] by its key; null
    ///   for others
    public record Vm(
            String name,
            String mode,
            long connections,
            long messages,
            long postedWrites,
            long refused,
            Map<String, Long> refusedBy,
            Map<TrapRegion, Traps> traps,
            Dma dma,
            Shadowing shadow,
            Mapping mapping,
            Share share,
            Commands commands,
            Map<String, Double> deviceSeconds,
            Map<String, Long> pv) {}

    /// Commands of a virtual machine that shares the GPU: each is what a channel's ring held when
    /// its turn came.
    ///
    /// @param submitted that were queued
    /// @param waiting that are queued now
    /// @param completed that have ended, or were ended
    /// @param gpuTimeNs GPU time of those that have ended, of all engines, in nanoseconds
    /// @param engines the same by engine: `graph`, `copy0`, `copy1`
    /// @param waitP50Ns how long one half of those that were started waited at most, in
    ///   nanoseconds, within one percent; 0 if none was
    /// @param waitP99Ns how long 99 of 100 did
    public record Commands(
            long submitted,
            long waiting,
            long completed,
            long gpuTimeNs,
            Map<String, EngineUse> engines,
            long waitP50Ns,
            long waitP99Ns) {}

    /// What commands of a virtual machine have had of one engine.
    ///
    /// @param completed those that were queued for it and have ended
    /// @param gpuTimeNs its time that was charged, also for commands that were queued for another
    public record EngineUse(long completed, long gpuTimeNs) {}

    /// What following a guest's page tables cost.
    ///
    /// @param strategy when they are read
    /// @param counters every [io.gpuvm.shadow.ShadowCounter] by its key
    public record Shadowing(String strategy, Map<String, Long> counters) {}

    /// What direct mapping cost.
    ///
    /// @param map what of the BARs the guest's VMM may map
    /// @param counters those of [io.gpuvm.trap.vgpu.MappingCounters]
    public record Mapping(String map, Map<String, Long> counters) {}

    /// What a virtual machine has of a GPU that is shared.
    ///
    /// @param vramBase where its VRAM begins in the GPU's
    /// @param memoryIova bus address of its guest-physical 0
    /// @param arenaIova bus address of its shadow structures
    public record Share(long vramBase, long vramBytes, long memoryIova, long arenaIova) {}

    /// A register that a guest accessed and no unit declares.
    ///
    /// @param offset byte offset in BAR0, in hexadecimal
    /// @param name the register it is, or the unit it lies in
    public record Undeclared(String offset, String name, int reads, int writes) {}

    /// The GPU.
    ///
    /// @param handedOver instructions that compiled kernels left to the interpreter, by mnemonic
    /// @param undeclared of the GPU itself, and of the virtual GPUs that share it
    public record Gpu(
            String kind,
            Map<String, Long> counters,
            Map<String, Long> handedOver,
            List<Undeclared> undeclared) {}

    /// @param virtualGpus those of virtual machines that have one
    /// @param vms what is reported of all virtual machines
    static BackendSummary of(HostGpu gpu, List<VirtualGpu> virtualGpus, List<Vm> vms) {
        List<UndeclaredAccesses.Entry> accesses = new ArrayList<>(gpu.undeclared());
        virtualGpus.forEach(each -> accesses.addAll(each.undeclared().snapshot()));
        return new BackendSummary(
                System.nanoTime(),
                List.copyOf(vms),
                new Gpu(gpu.kind(), gpu.counters(), gpu.handedOver(), undeclared(accesses)));
    }

    /// What is reported of a virtual machine that has the whole GPU.
    static Vm whole(VmService service) {
        return vm(service, null, null, null, null, Map.of());
    }

    /// What is reported of a virtual machine with a virtual GPU.
    static Vm fv(
            VmService service,
            VirtualGpu virtual,
            Commands commands,
            Map<String, Double> deviceSeconds) {
        return vm(
                service,
                shadowing(service.config(), virtual),
                mapping(service.config(), virtual),
                share(virtual),
                commands,
                deviceSeconds);
    }

    /// What is reported of a paravirtual virtual machine.
    ///
    /// @param service what serves its PCI function, null if it has none
    static Vm pv(
            PvPlace place,
            VmService service,
            Commands commands,
            Map<String, Double> deviceSeconds) {
        TrapCounters traps = service == null ? null : service.server().counters();
        PvCounters counters = place.counters();
        return new Vm(
                place.name(),
                VmMode.PV.name().toLowerCase(Locale.ROOT),
                counters.get(PvCounter.CONNECTIONS),
                traps == null ? 0 : traps.messages(),
                traps == null ? 0 : traps.postedWrites(),
                traps == null ? 0 : traps.refused(),
                traps == null ? Map.of() : refusedBy(traps),
                traps == null ? Map.of() : traps(traps),
                traps == null ? null : dma(traps),
                null,
                null,
                new Share(
                        place.vram().hostBase(),
                        place.vram().bytes(),
                        place.memory().base(),
                        place.arena().dmaMapping().iova()),
                commands,
                deviceSeconds,
                counters.snapshot());
    }

    /// Writes the summary as JSON.
    public void writeJson(Path file) throws IOException {
        new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValue(file.toFile(), this);
    }

    /// The summary as JSON without line breaks.
    public String toJsonLine() {
        try {
            return new ObjectMapper().writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Prints the registers that guests accessed and no unit declares, one to a line.
    public void printUndeclared(PrintWriter out) {
        out.printf("undeclared registers: %d%n", gpu.undeclared().size());
        for (Undeclared entry : gpu.undeclared()) {
            out.printf(
                    "  %s %-24s %d reads, %d writes%n",
                    entry.offset(), entry.name(), entry.reads(), entry.writes());
        }
    }

    private static Share share(VirtualGpu gpu) {
        return new Share(
                gpu.vram().hostBase(), gpu.vram().bytes(), gpu.memory().base(), gpu.arenaIova());
    }

    private static Vm vm(
            VmService service,
            Shadowing shadowing,
            Mapping mapping,
            Share share,
            Commands commands,
            Map<String, Double> deviceSeconds) {
        TrapCounters counters = service.server().counters();
        return new Vm(
                service.config().name(),
                service.config().mode().name().toLowerCase(Locale.ROOT),
                counters.connections(),
                counters.messages(),
                counters.postedWrites(),
                counters.refused(),
                refusedBy(counters),
                traps(counters),
                dma(counters),
                shadowing,
                mapping,
                share,
                commands,
                deviceSeconds,
                null);
    }

    private static Dma dma(TrapCounters counters) {
        return new Dma(counters.dmaMaps(), counters.dmaUnmaps(), counters.dmaKept());
    }

    private static Map<TrapRegion, Traps> traps(TrapCounters counters) {
        Map<TrapRegion, Traps> traps = new LinkedHashMap<>();
        for (TrapRegion region : TrapRegion.values()) {
            traps.put(region, new Traps(counters.reads(region), counters.writes(region)));
        }
        return traps;
    }

    private static Map<String, Long> refusedBy(TrapCounters counters) {
        Map<String, Long> refusedBy = new LinkedHashMap<>();
        for (Refusal reason : Refusal.values()) {
            if (counters.refused(reason) > 0) {
                refusedBy.put(reason.name(), counters.refused(reason));
            }
        }
        return refusedBy;
    }

    private static Mapping mapping(VmConfig vm, VirtualGpu gpu) {
        return new Mapping(vm.mapping().option(), gpu.mappingCounters().snapshot());
    }

    private static Shadowing shadowing(VmConfig vm, VirtualGpu gpu) {
        return new Shadowing(
                vm.shadow().name().toLowerCase(Locale.ROOT), gpu.shadowCounters().snapshot());
    }

    private static List<Undeclared> undeclared(List<UndeclaredAccesses.Entry> accesses) {
        List<Undeclared> list = new ArrayList<>();
        for (UndeclaredAccesses.Entry entry : accesses) {
            list.add(
                    new Undeclared(
                            "%#08x".formatted(entry.offset()),
                            RegisterMap.gf100().nameOf(entry.offset()),
                            entry.reads(),
                            entry.writes()));
        }
        return list;
    }
}
