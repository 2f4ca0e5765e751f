/// Rings of a shared area, and the wake-ups of their consumers. Both ends use the same classes: a
/// guest writes commands and reads completions, a host does the reverse.
package io.gpuvm.pv.ring;
