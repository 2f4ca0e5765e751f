# Slurm cluster in a folder: munged, slurmctld, slurmd of the nodes a (two GPUs), b (one GPU) and c (none), and a backend with a
# software GPU for each GPU. Sourced by run. Every process has its own number in $D/pids, and is ended by it.
#
# Expects: root (the checkout), slurm (folder of tests/slurm/setup), jdk, programs and modules (of tests/cuda-clients/setup c),
# slurm_user, D (empty folder).

readonly nodes=(a b c)
# Backends: node and GPU.
readonly gpus=(a0 a1 b0)
readonly users=(games daemon)
# Ports that a cluster needs, and the first of all.
readonly ports=16 first_port=21000 last_port=32000

# Starts a process in the background, in a session of its own.
spawn() { # NAME COMMAND...
    local name=$1
    shift
    setsid "$@" </dev/null >>"$D/log/$name.out" 2>&1 9>&- &
    echo $! >"$D/pids/$name"
    # The shell would report the end of daemons that scenarios kill.
    disown
}

pid_of() { cat "$D/pids/$1"; } # NAME

# Is the process the one that was started? Its number could be another process's by now.
alive() { # NAME
    local pid
    pid=$(pid_of "$1" 2>/dev/null) && grep -qF "$D" "/proc/$pid/cmdline" 2>/dev/null
}

kill_now() { kill -KILL "$(pid_of "$1")"; } # NAME

# Waits until a command succeeds.
await() { # SECONDS COMMAND...
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -le "$end" ] || return 1
        # A pause without a process.
        read -rt 0.2 <>"$D/log/pause"
    done
    # Not the status of the pause.
    return 0
}

is_free() { # PORT
    ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# Chooses a range of free ports, by the number of this process, so that clusters of one machine rarely meet.
choose_ports() {
    local i range=$(((last_port - first_port) / ports))
    for ((i = 0; i < 50; i++)); do
        base_port=$((first_port + (($$ + i * 7) % range) * ports))
        local port free=yes
        for ((port = base_port; port < base_port + ports; port++)); do
            is_free "$port" || free=
        done
        [ -z "$free" ] || return 0
    done
    die 'no free range of ports'
}

node_port() { echo $((base_port + 1 + $(index_of "$1" "${nodes[@]}"))); } # NODE
gpu_port() { echo $((base_port + 8 + $(index_of "$1" "${gpus[@]}"))); }   # NODE-AND-GPU

index_of() { # WORD WORD...
    local word=$1 i=0
    shift
    for candidate in "$@"; do
        [ "$candidate" != "$word" ] || break
        i=$((i + 1))
    done
    echo $i
}

start_slurmctld() { spawn slurmctld "$D/slurm/bin/slurmctld" -D -f "$D/etc/slurm.conf"; }

start_slurmd() { # NODE
    spawn "slurmd.$1" "$D/slurm/bin/slurmd" -D -N "$1" -d "$D/slurm/bin/slurmstepd" -f "$D/etc/slurm.conf"
}

start_backend() { # NODE-AND-GPU
    spawn "backend.$1" env GPUVM_JAVA_OPTS="-Xmx384m -XX:TieredStopAtLevel=1" LD_LIBRARY_PATH="$D/slurm/munge" \
        "$D/gpuvm/gpuvm" serve --gpu soft,vram=2G --threads compact --ctl "$D/run/${1%?}/gpu${1#?}.ctl" \
        --listen "tls:127.0.0.1:$(gpu_port "$1")" --tls "$D/keys/server" --munge --munge-socket "$D/munge/socket"
}

backend_answers() { "$D/gpuvm/vfio-backend/cli/target/bin/gpuvm-ctl" "$D/run/${1%?}/gpu${1#?}.ctl" status >/dev/null 2>&1; } # NODE-AND-GPU

# Copies what job users run: the folder of the checkout or of the cache may be closed to them.
copy_programs() {
    mkdir -p "$D/gpuvm"/{target,etc,vfio-backend/cli/target,cuda,programs}
    cp "$root/gpuvm" "$D/gpuvm/"
    cp -r "$root/etc/jvm" "$D/gpuvm/etc/"
    cp -r "$root"/vfio-backend/cli/target/{classes,lib,bin} "$D/gpuvm/vfio-backend/cli/target/"
    touch "$D/gpuvm/target/built"
    cp -L "$root"/cuda/client/target/lib/libcuda.so* "$D/gpuvm/cuda/"
    cp -r "$programs" "$D/gpuvm/programs/c"
    cp -r "$modules" "$D/gpuvm/programs/kernels"
    gcc -std=gnu11 -O2 -Wall -Wextra -Werror -I "$root/tests/cuda-clients/programs/c" -o "$D/gpuvm/programs/hold" \
        "$root/tests/slurm/hold.c" "$D/gpuvm/cuda/libcuda.so.1" || die 'hold.c is not compiled' 1
    cp -r "$slurm" "$D/slurm"
    chmod -R go+rX "$D/gpuvm" "$D/slurm"
}

write_configuration() {
    "$root/cluster/slurm/install" --etc "$D/etc" --lib "$D/hooks" >>"$D/log/install"
    # So that TaskProlog of another component waits for it.
    sed -i '2i [ "$SLURMD_NODENAME" != b ] || sleep 1' "$D/hooks/prolog"
    cat >>"$D/etc/gpuvm.conf" <<CONF
PATH=$D/slurm/bin:\$PATH
export SLURM_CONF=$D/etc/slurm.conf GPUVM_JAVA_HOME=$jdk
export GPUVM_JAVA_OPTS="-Xmx256m -XX:TieredStopAtLevel=1"
GPUVM=$D/gpuvm/gpuvm
RUN=$D/run/\$SLURMD_NODENAME
CUDA_LIBRARY=$D/gpuvm/cuda
AUTHORITY=$D/keys/authority
MUNGE_SOCKET=$D/munge/socket
MUNGE_LIBRARY=$D/slurm/munge
LOG=$D/log/hooks
# Nodes of one machine need different ports.
remote_address() {
    case \$1\$2 in
$(for gpu in "${gpus[@]}"; do printf '    %s) echo localhost:%s ;;\n' "$gpu" "$(gpu_port "$gpu")"; done)
    esac
}
CONF
    cat >"$D/etc/gres.conf" <<'CONF'
AutoDetect=off
NodeName=a Name=gpu File=/dev/null Flags=no_gpu_env
NodeName=a Name=gpu File=/dev/zero Flags=no_gpu_env
NodeName=a Name=shard Count=100 File=/dev/null
NodeName=a Name=shard Count=100 File=/dev/zero
NodeName=b Name=gpu File=/dev/null Flags=no_gpu_env
NodeName=b Name=shard Count=100 File=/dev/null
CONF
    cat >"$D/etc/slurm.conf" <<CONF
ClusterName=gpuvm
SlurmctldHost=localhost
SlurmctldAddr=127.0.0.1
SlurmUser=$slurm_user
SlurmctldPort=$base_port
AuthType=auth/munge
AuthInfo=socket=$D/munge/socket,cred_expire=5
CredType=cred/munge
PluginDir=$D/slurm/root/usr/lib/x86_64-linux-gnu/slurm-wlm
StateSaveLocation=$D/ctld
SlurmdSpoolDir=$D/spool.%n
SlurmctldPidFile=$D/ctld/slurmctld.pid
SlurmdPidFile=$D/spool.%n.pid
SlurmctldLogFile=$D/log/slurmctld.log
SlurmdLogFile=$D/log/slurmd.%n.log
SlurmdDebug=debug
SlurmctldDebug=debug
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=2
ReturnToService=2
KillWait=2
BatchStartTimeout=2
SlurmdTimeout=10
SlurmctldTimeout=10
CompleteWait=0
MessageTimeout=10
SlurmdParameters=config_overrides
JobRequeue=1
GresTypes=gpu,shard
Prolog=$D/hooks/prolog
Epilog=$D/hooks/epilog
TaskProlog=$D/hooks/task-prolog
PrologFlags=Alloc,DeferBatch
JobSubmitPlugins=lua
HealthCheckProgram=$D/hooks/sweep
HealthCheckInterval=5
NodeName=a NodeHostname=localhost NodeAddr=127.0.0.1 Port=$(node_port a) CPUs=32 Gres=gpu:2,shard:200
NodeName=b NodeHostname=localhost NodeAddr=127.0.0.1 Port=$(node_port b) CPUs=32 Gres=gpu:1,shard:100
NodeName=c NodeHostname=localhost NodeAddr=127.0.0.1 Port=$(node_port c) CPUs=32
PartitionName=p Nodes=a,b,c Default=YES MaxTime=INFINITE State=UP
PartitionName=vgpu Nodes=b MaxTime=INFINITE State=UP OverSubscribe=FORCE:100
CONF
}

node_is() { sinfo -h -N -n "$1" -o %T | head -1 | grep -qE "^($2)"; } # NODE REGEX
nodes_are_idle() { [ "$(sinfo -h -N -o %T | sort -u)" = idle ]; }

cluster_up() {
    local name
    choose_ports
    mkdir -p "$D"/{log,pids,munge,ctld,etc,out,run/a,run/b,run/c}
    chmod 755 "$D" "$D"/{log,munge,etc,run,run/a,run/b,run/c}
    chmod 1777 "$D/out"
    chown "$slurm_user" "$D"/{ctld,log}
    mkfifo "$D/log/pause"
    : >"$D/log/hooks"
    chmod 666 "$D/log/hooks"
    copy_programs
    write_configuration
    "$D/gpuvm/gpuvm" keys init "$D/keys" --host localhost --host 127.0.0.1 >/dev/null || die 'certificates failed' 1
    mkdir "$D/keys/authority"
    cp "$D/keys/ca.pem" "$D/keys/authority/"
    chmod 755 "$D/keys" "$D/keys/authority"
    (umask 077 && head -c 1024 /dev/urandom >"$D/munge/key")
    spawn munged "$D/slurm/bin/munged" --foreground --key-file="$D/munge/key" --socket="$D/munge/socket" \
        --pid-file="$D/munge/pid" --log-file="$D/munge/log" --seed-file="$D/munge/seed"
    for name in "${gpus[@]}"; do start_backend "$name"; done
    await 10 test -S "$D/munge/socket" || die "munged: $(tail -1 "$D/munge/log")" 1
    for name in "${gpus[@]}"; do
        await 60 backend_answers "$name" || die "backend $name: $(tail -1 "$D/log/backend.$name.out")" 1
    done
    start_slurmctld
    for name in "${nodes[@]}"; do start_slurmd "$name"; done
    await 30 nodes_are_idle || die "nodes are not idle: $(sinfo -h -N -o '%N %T %E' | tr '\n' ';')" 1
}

# Ends jobs as Slurm does, then the daemons, then processes that a killed slurmd has left: they have this cluster's slurm.conf and
# the number of a job in their environment.
cluster_down() {
    local name pid
    if alive slurmctld; then
        timeout 5 squeue -h -o %A 2>/dev/null | sort -u | xargs -r timeout 5 scancel -s KILL 2>/dev/null || true
        await 10 no_jobs || true
    fi
    for name in $(cd "$D/pids" && ls); do
        ! alive "$name" || kill "$(pid_of "$name")" 2>/dev/null || true
    done
    for name in $(cd "$D/pids" && ls); do
        await 15 dead "$name" || {
            say "$name does not end: killed"
            kill_now "$name" 2>/dev/null || true
        }
    done
    for pid in $(processes_with environ "SLURM_CONF=$D/etc/slurm.conf"); do
        grep -qz '^SLURM_JOB_ID=' "/proc/$pid/environ" 2>/dev/null || continue
        say "left by a killed slurmd, killed: $(command_of "$pid")"
        kill -KILL "$pid" 2>/dev/null || true
    done
}

# Prints the numbers of processes whose command line or environment contains a text. The text is in no command line of this search.
processes_with() { # cmdline|environ TEXT
    grep -lF -f <(printf '%s\n' "$2") /proc/[0-9]*/"$1" 2>/dev/null | cut -d/ -f3
}

command_of() { { tr '\0' ' ' <"/proc/$1/cmdline"; } 2>/dev/null | cut -c1-200; } # PROCESS

dead() { ! alive "$1"; }
no_jobs() { [ -z "$(timeout 5 squeue -h)" ]; }
