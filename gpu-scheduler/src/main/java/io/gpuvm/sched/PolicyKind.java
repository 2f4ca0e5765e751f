package io.gpuvm.sched;

import io.gpuvm.sched.policy.FifoPolicy;

/// A policy by name, with its parameters: what one chooses. Immutable; makes as many policies of
/// the kind as there are engines.
public sealed interface PolicyKind {
    /// First come, first served.
    PolicyKind FIFO = new Fifo();

    /// What users call it.
    String label();

    /// Makes a policy that knows no virtual machine yet.
    ///
    /// @param backlog what waits for its engine
    SchedulingPolicy create(Backlog backlog);

    /// The kind with a name, with its usual parameters.
    ///
    /// @throws IllegalArgumentException if there is none of that name
    static PolicyKind named(String name) {
        return switch (name) {
            case "fifo" -> FIFO;
            default -> throw new IllegalArgumentException("policy=%s, known: fifo".formatted(name));
        };
    }

    /// First come, first served: whoever submits long commands gets most of the GPU.
    record Fifo() implements PolicyKind {
        @Override
        public String label() {
            return "fifo";
        }

        @Override
        public SchedulingPolicy create(Backlog backlog) {
            return new FifoPolicy(backlog);
        }
    }
}
