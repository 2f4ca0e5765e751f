/// The flight recorder: what virtual machines ask of their GPUs, and what becomes of it, in a file.
/// One side is fed by the threads that do the work, the other reads recordings.
package io.gpuvm.record;
