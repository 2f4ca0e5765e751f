/// Flight recorder: the requests of virtual machines to their GPUs, and the outcome, in a file. The
/// threads that do the work write the records; other classes read recordings.
package io.gpuvm.record;
