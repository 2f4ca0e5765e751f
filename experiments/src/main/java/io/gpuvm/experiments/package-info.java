/// Makes figures of what the experiments measure: CSV in, PNG and SVG out.
package io.gpuvm.experiments;
