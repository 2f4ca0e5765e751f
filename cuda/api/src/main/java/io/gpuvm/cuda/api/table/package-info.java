/// Table of the CUDA driver API: model, reader and checks.
package io.gpuvm.cuda.api.table;
