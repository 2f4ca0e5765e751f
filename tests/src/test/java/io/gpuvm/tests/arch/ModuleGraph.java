package io.gpuvm.tests.arch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Graph of all modules, as data.
///
/// @param uses modules whose classes a module may use, by module, in the order of the list
/// @param libraries prefixes of the packages outside the JDK that a module may use, by module
record ModuleGraph(Map<String, Set<String>> uses, Map<String, Set<String>> libraries) {
    /// Modules and their dependencies. A module uses only modules listed above it, so that the
    /// graph has no cycle.
    private static final String USES =
            """
            options:
            statistics:
            logging:
            counters:
            cuda/api:
            cuda/client: cuda/api
            cuda/runtime: cuda/api
            gf100/model:
            gf100/isa: gf100/model
            gf100/driver: gf100/model
            linux:
            remote/link: logging linux
            remote/keys: remote/link
            gpu-scheduler: options statistics
            soft-gpu: options logging gf100/model gf100/isa gf100/driver linux
            ptx: gf100/isa
            cuda/compiler: gf100/isa ptx
            vfio-backend/port: gf100/model linux
            shadow-pagetables: logging gf100/model linux vfio-backend/port
            mmio-trap: logging counters gf100/model linux vfio-backend/port shadow-pagetables
            pv-driver/protocol: gf100/model
            cuda/protocol: cuda/api pv-driver/protocol
            pv-driver/runtime: logging gf100/model gf100/isa ptx gf100/driver linux
              pv-driver/protocol
            remote/session: logging linux pv-driver/protocol cuda/protocol pv-driver/runtime
              remote/link
            workloads: statistics gf100/isa pv-driver/protocol pv-driver/runtime
            vfio-backend/vfio: gf100/model gf100/driver linux
            vfio-backend/owner: logging gf100/model gf100/driver linux gpu-scheduler
              vfio-backend/port
            vfio-backend/pv-host: logging counters gf100/model gf100/driver linux vfio-backend/port
              mmio-trap pv-driver/protocol
            cuda/service: logging gf100/model gf100/isa ptx gf100/driver pv-driver/protocol
              cuda/protocol pv-driver/runtime vfio-backend/pv-host
            vfio-backend/recorder: logging gf100/model linux gpu-scheduler shadow-pagetables
              mmio-trap
            vfio-backend/daemon: options logging counters gf100/model gf100/driver linux gpu-scheduler
              soft-gpu vfio-backend/port shadow-pagetables mmio-trap pv-driver/protocol pv-driver/runtime
              remote/link remote/session vfio-backend/vfio vfio-backend/owner vfio-backend/pv-host
              cuda/service vfio-backend/recorder
            guests/real: options gf100/isa vfio-backend/daemon
            guests/cuda: statistics cuda/client cuda/runtime cuda/compiler guests/real
            guests/hostile: cuda/api statistics gf100/model gf100/isa linux mmio-trap
              pv-driver/protocol cuda/protocol pv-driver/runtime guests/real guests/cuda
            guests/virtual-host: gf100/model linux mmio-trap pv-driver/runtime vfio-backend/vfio
              vfio-backend/recorder guests/real
            benchmarks: options statistics gf100/model gf100/isa ptx gf100/driver linux
              gpu-scheduler soft-gpu vfio-backend/port pv-driver/protocol pv-driver/runtime
              workloads vfio-backend/owner vfio-backend/pv-host vfio-backend/daemon guests/real
              guests/cuda
            metrics: counters
            top: counters
            vfio-backend/cli: statistics counters metrics top gf100/model gf100/isa ptx cuda/compiler linux remote/link
              remote/keys gpu-scheduler mmio-trap
              pv-driver/protocol pv-driver/runtime remote/session workloads
              vfio-backend/vfio vfio-backend/recorder vfio-backend/daemon guests/real guests/cuda guests/hostile
              guests/virtual-host benchmarks
            evaluation: statistics workloads guests/real guests/cuda vfio-backend/cli
            """;

    private static final String LIBRARIES =
            """
            counters: org.agrona
            gf100/isa: io.airlift.compress
            linux: jnr org.agrona.concurrent
            remote/link: io.airlift.compress org.slf4j
            remote/session: org.agrona.collections org.slf4j
            remote/keys: org.bouncycastle
            soft-gpu: org.agrona.concurrent org.slf4j
            shadow-pagetables: org.slf4j
            mmio-trap: com.fasterxml.jackson org.agrona.concurrent org.slf4j
            pv-driver/runtime: org.agrona.concurrent org.slf4j
            workloads: com.fasterxml.jackson
            vfio-backend/vfio: com.sun.jna org.agrona.concurrent
            vfio-backend/owner: org.slf4j
            vfio-backend/pv-host: org.agrona.concurrent org.slf4j
            cuda/service: org.slf4j
            vfio-backend/recorder: com.fasterxml.jackson net.openhft org.agrona org.slf4j
            vfio-backend/daemon: com.fasterxml.jackson org.agrona.concurrent org.slf4j
            guests/real: com.fasterxml.jackson picocli
            guests/cuda: com.fasterxml.jackson picocli
            guests/hostile: com.fasterxml.jackson picocli
            guests/virtual-host: com.fasterxml.jackson picocli
            benchmarks: com.fasterxml.jackson picocli
            metrics: com.sun.net.httpserver io.micrometer io.prometheus org.slf4j
            top: org.jline
            vfio-backend/cli: ch.qos.logback com.fasterxml.jackson org.jline org.slf4j picocli
            evaluation: com.fasterxml.jackson de.erichseifert.vectorgraphics2d org.jfree org.w3c.dom
              org.xml.sax picocli
            """;

    /// Returns the required graph of the product's modules.
    static ModuleGraph ofTheProduct() {
        return new ModuleGraph(parse(USES), parse(LIBRARIES));
    }

    /// Returns the modules, each before its dependents.
    List<String> modules() {
        return List.copyOf(uses.keySet());
    }

    /// Returns the direct and indirect dependencies of a module.
    Set<String> reachedFrom(String module) {
        Set<String> reached = new TreeSet<>();
        for (String next : uses.get(module)) {
            reached.add(next);
            reached.addAll(reachedFrom(next));
        }
        return reached;
    }

    /// Returns the arrows `FROM --> TO` of a drawing, without those implied by a path through other
    /// modules.
    Set<String> drawing() {
        Set<String> arrows = new TreeSet<>();
        uses.forEach((from, direct) ->
                direct.stream()
                        .filter(to -> direct.stream().noneMatch(by -> reaches(by, to)))
                        .forEach(to -> arrows.add(from + " --> " + to)));
        return arrows;
    }

    /// Returns the name of a module's Maven artifact.
    static String artifact(String module) {
        return "gpuvm-" + module.replace("vfio-backend/", "").replace('/', '-');
    }

    private boolean reaches(String from, String to) {
        return uses.get(from).stream().anyMatch(next -> next.equals(to) || reaches(next, to));
    }

    /// Parses lines `MODULE: WORD...`. A line that begins with a blank continues the preceding
    /// line.
    private static Map<String, Set<String>> parse(String text) {
        Map<String, Set<String>> words = new LinkedHashMap<>();
        for (String line : text.replace("\n  ", " ").lines().toList()) {
            List<String> parts = List.of(line.split(":?\\s+|:$"));
            words.put(parts.getFirst(), new TreeSet<>(parts.subList(1, parts.size())));
        }
        return words;
    }
}
