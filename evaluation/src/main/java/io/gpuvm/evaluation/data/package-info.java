/// Data of an evaluation: immutable records, and their JSON and CSV files. The runner creates them,
/// and the report is made from them alone. `docs/evaluation.md` describes the keys.
package io.gpuvm.evaluation.data;
