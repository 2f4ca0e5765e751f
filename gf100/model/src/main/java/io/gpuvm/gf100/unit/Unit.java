package io.gpuvm.gf100.unit;

/// One hardware unit: the registers it answers and the state behind them.
///
/// Confined to the thread that accesses the [RegisterTable] it is declared in, unless a class says
/// otherwise.
public interface Unit {
    /// Adds this unit's rows to a table under construction. Called once.
    void declare(RegisterTable.Builder table);

    /// Returns state that does not live in the table to its power-on value. The table's own values
    /// have been reset before.
    default void reset() {}
}
