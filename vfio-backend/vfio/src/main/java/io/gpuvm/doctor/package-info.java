/// Diagnosis of a host's obstacles to owning a card: [io.gpuvm.doctor.Doctor] examines a
/// [io.gpuvm.doctor.Host] and returns [io.gpuvm.doctor.Finding]s. It changes nothing.
package io.gpuvm.doctor;
