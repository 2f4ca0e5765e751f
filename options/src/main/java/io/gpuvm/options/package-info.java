/// Options of the form `KEY=VALUE`.
package io.gpuvm.options;
