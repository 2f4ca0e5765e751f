# Functions of the tests of a virtual host. $device is the GPU's PCI address, $group its VFIO group,
# $sysfs its folder.

sharing=
java_options=

# Runs a command and reports a check. The text must not require quoting in JSON.
check() { # TEXT COMMAND...
    text=$1
    shift
    if "$@"; then
        event "{\"event\":\"check\",\"ok\":true,\"text\":\"$text\"}"
    else
        event "{\"event\":\"check\",\"ok\":false,\"text\":\"$text\"}"
        return 1
    fi
}

# Binds the card to vfio-pci.
give_to_vfio() {
    echo vfio-pci >"$sysfs/driver_override"
    echo "$device" >/sys/bus/pci/drivers_probe
    group=$(basename "$(readlink "$sysfs/iommu_group")")
    check "the card is bound to vfio-pci" test -e "$sysfs/driver/module/drivers/pci:vfio-pci" &&
        check "/dev/vfio/$group exists" test -c "/dev/vfio/$group"
}

# Prints the card's PCI config space. vfio-pci suspends an unused card, which would be visible there.
config_space() {
    echo on >"$sysfs/power/control"
    hexdump -C "$sysfs/config"
    echo auto >"$sysfs/power/control"
}

# Saves the config space, which must be the same after the card is released.
remember_card() { config_space >/run/config; }

check_card() { # WHEN
    config_space >/run/config.now
    check "the PCI config space is unchanged, $1" cmp -s /run/config /run/config.now && return
    diff /run/config /run/config.now >&3
    return 1
}

# Makes JVMs share the classes that the first JVM loads, which saves time if a test starts several
# JVMs.
share_classes() {
    sharing='-XX:+AutoCreateSharedArchive -XX:SharedArchiveFile=/run/classes.jsa -Xlog:cds=off'
}

# Runs a program of gpuvm with the caller's standard output and error. At the deadline the program
# prints the stacks of its threads and is killed.
java_here() { # CLASS ARGUMENT...
    seconds_left=$(awk -v deadline="$(parameter gpuvm.deadline 600)" \
        '{ left = int(deadline - $1); print (left > 0 ? left : 1) }' /proc/uptime)
    timeout -s QUIT -k 5 "$seconds_left" \
        /opt/java/bin/java @/opt/gpuvm/java.options $sharing $java_options "$@"
    status=$?
    [ "$status" -lt 128 ] || check "$1 exits before the deadline and without a signal" false
    return "$status"
}

# Runs a program of gpuvm with its output and errors in the report.
java() { # CLASS ARGUMENT...
    java_here "$@" >&3 2>&1
}

# Runs the command line as ./gpuvm does, with the caller's standard output and error; '>&3 2>&1'
# redirects both to the report. $java_options are additional options of the JVM.
gpuvm() { # COMMAND ARGUMENT...
    java_here io.gpuvm.cli.Main "$@"
}

# Runs the conformance suite, or its selected cases, on the card.
conformance() { # OPTION...
    conformance_of "vfio:$device" "$@"
}

# Runs the conformance suite on another GPU, by its name in the suite.
conformance_of() { # GPU OPTION...
    select=$(parameter gpuvm.select '')
    gpu=$1
    shift
    java io.gpuvm.tests.conformance.ConformanceMain --gpu "$gpu" \
        ${select:+--select "$select"} "$@"
}

# Draws the next number of the run's random sequence: $drawn_ms, below a limit.
draw_ms() { # LIMIT
    draws=$((${draws:-0} + 1))
    drawn_ms=$(awk -v seed="$(parameter gpuvm.seed 1)" -v draws="$draws" -v limit="$1" \
        'BEGIN { srand(seed); for (i = 0; i < draws; i++) x = rand(); printf "%d", x * limit }')
}

# Starts endless work on the card, and kills it at a random time.
kill_in_work() { # LIMIT-MS
    mkfifo /run/busy
    /opt/java/bin/java @/opt/gpuvm/java.options $sharing \
        io.gpuvm.tests.conformance.ConformanceMain --gpu "vfio:$device" --busy >/run/busy 2>&1 &
    victim=$!
    exec 4</run/busy
    rm /run/busy
    line=
    while [ "$line" != busy ] && read -r -t 120 line <&4; do
        [ "$line" = busy ] || printf '%s\n' "$line" >&3
    done
    check "work is in progress" test "$line" = busy
    draw_ms "$1"
    usleep $((drawn_ms * 1000))
    kill -KILL "$victim"
    wait "$victim"
    status=$?
    exec 4<&-
    check "killed after $drawn_ms ms of work" test "$status" -eq 137
}

# Starts a backend that owns the card, and waits until it serves: $backend is its process. Its log
# is in /run/serve.log.
serve() { # OPTION...
    mkfifo /run/serve
    /opt/java/bin/java @/opt/gpuvm/java.options $sharing $java_options io.gpuvm.cli.Main serve \
        --gpu "vfio:$device" "$@" >/run/serve 2>/run/serve.log &
    backend=$!
    exec 4</run/serve
    rm /run/serve
    line=
    read -r -t 120 line <&4
    check "the backend serves" test "$line" = ready && return
    cat /run/serve.log >&3
    return 1
}

# Terminates the backend by its normal shutdown. Its warnings are in the report.
stop_serving() {
    kill -TERM "$backend"
    wait "$backend"
    status=$?
    exec 4<&-
    grep -v ' INFO ' /run/serve.log >&3
    check "the backend shuts down normally" test "$status" -eq 143
}

# Prints the --vm of a small paravirtual guest: a card pins the memory that it can reach.
pv() { # NAME
    printf '%s,mode=pv,vram=64M,data=8M,arena=4M,socket=/run/%s.sock' "$1" "$1"
}

# Runs a paravirtual guest of the backend with a workload, and compares its results.
guest() { # NAME WORKLOAD OPTION...
    name=$1
    shift
    gpuvm run --socket "/run/$name.sock" "$@" >&3 2>&1
}

# Prints the number of the card's interrupts that Linux has forwarded.
interrupts() {
    awk '/vfio-msi/ { for (i = 2; $i ~ /^[0-9]+$/; i++) sum += $i } END { print sum + 0 }' /proc/interrupts
}

# Waits until Linux has forwarded a number of additional interrupts of the card.
await_interrupts() { # NUMBER
    wanted=$(($(interrupts) + $1))
    while [ "$(interrupts)" -lt "$wanted" ]; do
        usleep 100000
    done
}

measured() { # NAME VALUE
    event "{\"event\":\"measured\",\"name\":\"$1\",\"value\":$2}"
}
