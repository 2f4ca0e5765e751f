/// The demonstration: guests of every kind on one GPU in software, shown while they work.
package io.gpuvm.demo;
