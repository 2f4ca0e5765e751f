# Functions of process 1 of every test guest: mounts, kernel parameters, and the second serial port,
# from which the runner reads one line per event, "@gpuvm {...}". The first port is the kernel's
# console.

begin() {
    /bin/busybox --install -s /bin
    export PATH=/bin
    mount -t proc proc /proc
    mount -t sysfs sysfs /sys
    mount -t devtmpfs devtmpfs /dev
    stty -F /dev/ttyS1 raw -echo
    exec 3>/dev/ttyS1
}

event() { printf '@gpuvm %s\n' "$1" >&3; }

# Prints all values of a kernel parameter.
parameters() {
    for word in $(cat /proc/cmdline); do
        case $word in
        "$1="*) printf '%s ' "${word#*=}" ;;
        esac
    done
}

# Prints the last value of a kernel parameter, or a default.
parameter() {
    set -- "$1" "$2" $(parameters "$1")
    shift $(($# - 1))
    printf '%s' "$1"
}

# Reports the kernel's log records since the last call as events of this phase.
end_phase() { /programs/kernel-log "$1" >&3; }

# Writes a mark to the kernel's log, with a time stamp by the log's clock.
mark() { printf '<6>gpuvm: %s\n' "$1" >/dev/kmsg; }

# Loads all modules of a folder except the named one.
load_modules() { # FOLDER [EXCEPT]
    while read -r module; do
        if [ "$module" != "${2:-}" ] && [ ! -d "/sys/module/$module" ]; then
            insmod "$1/$module.ko" 2>&1
        fi
    done <"$1/load-order"
}
