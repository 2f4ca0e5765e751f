package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.data.EvaluationHost;

/// Differences between the evaluation's host and those of the papers, in words.
final class Host {
    private Host() {}

    /// Returns the manner in which the processors execute the guests' instructions.
    static String guests(EvaluationHost host) {
        return "kvm".equals(host.accelerator())
                ? "the guests run on KVM"
                : "QEMU translates the guests' instructions (TCG), which slows the guest, its driver "
                        + "and each trap";
    }

    /// Returns the sentence for times in which the GPU is idle.
    static String idle(EvaluationHost host) {
        return host.processors() == 1
                ? "The software GPU and its guest share 1 processor, so idle time includes waiting "
                        + "for it."
                : "The software GPU and its guest have separate processors (%s), so idle time "
                                .formatted(host.pinning())
                        + "includes the wake-up of a sleeping thread, but no wait of one for the "
                        + "processor of the other.";
    }

    /// Returns the sentence for times of several guests.
    static String severalGuests(EvaluationHost host) {
        return "The guests share their processors (%s), so they slow each other even while the GPU "
                        .formatted(host.pinning())
                + "is idle.";
    }

    /// Returns the sentence for times of the GPU.
    static String gpu(EvaluationHost host) {
        return "The GPU is software on the host's %s, and %s."
                .formatted(Words.count(host.processors(), "processor"), guests(host));
    }
}
