# Functions that install parts of machines in a cache folder: QEMU, kernels, tools, programs of the
# guest. Sourced by the setup scripts of tests/real-guest and tests/virtual-host. Nothing is
# installed on the host, and root is not needed.

real_guest=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly real_guest
readonly cache=${GPUVM_GUEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/gpuvm/guest}
readonly log=$cache/setup.log
# Files built from this checkout's sources stay in the checkout, so that checkouts that share the
# cache do not replace each other's programs.
readonly built=$real_guest/../../target/real-guest
# Private apt: see apt_configure.
readonly apt=$cache/apt

# Set by a script to repeat all downloads and builds.
refresh=
# Set by a script that continues without a kernel that the mirror lacks.
kernels_may_miss=
# Components of the Debian archive. A script that needs packages outside of main adds theirs.
apt_components=main

# Debian releases that the parts come from. QEMU's vfio-user-pci device needs QEMU 10.1 or newer,
# which only the backports of the current stable release have.
readonly base_suite=trixie
readonly backports_suite=trixie-backports
readonly old_suite=bookworm

# Modules of a real guest, and modules of a host that assigns a device to a program. Their
# dependencies are resolved.
readonly guest_modules=(nouveau)
readonly host_modules=(vfio_pci vfio_iommu_type1)

say() { printf 'setup: %s\n' "$*" >&2; }

die() {
    printf 'setup: error: %s\n' "$*" >&2
    exit 1
}

# Runs a command with its output in the log. Shows the end of the log if the command fails.
logged() {
    printf '\n$ %s\n' "$*" >>"$log"
    if ! "$@" >>"$log" 2>&1 </dev/null; then
        tail -n 15 "$log" | sed 's/^/  | /' >&2
        die "command failed: $*  (all output: $log)"
    fi
}

# ---------------------------------------------------------------------------------------------
# Parts: folders that are either complete, with a stamp of their sources, or absent. Each is built
# in a temporary folder and renamed.

part_is_current() { # FOLDER STAMP
    [ -z "$refresh" ] && [ -f "$1/stamp" ] && [ "$(<"$1/stamp")" = "$2" ]
}

part_begin() { # FOLDER; the folder to build in is $building
    building=${1%/*}/.building-${1##*/}
    rm -rf "$building"
    mkdir -p "$building"
}

part_complete() { # FOLDER STAMP
    local old=${1%/*}/.old-${1##*/}
    printf '%s\n' "$2" >"$building/stamp"
    rm -rf "$old"
    [ ! -e "$1" ] || mv -T "$1" "$old"
    mv -T "$building" "$1"
    rm -rf "$old"
}

digest() { cat "$@" | sha256sum | cut -c1-16; }

# Makes an archive for Linux's initramfs.
archive() { # FOLDER FILE
    (cd "$1" && find . | "$tools/busybox" cpio -o -H newc -R 0:0) >"$2" 2>>"$log" ||
        die "cpio failed (log: $log)"
}

# ---------------------------------------------------------------------------------------------
# Private apt: separate lists, separate sources, and an empty list of installed packages, so that apt
# resolves a package's whole closure.

# Prints the URI of the first Debian (not: security) archive in the host's apt sources.
host_mirror() {
    apt-get indextargets --no-release-info \
        --format '$(CREATED_BY) $(COMPONENT) $(RELEASE) $(REPO_URI)' |
        awk '$1 == "Packages" && $2 == "main" &&
             $3 ~ /^(bullseye|bookworm|trixie|forky|sid|oldstable|stable|testing|unstable)$/ \
             { print $4; exit }'
}

apt_configure() {
    local mirror keyring signed_by=
    mirror=${GPUVM_DEBIAN_MIRROR:-$(host_mirror)}
    [ -n "$mirror" ] || die "the host's apt sources name no Debian mirror;" \
        "set GPUVM_DEBIAN_MIRROR to the URI of one (and install debian-archive-keyring)"
    keyring=${GPUVM_DEBIAN_KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}
    if [ -f "$keyring" ]; then
        signed_by=" signed-by=$keyring"
    elif [ -n "${GPUVM_DEBIAN_KEYRING:-}" ]; then
        die "GPUVM_DEBIAN_KEYRING: no such file: $keyring"
    fi
    mkdir -p "$apt"/{state/lists/partial,cache/archives/partial,log}
    : >"$apt/status"
    local suite
    for suite in "$base_suite" "$backports_suite" "$old_suite"; do
        printf 'deb [arch=amd64%s] %s %s %s\n' "$signed_by" "$mirror" "$suite" "$apt_components"
    done >"$apt/sources.list"
    # Read after the host's configuration, whose proxies and other settings remain valid.
    cat >"$apt/apt.conf" <<CONF
#clear APT::Update;
#clear APT::Architectures;
#clear DPkg;
Dir::State "$apt/state";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::Log "$apt/log";
APT::Architecture "amd64";
APT::Architectures { "amd64"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::Retries "3";
CONF
}

require_apt() {
    local name
    for name in apt-get dpkg; do
        command -v "$name" >/dev/null || die "$name is not installed; a Debian-like host is needed"
    done
}

# Downloads the package lists, at most once per call of this script and only if a download is
# necessary.
apt_ready() {
    [ -z "${apt_is_ready:-}" ] || return 0
    require_apt
    apt_configure
    say "fetching package lists of $base_suite, $backports_suite and $old_suite"
    logged apt-get -c "$apt/apt.conf" update
    apt_is_ready=yes
}

# Prints the newest package whose name matches a regular expression, or nothing.
newest_package() { # REGEX
    apt-cache -c "$apt/apt.conf" pkgnames | grep -E "^$1\$" | sort -V | tail -n 1 || true
}

# Downloads packages and unpacks them into a folder.
unpack_packages() { # DIR PACKAGE...
    local dir=$1 archive debs=$cache/.building-debs
    shift
    rm -rf "$debs"
    mkdir -p "$debs" "$dir"
    (cd "$debs" && logged apt-get -c "$apt/apt.conf" download "$@")
    for archive in "$debs"/*.deb; do
        logged dpkg -x "$archive" "$dir"
    done
    rm -rf "$debs"
}

# ---------------------------------------------------------------------------------------------
# tools: busybox (for the guest, and here for cpio and unxz) and the DRM headers of Linux

setup_tools() {
    local stamp=1
    tools=$cache/tools
    ! part_is_current "$cache/tools" "$stamp" || return 0
    apt_ready
    say "fetching busybox and the Linux headers"
    part_begin "$cache/tools"
    unpack_packages "$building/packages" busybox-static linux-libc-dev
    cp "$building/packages/usr/bin/busybox" "$building/busybox"
    mkdir "$building/include"
    cp -r "$building/packages/usr/include/drm" "$building/include/drm"
    rm -rf "$building/packages"
    part_complete "$cache/tools" "$stamp"
}

# ---------------------------------------------------------------------------------------------
# qemu: its packages' closure, run with the closure's own dynamic loader

setup_qemu() {
    local stamp=1
    if part_is_current "$cache/qemu" "$stamp"; then
        "$cache/qemu/qemu-system-x86_64" --version >>"$log" 2>&1 ||
            die "QEMU does not start; to download it again, remove $cache/qemu  (log: $log)"
        return 0
    fi
    apt_ready
    say "fetching QEMU (about 40 MB)"
    part_begin "$cache/qemu"
    logged apt-get -c "$apt/apt.conf" --yes --download-only -t "$backports_suite" \
        install qemu-system-x86
    local archive
    for archive in "$apt"/cache/archives/*.deb; do
        logged dpkg -x "$archive" "$building/root"
    done
    rm -rf "$building"/root/{etc,var,usr/share/{doc,man,locale,bash-completion}}
    cat >"$building/qemu-system-x86_64" <<'WRAPPER'
#!/bin/sh
root=$(dirname "$(readlink -f "$0")")/root
libraries=$root/usr/lib/x86_64-linux-gnu
QEMU_MODULE_DIR=$libraries/qemu
export QEMU_MODULE_DIR
exec "$root/usr/lib64/ld-linux-x86-64.so.2" --argv0 qemu-system-x86_64 \
    --library-path "$libraries" "$root/usr/bin/qemu-system-x86_64" \
    -L "$root/usr/share/qemu" -L "$root/usr/share/seabios" "$@"
WRAPPER
    chmod +x "$building/qemu-system-x86_64"
    "$building/qemu-system-x86_64" -device help 2>>"$log" | grep -q '"vfio-user-pci"' ||
        die "this QEMU does not start, or has no vfio-user-pci device (log: $log)"
    logged apt-get -c "$apt/apt.conf" clean
    part_complete "$cache/qemu" "$stamp"
}

# ---------------------------------------------------------------------------------------------
# kernel-VERSION: vmlinuz; modules and host-modules, each with their load order

# Prints the packages of a kernel version; several if Debian splits image and modules, none if the
# mirror lacks the kernel.
kernel_packages() { # VERSION
    local version=${1//./\\.} image
    image=$(newest_package "linux-image-$version\\.[0-9.+deb-]*-amd64-unsigned")
    if [ -n "$image" ]; then
        printf '%s\n' "$image"
        return
    fi
    image=$(newest_package "linux-binary-$version\\.[0-9.+deb-]*-amd64")
    [ -z "$image" ] || printf '%s\n' "$image" "${image/binary/modules}"
}

module_text() { # FILE; an uncompressed module on standard output
    case $1 in
    *.ko) cat "$1" ;;
    *.ko.xz) "$tools/busybox" unxz -c "$1" ;;
    *.ko.gz) "$tools/busybox" gunzip -c "$1" ;;
    *.ko.zst) zstd -dc "$1" ;;
    esac
}

# Copies a module after its dependencies, and appends its name to the load order. A module's name is
# that of its file with '-' for '_'. No 'depends' entry names a built-in module.
copy_module() { # NAME
    local name=$1 dependency
    [ -z "${copied[$name]:-}" ] || return 0
    copied[$name]=yes
    [ -n "${module_file[$name]:-}" ] || die "this kernel has no module '$name' (in $modules_dir)"
    module_text "${module_file[$name]}" >"$target/$name.ko"
    for dependency in $(tr '\0' '\n' <"$target/$name.ko" |
        sed -n 's/^depends=//p' | tr ',-' ' _'); do
        copy_module "$dependency"
    done
    printf '%s\n' "$name" >>"$target/load-order"
}

# Copies modules and all their dependencies into a folder, with the load order.
copy_modules() { # DIR FOLDER NAME...
    local modules_dir=$1 target=$2 file name
    shift 2
    local -A module_file=() copied=()
    while IFS= read -r file; do
        name=${file##*/}
        name=${name%%.ko*}
        module_file[${name//-/_}]=$file
    done < <(find "$modules_dir/" -name '*.ko' -o -name '*.ko.xz' -o -name '*.ko.gz' -o \
        -name '*.ko.zst')
    mkdir "$target"
    for name in "$@"; do
        copy_module "$name"
    done
}

setup_debian_kernel() { # VERSION
    local version=$1 stamp="1 ${guest_modules[*]} ${host_modules[*]}" packages tree modules_dir
    ! part_is_current "$cache/kernel-$version" "$stamp" || return 0
    apt_ready
    mapfile -t packages < <(kernel_packages "$version")
    if [ "${#packages[@]}" -eq 0 ]; then
        [ -n "$kernels_may_miss" ] || die "the mirror has no kernel $version"
        say "WARNING: the mirror has no kernel $version, continuing without it"
        return 0
    fi
    say "fetching kernel $version: ${packages[*]} (about 100 MB)"
    part_begin "$cache/kernel-$version"
    tree=$cache/.building-tree
    rm -rf "$tree"
    unpack_packages "$tree" "${packages[@]}"
    cp "$(find "$tree" -name 'vmlinuz*' -type f | head -n 1)" "$building/vmlinuz"
    # Bookworm has modules in /lib, later releases in /usr/lib.
    modules_dir=$(find "$tree" -type d -path '*/lib/modules')
    copy_modules "$modules_dir" "$building/modules" "${guest_modules[@]}"
    copy_modules "$modules_dir" "$building/host-modules" "${host_modules[@]}"
    rm -rf "$tree"
    part_complete "$cache/kernel-$version" "$stamp"
}

# ---------------------------------------------------------------------------------------------
# mesa: image.cpio, Debian's Mesa with its libraries and loader, each at the path where programs
# search for it; and sysroot for the compilation and linking of programs

readonly mesa_packages=(libegl1 libegl-mesa0 libgles2 libgbm1 mesa-libgallium)
# Headers, and the linker's files of the C library, which must not be newer than those of the guest.
readonly mesa_development=(libegl-dev libgles-dev libgl-dev libc6-dev linux-libc-dev)
# Libraries: EGL, GLES, and the library that EGL loads because of its vendor's file.
readonly mesa_libraries=(libEGL.so.1 libGLESv2.so.2 libEGL_mesa.so.0)
readonly sysroot_libraries=(libEGL.so.1 libGLESv2.so.2 libGLdispatch.so.0 libc.so.6 libm.so.6 libmvec.so.1)
readonly library_folder=usr/lib/x86_64-linux-gnu

setup_mesa() {
    local stamp=1 archive
    ! part_is_current "$cache/mesa" "$stamp" || return 0
    apt_ready
    say "fetching Mesa (about 60 MB)"
    part_begin "$cache/mesa"
    logged apt-get -c "$apt/apt.conf" --yes --download-only install "${mesa_packages[@]}"
    for archive in "$apt"/cache/archives/*.deb; do
        logged dpkg -x "$archive" "$building/packages"
    done
    logged apt-get -c "$apt/apt.conf" clean
    unpack_packages "$building/packages" "${mesa_development[@]}"
    copy_mesa_image "$building/packages" "$building/image"
    archive "$building/image" "$building/image.cpio"
    copy_mesa_sysroot "$building/packages" "$building/sysroot"
    rm -rf "$building/packages" "$building/image"
    part_complete "$cache/mesa" "$stamp"
}

# Copies the libraries and all their dependencies, as the dynamic loader resolves them.
copy_mesa_image() { # PACKAGES FOLDER
    local libraries=$1/$library_folder loader=usr/lib64/ld-linux-x86-64.so.2 name needed
    mkdir -p "$2/$library_folder" "$2/usr/lib64" "$2/usr/share"
    ln -s usr/lib64 "$2/lib64"
    cp "$1/$loader" "$2/$loader"
    cp -r "$1/usr/share/glvnd" "$2/usr/share/glvnd"
    for name in "${mesa_libraries[@]}"; do
        needed=$("$1/$loader" --library-path "$libraries" --list "$libraries/$name" 2>>"$log") ||
            die "$name does not load (log: $log)"
        cp -L -u "$libraries/$name" \
            $(awk -v from="$libraries/" 'index($3, from) == 1 { print $3 }' <<<"$needed") \
            "$2/$library_folder"
    done
}

copy_mesa_sysroot() { # PACKAGES FOLDER
    mkdir -p "$2/$library_folder" "$2/usr/lib64"
    ln -s usr/lib "$2/lib"
    ln -s usr/lib64 "$2/lib64"
    # Some of the headers are links to other folders.
    cp -rL "$1/usr/include" "$2/usr/include"
    cp -L "$1/usr/lib64/ld-linux-x86-64.so.2" "$2/usr/lib64"
    cp -d "$1/$library_folder"/{*crt*.o,libc.so,libm.so,libmvec.so,libEGL.so,libGLESv2.so} \
        "$1/$library_folder/libc_nonshared.a" "$2/$library_folder"
    (cd "$1/$library_folder" && cp -L "${sysroot_libraries[@]}" "$2/$library_folder")
}

# mesa-programs: every programs/mesa/*.c becomes an executable that loads EGL and GLES

setup_mesa_programs() {
    local stamp source sysroot=$cache/mesa/sysroot
    stamp=$(digest "$real_guest"/programs/mesa/*.c "$real_guest"/programs/mesa/lib/* \
        "$real_guest"/programs/lib/report.* "$cache/mesa/stamp")
    ! part_is_current "$built/mesa-programs" "$stamp" || return 0
    say "compiling the guest's programs for Mesa"
    # Both options specify the folders, because gcc searches its own before those of another sysroot.
    part_begin "$built/mesa-programs"
    for source in "$real_guest"/programs/mesa/*.c; do
        logged gcc -std=gnu17 -O2 -Wall -Wextra -Werror -fwrapv -ffp-contract=off -DEGL_NO_X11 \
            --sysroot="$sysroot" -B"$sysroot/$library_folder/" -L"$sysroot/$library_folder" \
            -I "$real_guest/programs/lib" \
            -I "$real_guest/programs/mesa/lib" -o "$building/$(basename "$source" .c)" "$source" \
            "$real_guest"/programs/mesa/lib/*.c "$real_guest/programs/lib/report.c" \
            -lEGL -lGLESv2 -lm
    done
    part_complete "$built/mesa-programs" "$stamp"
}

# ---------------------------------------------------------------------------------------------
# java, guest-java: Java runtimes of virtual hosts and of guests, each with the host's C library

# Modules of the JDK that gpuvm and the libraries of its tests need. Logging reads XML and looks up
# names; the libraries need the other modules.
readonly host_jdk_modules=java.base,java.compiler,java.logging,java.management,java.naming,java.xml,jdk.unsupported
# Modules that 'gpuvm run' needs. A guest starts sooner with a small image.
readonly guest_jdk_modules=java.base,java.logging,jdk.unsupported

# Prints the libraries that the runtime's own libraries need, and the dynamic loader, one path per
# line as the loader searches for them. The libraries of gpuvm's dependencies need no further ones.
native_libraries() { # FOLDER
    find "$1" -name '*.so' -exec ldd {} + |
        awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\/.*ld-linux/ { print $1 }' |
        grep -v "^$1" | sort -u
}

setup_java() { # PART MODULES JLINK_OPTION...
    local part=$1 modules=$2 stamp library
    shift 2
    jdk=$("$real_guest/../../gpuvm" jdk)
    [ -x "$jdk/bin/jlink" ] || die "this JDK has no jlink: $jdk"
    stamp="1 $modules $(digest "$jdk/release" /lib64/ld-linux-x86-64.so.2)"
    ! part_is_current "$cache/$part" "$stamp" || return 0
    say "creating a Java runtime from $jdk"
    part_begin "$cache/$part"
    logged "$jdk/bin/jlink" --add-modules "$modules" --strip-debug --no-header-files \
        --no-man-pages "$@" --output "$building/root/opt/java"
    # Archive for heaps too large for compressed references.
    rm -rf "$building"/root/opt/java/{legal,lib/server/classes_nocoops.jsa}
    native_libraries "$building/root/opt/java" >"$building/libraries"
    while IFS= read -r library; do
        mkdir -p "$building/root${library%/*}"
        cp -L "$library" "$building/root$library"
    done <"$building/libraries"
    part_complete "$cache/$part" "$stamp"
}

setup_host_java() { setup_java java "$host_jdk_modules" --generate-cds-archive; }

# The guest's JVM loads nearly all classes from its own archive: setup_workload.
setup_guest_java() { setup_java guest-java "$guest_jdk_modules" --compress zip-9; }

# ---------------------------------------------------------------------------------------------
# workload: image.cpio, the Java runtime with this build's classes and the program that starts them

# Folder of the guest with classes, native libraries and the JVM's options.
readonly guest_gpuvm=/opt/gpuvm

# Copies the entries of a class path to a folder; folders of classes become jars. Prints the class
# path of the copies, as paths in the guest.
copy_classes() { # PATH FOLDER
    local entry name path='' entries
    IFS=: read -ra entries <<<"$1"
    for entry in "${entries[@]}"; do
        name=${entry##*/}
        if [ -d "$entry" ]; then
            name=classes-$(printf '%s' "$entry" | digest).jar
            logged "$jdk/bin/jar" --create --no-compress --no-manifest --file "$2/$name" -C "$entry" .
        else
            cp "$entry" "$2/$name"
        fi
        path+=${path:+:}$guest_gpuvm/lib/$name
    done
    printf '%s' "$path"
}

# Prints the JVM's options in the guest, one per line: those of the files that the launcher reads.
# The guest needs no access.options, which only recorders need, and which would disable a part of the
# archive of classes.
guest_java_options() {
    local options=$real_guest/../../etc/jvm
    grep -h '^--' "$options/every.options"
    grep -h '^-' "$options"/{kernels,brief}.options
    # No message about the absent logger.
    printf '%s\n' -Dslf4j.internal.verbosity=ERROR
}

# Prints the classes that 'gpuvm run' loads in a guest: those that it loads on the software GPU,
# without the software GPU and the command-line library; those of the guest's entry point, which
# fails at a device that is not nouveau's; and those of the transports that only guests use.
guest_classes() { # FOLDER_OF_JARS JAVA_OPTION...
    local folder=$1 java=$cache/guest-java/root/opt/java/bin/java jar
    shift
    logged "$java" "$@" -XX:DumpLoadedClassList="$building/classes" \
        io.gpuvm.cli.Main run all --size 16 --gpu soft,vram=64M
    "$java" "$@" -XX:DumpLoadedClassList="$building/entry-classes" \
        io.gpuvm.cli.GuestRun nop --nouveau=/dev/null >>"$log" 2>&1 ||
        [ -s "$building/entry-classes" ] || die "GuestRun does not start (log: $log)"
    # Numbers of classes differ between the runs, and only classes of other loaders need them.
    cat "$building"/{entry-classes,classes} |
        grep -v -e io/gpuvm/softgpu/ -e io/gpuvm/daemon/ -e io/gpuvm/pv/bare/ -e picocli/ |
        sed '/ source: /!s/ id: [0-9]*$//' | awk '!seen[$0]++'
    for jar in "$folder"/*.jar; do
        "$jdk/bin/jar" --list --file "$jar" | sed -n 's,^\(io/gpuvm/pv/\(nouveau\|remote\)/.*\)\.class$,\1,p'
    done
}

# Creates an archive of the classes that the guest's JVM then need not parse and verify. The guest has
# the same Java runtime and jars, at other paths.
archive_classes() { # FOLDER_OF_JARS CLASSPATH FILE
    local options
    mapfile -t options < <(guest_java_options)
    options+=(-cp "${2//$guest_gpuvm\/lib/$1}")
    guest_classes "$1" "${options[@]}" >"$building/guest-classes"
    logged "$cache/guest-java/root/opt/java/bin/java" "${options[@]}" -Xshare:dump \
        -XX:SharedClassListFile="$building/guest-classes" -XX:SharedArchiveFile="$3"
}

setup_workload() { # CLASSPATH
    local stamp root class_path entries
    IFS=: read -ra entries <<<"$1"
    stamp=$(digest "$cache/guest-java/stamp" "$real_guest/parts.sh" "$real_guest"/guest/workload* \
        "$real_guest"/../../etc/jvm/*.options <(find "${entries[@]}" -type f -print0 | sort -z |
            xargs -0 sha256sum))
    ! part_is_current "$built/workload" "$stamp" || return 0
    say "archiving gpuvm's classes for guests"
    part_begin "$built/workload"
    root=$building/root
    cp -r "$cache/guest-java/root" "$root"
    mkdir -p "$root$guest_gpuvm/lib" "$root/programs"
    cp "$real_guest"/guest/workload* "$root/programs/"
    class_path=$(copy_classes "$1" "$root$guest_gpuvm/lib")
    archive_classes "$root$guest_gpuvm/lib" "$class_path" "$root$guest_gpuvm/classes.jsa"
    {
        guest_java_options
        printf '%s\n' "-XX:SharedArchiveFile=$guest_gpuvm/classes.jsa" -cp "$class_path"
    } >"$root$guest_gpuvm/java.options"
    cp "$root$guest_gpuvm/java.options" "$building/java.options"
    archive "$root" "$building/image.cpio"
    rm -rf "$root"
    part_complete "$built/workload" "$stamp"
}

# suite: image.cpio, the runtime's tests and the program that starts them, in addition to the image of
# the workload

setup_suite() { # CLASSPATH
    local stamp root class_path entries
    IFS=: read -ra entries <<<"$1"
    stamp=$(digest "$built/workload/stamp" "$real_guest/parts.sh" "$real_guest/guest/suite" \
        <(find "${entries[@]}" -type f -print0 | sort -z | xargs -0 sha256sum))
    ! part_is_current "$built/suite" "$stamp" || return 0
    say "archiving the runtime's tests for guests"
    part_begin "$built/suite"
    root=$building/root
    mkdir -p "$root$guest_gpuvm/lib" "$root/programs"
    cp "$real_guest/guest/suite" "$root/programs/suite"
    class_path=$(copy_classes "$1" "$root$guest_gpuvm/lib")
    # The last line of the options is the class path. The archive of classes is valid for each class
    # path that begins with it.
    sed "\$s,\$,:$class_path," "$built/workload/java.options" >"$root$guest_gpuvm/suite.options"
    archive "$root" "$building/image.cpio"
    rm -rf "$root"
    part_complete "$built/suite" "$stamp"
}

# ---------------------------------------------------------------------------------------------
# cuda: image.cpio, the CUDA driver library of this build, programs in C and with JCuda that
# tests/cuda-clients/setup has built, the Java runtime, and the program that starts them

# Folder of the guest with the programs and their modules.
readonly guest_cuda=/opt/cuda
readonly cuda_programs=(vectoradd workloads spin timed)
readonly cuda_jcuda=jcuda-12.6.0
# User that runs the programs, and the group that the udev rule permits to use the backend's function.
readonly cuda_user=guest:1000 cuda_group=render:106
readonly cuda_rule=$real_guest/../../etc/udev/70-gpuvm.rules

setup_cuda() { # FOLDER_OF_LIBRARY
    local stamp root clients=$real_guest/../../target/cuda-clients
    [ -f "$1/libcuda.so.1" ] || die "$1 has no libcuda.so.1"
    [ -f "$clients/c/stamp" ] && [ -f "$clients/$cuda_jcuda/stamp" ] ||
        die "programs are missing in $clients; run tests/cuda-clients/setup c $cuda_jcuda"
    stamp=$(digest "$cache/guest-java/stamp" "$real_guest/parts.sh" "$real_guest/guest/cuda" \
        "$cuda_rule" "$1/libcuda.so.1" "$clients/c/stamp" "$clients/$cuda_jcuda/stamp" "$clients"/kernels/*.cubin)
    ! part_is_current "$built/cuda" "$stamp" || return 0
    say "archiving CUDA programs for guests"
    part_begin "$built/cuda"
    root=$building/root
    cp -r "$cache/guest-java/root" "$root"
    mkdir -p "$root/programs" "$root$guest_cuda/jcuda" "$root/etc/udev/rules.d"
    cp "$real_guest/guest/cuda" "$root/programs/"
    cp "$cuda_rule" "$root/etc/udev/rules.d/"
    cp "${cuda_programs[@]/#/$clients/c/}" "$root$guest_cuda"
    cp -r "$clients/kernels" "$root$guest_cuda/kernels"
    cp -L "$clients/$cuda_jcuda"/*.jar "$root$guest_cuda/jcuda"
    copy_cuda_libraries "$1" "$root"
    write_cuda_users "$root"
    write_cuda_java_options "$root"
    # An archive of the JDK's classes, which the JVM then need not parse and verify.
    logged "$root/opt/java/bin/java" -XX:+UseSerialGC -Xshare:dump
    chmod -R a+rX "$root"
    archive "$root" "$building/image.cpio"
    rm -rf "$root"
    part_complete "$built/cuda" "$stamp"
}

# Copies the driver library to the folder of the C library, where programs find it, and the libraries
# that the programs and JCuda's native library need.
copy_cuda_libraries() { # FOLDER_OF_LIBRARY ROOT
    local library libc
    libc=$(find "$2" -name libc.so.6 -printf '%h\n')
    cp -d "$1"/libcuda.so{,.1} "$libc"
    mkdir "$building/natives"
    (cd "$building/natives" && logged "$jdk/bin/jar" --extract \
        --file "$clients/$cuda_jcuda/jcuda-natives-${cuda_jcuda#*-}-linux-x86_64.jar")
    { native_libraries "$building/natives"; program_libraries "$2$guest_cuda"; } | sort -u >"$building/libraries"
    while IFS= read -r library; do
        mkdir -p "$2${library%/*}"
        cp -L "$library" "$2$library"
    done <"$building/libraries"
    rm -rf "$building/natives"
}

# Prints the libraries that executables in a folder need, like native_libraries.
program_libraries() { # FOLDER
    find "$1" -maxdepth 1 -type f -exec ldd {} + | awk '$2 == "=>" && $3 ~ /^\// { print $3 }'
}

write_cuda_users() { # ROOT
    printf 'root:x:0:0::/:/bin/sh\n%s:x:%s:%s::/tmp:/bin/sh\n' \
        "${cuda_user%:*}" "${cuda_user#*:}" "${cuda_user#*:}" >"$1/etc/passwd"
    printf 'root:x:0:\n%s:x:%s:\n%s:x:%s:%s\n' "${cuda_user%:*}" "${cuda_user#*:}" \
        "${cuda_group%:*}" "${cuda_group#*:}" "${cuda_user%:*}" >"$1/etc/group"
}

# Writes the options of the JVM, one per line. JCuda loads native code, and reads pointers of buffers
# by sun.misc.Unsafe.
write_cuda_java_options() { # ROOT
    {
        grep -h '^-' "$real_guest"/../../etc/jvm/{kernels,brief}.options
        printf '%s\n' --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
            -cp "$guest_cuda/jcuda/*"
    } >"$1$guest_cuda/java.options"
}

# ---------------------------------------------------------------------------------------------
# programs: every programs/*.c becomes a static executable, with programs/lib/*.c linked in

setup_programs() {
    local stamp source
    stamp=$(digest "$real_guest"/programs/*.c "$real_guest"/programs/lib/*)
    ! part_is_current "$built/programs" "$stamp" || return 0
    command -v gcc >/dev/null || die "gcc is not installed; on Debian: apt-get install gcc libc6-dev"
    say "compiling the guest's programs"
    part_begin "$built/programs"
    for source in "$real_guest"/programs/*.c; do
        logged gcc -std=gnu17 -O2 -static -Wall -Wextra -Werror -isystem "$tools/include" \
            -I "$real_guest/programs/lib" -o "$building/$(basename "$source" .c)" \
            "$source" "$real_guest"/programs/lib/*.c
    done
    part_complete "$built/programs" "$stamp"
}

# ---------------------------------------------------------------------------------------------

# Waits until no other setup runs, and removes unfinished parts of an interrupted setup.
enter_cache() {
    local name
    [ "$(uname -m)" = x86_64 ] || die "host=$(uname -m), expected=x86_64"
    for name in flock sha256sum; do
        command -v "$name" >/dev/null || die "$name is not installed"
    done
    mkdir -p "$cache" "$built"
    exec 9>"$cache/lock"
    if ! flock -n 9; then
        say "waiting for another setup to finish"
        flock 9
    fi
    rm -rf {"$cache","$built"}/.building-* {"$cache","$built"}/.old-*
    trap 'rm -rf {"$cache","$built"}/.building-*' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    : >"$log"
}
