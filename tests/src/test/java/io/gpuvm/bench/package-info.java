/// What measurements rest on, and what counts must hold whatever the machine.
package io.gpuvm.bench;
