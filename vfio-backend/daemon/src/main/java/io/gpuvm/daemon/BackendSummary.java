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
import io.gpuvm.trap.vgpu.MappingCounters;
import io.gpuvm.trap.vgpu.VirtualGpu;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Counters of a backend at one moment. `docs/summary.md` describes the JSON form.
///
/// @param clockNs time of the counters: [System#nanoTime()], one clock for the whole host
/// @param vms one entry per attached virtual machine, in the order of the attachments
/// @param gpu the GPU's own counters
public record BackendSummary(long clockNs, List<Vm> vms, Gpu gpu) {
    /// Trapped accesses to one region.
    public record Traps(long reads, long writes) {}

    /// Counters of the memory that a VMM has announced for access by the GPU.
    ///
    /// @param maps number of ranges mapped for the GPU
    /// @param unmaps number of times that memory was unmapped
    /// @param kept number of ranges that the VMM unmapped and immediately mapped again, so that the
    ///   GPU's mappings were retained
    public record Dma(long maps, long unmaps, long kept) {}

    /// Report of one virtual machine.
    ///
    /// @param connections number of guests that have connected
    /// @param refusedBy number of refused messages, by reason; reasons that never occurred are
    ///   omitted
    /// @param sessions sessions of a paravirtual virtual machine; null in other modes, which have
    ///   exactly one
    /// @param dma cost of mapping its memory for the GPU; null if the virtual machine has no
    ///   vfio-user socket
    /// @param shadow cost of shadowing its page tables; null unless the virtual machine is fully
    ///   virtualized
    /// @param mapping parts of its BARs that its VMM may map, and their cost; null for a
    ///   paravirtual virtual machine
    /// @param share its share of the GPU; null if the virtual machine has the whole GPU
    /// @param commands counters of its commands; null in pass-through, where commands are not
    ///   observed
    /// @param deviceSeconds time for which the GPU has worked for the virtual machine, as counted
    ///   by the GPU, in seconds by engine: `graph`, `copy0`, `copy1`; empty if the GPU does not
    ///   count it
    /// @param pv counters of a paravirtual virtual machine: every [PvCounter] by its key; null in
    ///   other modes
    public record Vm(
            String name,
            String mode,
            long connections,
            Sessions sessions,
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

    /// Sessions of a virtual machine.
    ///
    /// @param open number of sessions that have a guest
    /// @param limit maximum number of sessions
    public record Sessions(long open, long limit) {}

    /// Commands of a virtual machine that shares the GPU: each command is the content of a
    /// channel's ring at the start of its turn.
    ///
    /// @param submitted number of commands that were queued
    /// @param waiting number of commands that are queued now
    /// @param completed number of commands that have completed or were stopped
    /// @param gpuTimeNs GPU time of the ended commands, for all engines, in nanoseconds
    /// @param engines use of each engine: `graph`, `copy0`, `copy1`
    /// @param waitP50Ns median waiting time of the started commands, in nanoseconds, interpolated
    ///   in a bucket ([io.gpuvm.counters.WaitBuckets]); 0 if none was started
    /// @param waitP99Ns 99th percentile of these waiting times
    public record Commands(
            long submitted,
            long waiting,
            long completed,
            long gpuTimeNs,
            Map<String, EngineUse> engines,
            long waitP50Ns,
            long waitP99Ns) {}

    /// Use of one engine by a virtual machine's commands.
    ///
    /// @param completed number of ended commands that were queued for the engine
    /// @param gpuTimeNs charged time of the engine, including time of commands that were queued for
    ///   another engine
    public record EngineUse(long completed, long gpuTimeNs) {}

    /// Cost of shadowing a guest's page tables.
    ///
    /// @param strategy time at which the tables are read
    /// @param counters every [io.gpuvm.shadow.ShadowCounter] by its key
    public record Shadowing(String strategy, Map<String, Long> counters) {}

    /// Cost of direct mapping.
    ///
    /// @param map parts of the BARs that the guest's VMM may map
    /// @param counters counters of [io.gpuvm.trap.vgpu.MappingCounters]
    public record Mapping(String map, Map<String, Long> counters) {}

    /// Share of a virtual machine in a shared GPU.
    ///
    /// @param vramBase offset of its VRAM, or of the first of several parts, in the GPU's VRAM
    /// @param memoryIova bus address of its guest-physical address 0
    /// @param arenaIova bus address of its shadow structures
    public record Share(long vramBase, long vramBytes, long memoryIova, long arenaIova) {}

    /// Register that a guest has accessed and that no unit declares.
    ///
    /// @param offset byte offset in BAR0, in hexadecimal
    /// @param name name of the register, or of the unit in which it lies
    public record Undeclared(String offset, String name, int reads, int writes) {}

    /// Report of the GPU.
    ///
    /// @param handedOver number of instructions that compiled kernels handed over to the
    ///   interpreter, by mnemonic
    /// @param undeclared accesses to undeclared registers of the GPU itself, and of the virtual
    ///   GPUs that share it
    public record Gpu(
            String kind,
            Map<String, Long> counters,
            Map<String, Long> handedOver,
            List<Undeclared> undeclared) {}

    /// @param virtualGpus virtual GPUs of all fully virtualized virtual machines
    /// @param vms reports of all virtual machines
    static BackendSummary of(HostGpu gpu, List<VirtualGpu> virtualGpus, List<Vm> vms) {
        List<UndeclaredAccesses.Entry> accesses = new ArrayList<>(gpu.undeclared());
        virtualGpus.forEach(each -> accesses.addAll(each.undeclared().snapshot()));
        return new BackendSummary(
                System.nanoTime(),
                List.copyOf(vms),
                new Gpu(gpu.kind(), gpu.counters(), gpu.handedOver(), undeclared(accesses)));
    }

    /// Returns the report of a virtual machine that has the whole GPU.
    static Vm whole(VmService service, MappingCounters counters) {
        return vm(service, null, mapping(service.config(), counters), null, null, Map.of());
    }

    /// Returns the report of a virtual machine with a virtual GPU.
    static Vm fv(
            VmService service,
            VirtualGpu virtual,
            Commands commands,
            Map<String, Double> deviceSeconds) {
        return vm(
                service,
                shadowing(service.config(), virtual),
                mapping(service.config(), virtual.mappingCounters()),
                share(virtual),
                commands,
                deviceSeconds);
    }

    /// Returns the report of a paravirtual virtual machine.
    ///
    /// @param service service of its PCI function; null if it has none
    static Vm pv(
            VmMode mode,
            PvPlace place,
            VmService service,
            Commands commands,
            Map<String, Double> deviceSeconds) {
        TrapCounters traps = service == null ? null : service.server().counters();
        PvCounters counters = place.counters();
        return new Vm(
                place.name(),
                mode.name().toLowerCase(Locale.ROOT),
                counters.get(PvCounter.CONNECTIONS),
                new Sessions(counters.get(PvCounter.SESSIONS), place.quotas().sessions()),
                traps == null ? 0 : traps.messages(),
                traps == null ? 0 : traps.postedWrites(),
                traps == null ? 0 : traps.refused(),
                traps == null ? Map.of() : refusedBy(traps),
                traps == null ? Map.of() : traps(traps),
                traps == null ? null : dma(traps),
                null,
                null,
                new Share(
                        place.vram().getFirst().hostBase(),
                        place.vramBytes(),
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

    /// Returns the summary as JSON without line breaks.
    public String toJsonLine() {
        try {
            return new ObjectMapper().writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Prints the registers that guests have accessed and that no unit declares, one per line.
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
                null,
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

    private static Mapping mapping(VmConfig vm, MappingCounters counters) {
        return new Mapping(vm.mapping().option(), counters.snapshot());
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
