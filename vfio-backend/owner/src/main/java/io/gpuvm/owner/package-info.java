/// The one thread that owns a GPU that several virtual machines share: physical channels, the order
/// of commands, interrupts and faults taken apart.
package io.gpuvm.owner;
