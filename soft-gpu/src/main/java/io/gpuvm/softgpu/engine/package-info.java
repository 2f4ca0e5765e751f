/// Engines that execute class methods, and their reports.
package io.gpuvm.softgpu.engine;
