/// Draws figures from the measurements of the experiments: CSV in, PNG and SVG out.
package io.gpuvm.experiments;
