/// The thread that owns a GPU shared by several virtual machines: physical channels, the order of
/// commands, attribution of interrupts and faults.
package io.gpuvm.owner;
