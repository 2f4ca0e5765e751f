/// Engines that execute class methods, and what they report.
package io.gpuvm.softgpu.engine;
