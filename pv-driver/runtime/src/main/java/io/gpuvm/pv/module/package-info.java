/// Modules: conversion of a [io.gpuvm.gf100.cubin.Cubin] into the bytes for a GPU's memory, with
/// addresses filled in, and into the launch data of each kernel.
///
/// Free of side effects: this package accesses no GPU. The entry point is
/// [io.gpuvm.pv.module.ModuleImage].
package io.gpuvm.pv.module;
