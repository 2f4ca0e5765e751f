/// Structures that hardware reads on behalf of a guest: checked, translated copies of its page
/// tables and of its channels' instance blocks, in host memory.
package io.gpuvm.shadow;
