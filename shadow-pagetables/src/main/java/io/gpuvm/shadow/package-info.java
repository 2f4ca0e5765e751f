/// What hardware follows on behalf of a guest: checked, translated copies of its page tables and of
/// its channels' instance blocks, kept in host memory. Also the ports between a virtual GPU and the
/// owner of the real one.
package io.gpuvm.shadow;
