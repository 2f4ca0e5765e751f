/// Hostile CUDA clients beside CUDA programs that verify their results (`docs/hostile-guests.md`).
package io.gpuvm.guests.hostile.cuda;
