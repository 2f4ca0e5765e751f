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

    /// Returns the sentence for times of the GPU.
    static String gpu(EvaluationHost host) {
        return "The GPU is software on the host's %s, and %s."
                .formatted(Words.count(host.processors(), "processor"), guests(host));
    }
}
