# What the tests of a virtual host are made of. $device is the GPU's PCI address, $group its VFIO group,
# $sysfs its folder.

sharing=
java_options=

# One check that is an event. The text must need no quoting in JSON.
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
    check "vfio-pci has the card" test -e "$sysfs/driver/module/drivers/pci:vfio-pci" &&
        check "there is /dev/vfio/$group" test -c "/dev/vfio/$group"
}

# The card's PCI config space. While nobody uses the card, vfio-pci lets it sleep, which shows there.
config_space() {
    echo on >"$sysfs/power/control"
    hexdump -C "$sysfs/config"
    echo auto >"$sysfs/power/control"
}

# Whoever has had the card must leave its config space as it was.
remember_card() { config_space >/run/config; }

check_card() { # WHEN
    config_space >/run/config.now
    check "the PCI config space is as it was, $1" cmp -s /run/config /run/config.now && return
    diff /run/config /run/config.now >&3
    return 1
}

# Lets JVMs share what the first of them has loaded, which pays when a test starts several.
share_classes() {
    sharing='-XX:+AutoCreateSharedArchive -XX:SharedArchiveFile=/run/classes.jsa -Xlog:cds=off'
}

# A program of gpuvm's, which says what it says where its caller does. At the deadline it is asked for
# the stacks of its threads, and killed.
java_here() { # CLASS ARGUMENT...
    seconds_left=$(awk -v deadline="$(parameter gpuvm.deadline 600)" \
        '{ left = int(deadline - $1); print (left > 0 ? left : 1) }' /proc/uptime)
    timeout -s QUIT -k 5 "$seconds_left" \
        /opt/java/bin/java @/opt/gpuvm/java.options $sharing $java_options "$@"
    status=$?
    [ "$status" -lt 128 ] || check "$1 ends before the deadline and by itself" false
    return "$status"
}

# The same, with what it says and its errors in the report.
java() { # CLASS ARGUMENT...
    java_here "$@" >&3 2>&1
}

# The command line, as ./gpuvm starts it. It says what it says where its caller does: '>&3 2>&1' puts
# that into the report. $java_options are more options of the JVM's.
gpuvm() { # COMMAND ARGUMENT...
    java_here io.gpuvm.cli.Main "$@"
}

# The conformance suite, or the part that was asked for, on the card.
conformance() { # OPTION...
    conformance_of "vfio:$device" "$@"
}

# The same on another GPU, as the suite names them.
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

# Starts work on the card that never ends, and kills it at a random moment.
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
    check "work is under way" test "$line" = busy
    draw_ms "$1"
    usleep $((drawn_ms * 1000))
    kill -KILL "$victim"
    wait "$victim"
    status=$?
    exec 4<&-
    check "killed after $drawn_ms ms of work" test "$status" -eq 137
}

# Starts a backend that owns the card, and waits until it serves: $backend is its process. What it logs
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

# Has the backend end in the orderly way. What it warned of is in the report.
stop_serving() {
    kill -TERM "$backend"
    wait "$backend"
    status=$?
    exec 4<&-
    grep -v ' INFO ' /run/serve.log >&3
    check "the backend ends in the orderly way" test "$status" -eq 143
}

# The --vm of a paravirtual guest, small: a card pins what it can reach.
pv() { # NAME
    printf '%s,mode=pv,vram=64M,data=8M,arena=4M,socket=/run/%s.sock' "$1" "$1"
}

# A paravirtual guest of the backend that runs a workload, and compares what it has computed.
guest() { # NAME WORKLOAD OPTION...
    name=$1
    shift
    gpuvm run --socket "/run/$name.sock" "$@" >&3 2>&1
}

# How many interrupts of the card the kernel has handed on.
interrupts() {
    awk '/vfio-msi/ { for (i = 2; $i ~ /^[0-9]+$/; i++) sum += $i } END { print sum + 0 }' /proc/interrupts
}

# Waits until the kernel has handed on so many interrupts of the card more.
await_interrupts() { # NUMBER
    wanted=$(($(interrupts) + $1))
    while [ "$(interrupts)" -lt "$wanted" ]; do
        usleep 100000
    done
}

measured() { # NAME VALUE
    event "{\"event\":\"measured\",\"name\":\"$1\",\"value\":$2}"
}
