/// Options of the form `KEY=VALUE`, as users write them.
package io.gpuvm.options;
