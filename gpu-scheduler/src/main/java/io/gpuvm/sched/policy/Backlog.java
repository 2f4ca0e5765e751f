package io.gpuvm.sched.policy;

/// Commands that wait for one engine, as a policy may query them. Virtual machines are identified
/// by their numbers.
public interface Backlog {
    /// Returns the number of a virtual machine's waiting commands.
    int waiting(int vm);

    /// Returns the position of a virtual machine's first command in the order of arrival of all
    /// virtual machines' commands.
    ///
    /// @throws IllegalStateException if no command waits
    long headSequence(int vm);
}
