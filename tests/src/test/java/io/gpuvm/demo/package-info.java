/// The demonstration, as its users start and end it.
package io.gpuvm.demo;
