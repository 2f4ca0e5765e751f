/// The command line: one class per command.
package io.gpuvm.cli;
