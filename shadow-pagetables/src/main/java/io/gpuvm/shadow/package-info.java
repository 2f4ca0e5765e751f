/// Structures that hardware reads on behalf of a guest: checked, translated copies of the guest's
/// page tables and instance blocks, in host memory.
package io.gpuvm.shadow;
