# Common functions of the experiments. Each experiment sources this file, and calls begin and then the functions below.
#
#   begin NAME DESCRIPTION "$@"
#
# parses the arguments of every experiment: --quick (short runs, for a test of the script), --runs N (number of
# repetitions of each run), --out DIR (folder for the files; default: target/experiments/NAME).

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
gpuvm=$root/gpuvm
runs=3
seconds=10
out=

begin() {
    local name=$1 description=$2
    shift 2
    while [ $# -gt 0 ]; do
        case $1 in
        --quick) runs=1 seconds=2 ;;
        --runs) runs=${2:?--runs: a number is missing} && shift ;;
        --out) out=${2:?--out: a folder is missing} && shift ;;
        -h | --help)
            printf '%s\n\nusage: experiments/%s [--quick] [--runs N] [--out DIR]\n' "$description" "$name"
            exit 0
            ;;
        *)
            printf 'experiments/%s: unknown argument %s\n' "$name" "$1" >&2
            exit 2
            ;;
        esac
        shift
    done
    out=${out:-$root/target/experiments/$name}
    mkdir -p "$out"
    rm -f "$out"/*.csv "$out"/*.json "$out"/*.png "$out"/*.svg
    say "$name: $description"
}

say() {
    printf '%s  %s\n' "$(date +%H:%M:%S)" "$*" >&2
}

# Prints the policies to compare; the environment variable POLICIES overrides them.
policies() {
    printf '%s\n' ${POLICIES:-fifo credit band fair}
}

# fairness FILE ARGUMENT...: writes FILE.json and FILE.csv. A run whose accounts of GPU time differ
# is reported and repeated once, because other load on the machine may be the cause.
fairness() {
    local file=$1
    shift
    say "  $(basename "$file"): $*"
    if ! "$gpuvm" fairness --seconds "$seconds" --json "$file.json" --csv "$file.csv" "$@" >"$file.txt" 2>&1; then
        say "    repeated: $(tail -n 1 "$file.txt")"
        if ! "$gpuvm" fairness --seconds "$seconds" --json "$file.json" --csv "$file.csv" "$@" >"$file.txt" 2>&1; then
            say "    failed: $(tail -n 1 "$file.txt")"
            failed=true
        fi
    fi
}

# table: writes the figures of all runs to summary.csv
table() {
    "$gpuvm" fairness-table "$out"/*.json --out "$out/summary.csv"
}

# over_time NAME TITLE FILE...: draws each guest's share over time, with one panel per policy and number of guests
over_time() {
    local name=$1 title=$2 files=() file
    shift 2
    for file in "$@"; do
        files+=(--csv "$file")
    done
    "$gpuvm" plot lines "${files[@]}" --out "$out/$name" --title "$title" --x seconds --y share --times 100 \
        --series does --panel policy,guests --y-min 0 --y-max 100 \
        --x-title 'time (s)' --y-title "share of the GPU's time (%)"
}

failed=false
finish() {
    say "files are in $out"
    [ "$failed" = false ]
}
