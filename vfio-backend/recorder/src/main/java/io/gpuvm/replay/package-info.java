/// Replay of a guest: sends the recorded messages of a client, and reports the resulting state of
/// the GPU.
package io.gpuvm.replay;
