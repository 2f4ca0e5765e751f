/// Flight recorder: records the requests of virtual machines to their GPUs, and the results, in
/// files. The threads that process the requests write the records; other classes read recordings.
package io.gpuvm.record;
