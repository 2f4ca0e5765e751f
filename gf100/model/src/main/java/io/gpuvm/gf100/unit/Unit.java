package io.gpuvm.gf100.unit;

/// Hardware unit: its registers and the state behind them.
///
/// Confined to the thread that accesses the [RegisterTable] in which it is declared, unless a class
/// documents otherwise.
public interface Unit {
    /// Adds this unit's rows to a table under construction. Called once.
    void declare(RegisterTable.Builder table);

    /// Resets state outside of the table to its power-on value. The table resets its own values
    /// before this call.
    default void reset() {}
}
