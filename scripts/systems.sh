# shellcheck shell=bash
# Sourced by scripts/try-package, try-archive and try-fresh, behind steps.sh and with the script's own arguments, as it may begin the script anew.
# Other Debians in $work, each with nothing but the base system.

[ "$(id -u)" -eq 0 ] || die "only root may install a system" "Call it again as root."
command -v debootstrap >/dev/null || die "debootstrap is missing" "apt-get install debootstrap"
# What is mounted below goes when this process does.
[ -n "${LOCUS_OWN_MOUNTS-}" ] || LOCUS_OWN_MOUNTS=1 exec unshare --mount --propagation private "$0" "$@"

release=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
keep=no
work=$(mktemp -d)
finish() {
  local status=$?
  umount "$work"/*/{dev/pts,dev/shm,sys,proc} 2>/dev/null || true
  if [ "$keep" = yes ]; then
    echo "The systems are in $work"
  else
    rm -rf --one-file-system "$work"
  fi
  [ "$status" -eq 0 ] || echo "${0##*/}: failed" >&2
}
trap finish EXIT

# make_base SUITE: $work/base, with the lines of this machine's apt sources that are Debian's, for that suite. (sid has no
# updates.)
make_base() {
  local mirror sources
  mapfile -t sources < <(apt-get indextargets --format "deb \$(SITE) \$(RELEASE) \$(COMPONENT)" 'Created-By: Packages' 'Origin: Debian' | sort -u)
  mirror=$(printf '%s\n' "${sources[@]}" | awk -v line="$release main" '$3 " " $4 == line { print $2; exit }')
  [ -n "$mirror" ] || die "apt knows no mirror of Debian's $release" "apt-get update, or mend /etc/apt/sources.list."
  debootstrap --variant=minbase "$1" "$work/base" "$mirror" || die "there is no Debian '$1' in $mirror, or it cannot be installed"
  printf '%s\n' "${sources[@]}" | sed "s/ $release\\b/ $1/; / sid-/d" >"$work/base/etc/apt/sources.list"
}

# system NAME: another copy of the base, in $work/NAME, with a user.
system() {
  local dir=$work/$1
  cp -a "$work/base" "$dir"
  mount -t proc proc "$dir/proc"
  mount --bind --read-only /sys "$dir/sys"
  mount -t tmpfs shm "$dir/dev/shm"
  mkdir -p "$dir/dev/pts"
  mount -t devpts -o newinstance,ptmxmode=666 pts "$dir/dev/pts"
  chroot "$dir" useradd --create-home someone
  chroot "$dir" apt-get -q update
}

install_in() {
  local dir=$work/$1
  shift
  chroot "$dir" env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "$@"
}
