/// Report of an evaluation: figures, sentences that are computed from the data, and the page. The
/// report uses only the records of `io.gpuvm.evaluation.data`.
package io.gpuvm.evaluation.report;
