/// The demonstration: guests of every kind on one software GPU, shown while they work.
package io.gpuvm.demo;
