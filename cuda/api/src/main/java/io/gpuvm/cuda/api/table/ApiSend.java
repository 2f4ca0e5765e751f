package io.gpuvm.cuda.api.table;

import java.util.Map;

/// Call of another record as which a function travels.
///
/// @param function name of the record whose call travels
/// @param constants values of operands, by name
public record ApiSend(String function, Map<String, Long> constants) {}
