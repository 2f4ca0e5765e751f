/// Diagnosis of a host on which gpuvm is to own a card: [io.gpuvm.doctor.Doctor] checks all
/// requirements of a [io.gpuvm.doctor.Host], and returns [io.gpuvm.doctor.Finding]s. The doctor
/// changes nothing.
package io.gpuvm.doctor;
