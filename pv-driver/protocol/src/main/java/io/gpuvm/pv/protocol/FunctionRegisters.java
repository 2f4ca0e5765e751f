package io.gpuvm.pv.protocol;

/// Identification and registers of the PCI function through which a virtual machine reaches the
/// backend. BAR 0 contains a page of registers for each session of the machine, all 32 bits wide;
/// the page of session `n` is at `n * PAGE_BYTES`. BAR 2 contains the shared area ([AreaLayout]) of
/// each session.
///
/// ```text
///  00  MAGIC       read   [RingProtocol#functionMagic()]
///  04  VERSION     read   [AreaHeader#VERSION]
///  08  AREA_LO     read   length of the session's area in bytes, bits 0 to 31
///  0c  AREA_HI     read   bits 32 to 63
///  10  CONTROL     write  [#BEGIN] ends the session and begins it again; [#END] only ends it
///  14  SESSION     read   number of beginnings of the session
///  18  STATE       read   state of the session since the latest beginning, a code of [SessionState]
///  1c  DOORBELL    write  any value: wakes the host
///  20  SESSIONS    read   number of sessions; 0 means 1
///  24  START_LO    read   offset of the session's area in BAR 2, bits 0 to 31
///  28  START_HI    read   bits 32 to 63
/// ```
///
/// The area reads as zeros when a session begins, and has a header once the session's state is
/// [SessionState#OPEN]. A session corresponds to a process's connection to a UNIX socket. Programs
/// divide the sessions among themselves by a lock for each session.
public final class FunctionRegisters {
    /// PCI vendor id, not assigned to any member of the PCI-SIG.
    public static final int VENDOR_ID = 0x7067;

    /// PCI device id.
    public static final int DEVICE_ID = 0x766d;

    /// PCI class: a processing accelerator (PCI Code and ID Assignment, base class 12h).
    public static final int CLASS_CODE = 0x120000;

    /// Index of the BAR that contains the registers.
    public static final int REGISTER_BAR = 0;

    /// Index of the BAR that contains the shared areas: 64 bit, prefetchable.
    public static final int AREA_BAR = 2;

    /// Length in bytes of the registers of one session.
    public static final int PAGE_BYTES = 4096;

    /// Identification of the function: [RingProtocol#functionMagic()].
    public static final int MAGIC = 0x00;

    /// Version of registers and protocol.
    public static final int VERSION = 0x04;

    /// Length of the session's area, low half.
    public static final int AREA_LO = 0x08;

    /// Length of the session's area, high half.
    public static final int AREA_HI = 0x0c;

    /// Command to begin or end a session: [#BEGIN] or [#END].
    public static final int CONTROL = 0x10;

    /// Number of beginnings of the session.
    public static final int SESSION = 0x14;

    /// State of the session.
    public static final int STATE = 0x18;

    /// Doorbell: a write wakes the host.
    public static final int DOORBELL = 0x1c;

    /// Number of sessions of the function; 0, of backends without this register, means 1.
    public static final int SESSIONS = 0x20;

    /// Offset of the session's area in its BAR, low half.
    public static final int START_LO = 0x24;

    /// Offset of the session's area in its BAR, high half.
    public static final int START_HI = 0x28;

    /// Value for [#CONTROL]: ends the session.
    public static final int END = 0;

    /// Value for [#CONTROL]: begins a session.
    public static final int BEGIN = 1;

    private FunctionRegisters() {}
}
