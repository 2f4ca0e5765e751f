/// Execution of CUDA driver API calls: the port of a session to its GPU, and its implementation on
/// the runtime's contexts.
package io.gpuvm.cuda.service;
