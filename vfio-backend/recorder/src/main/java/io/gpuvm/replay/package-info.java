/// A guest made of a recording: sends again what a client sent, and says in what state that leaves
/// the GPU.
package io.gpuvm.replay;
