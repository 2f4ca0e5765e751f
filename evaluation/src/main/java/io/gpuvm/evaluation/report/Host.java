package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.EvaluationHost;

/// Phrases about the differences between the evaluation's host and the papers' hosts.
final class Host {
    private Host() {}

    /// Returns a clause about the execution of the guests' instructions.
    static String guests(EvaluationHost host) {
        return "kvm".equals(host.accelerator())
                ? "the guests run on KVM"
                : "QEMU translates the guests' instructions (TCG), which slows the guest, its driver "
                        + "and each trap";
    }

    /// Returns a sentence about the idle time of the GPU.
    static String idle(EvaluationHost host) {
        return host.processors() == 1
                ? "The software GPU and its guest share 1 processor, so idle time includes waiting "
                        + "for it."
                : "The software GPU and its guest have separate processors (%s), so idle time "
                                .formatted(host.pinning())
                        + "includes wake-ups of sleeping threads, but no waits for each other's "
                        + "processor.";
    }

    /// Returns a sentence about the processors of several guests.
    static String severalGuests(EvaluationHost host) {
        return "The guests share their processors (%s), so they slow each other even while the GPU "
                        .formatted(host.pinning())
                + "is idle.";
    }

    /// Returns a sentence about the GPU and the guests' processors.
    static String gpu(EvaluationHost host) {
        return "The GPU is software on the host's %s, and %s."
                .formatted(Words.count(host.processors(), "processor"), guests(host));
    }
}
