/// Data of an evaluation: immutable records, and their JSON and CSV files. The runner creates them,
/// and the report uses only these records. `docs/evaluation.md` describes the keys.
package io.gpuvm.evaluation.data;
