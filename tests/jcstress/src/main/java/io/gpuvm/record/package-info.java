/// What the maker of records and the recorder may see of each other's: records whole, in order, and
/// what is missing said where it is missing. Each class lists all outcomes that are legal.
package io.gpuvm.record;
