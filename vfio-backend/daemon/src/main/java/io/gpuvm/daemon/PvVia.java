package io.gpuvm.daemon;

/// Transport of a paravirtual guest.
public enum PvVia {
    /// UNIX socket: the guest is a process on this host.
    SOCKET("socket"),
    /// PCI function, over vfio-user: the guest is a program in a virtual machine.
    VFIO_USER("vfio-user");

    private final String option;

    PvVia(String option) {
        this.option = option;
    }

    /// Returns the name on the command line.
    public String option() {
        return option;
    }
}
