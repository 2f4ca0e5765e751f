package io.gpuvm.sched.policy;

/// What waits for one engine, as a policy may ask. Virtual machines are named by their numbers.
public interface Backlog {
    /// How many commands of a virtual machine wait.
    int waiting(int vm);

    /// Place of the first of them in the order of arrival of all virtual machines' commands.
    ///
    /// @throws IllegalStateException if none waits
    long headSequence(int vm);
}
