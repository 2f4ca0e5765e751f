/// The rings of a shared area, and who wakes whom. Both ends use the same classes: a guest writes
/// commands and reads completions, a host the other way round.
package io.gpuvm.pv.ring;
