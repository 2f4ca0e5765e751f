/// Replayed guest: sends the recorded messages of a client again, and reports the resulting state
/// of the GPU.
package io.gpuvm.replay;
