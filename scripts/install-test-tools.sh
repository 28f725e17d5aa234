#!/usr/bin/env bash
# Installs the programs that tests run and npm does not provide, on Debian and Ubuntu. Tests that require a missing
# program are skipped and report why.
set -euo pipefail
"$(dirname "$0")/install-bundletool.sh" || echo 'bundletool could not be installed.'

missing=()
for program in lintian nginx caddy chromium minisign openssl pgbouncer ruby shellcheck unzip zip; do
  command -v "$program" >/dev/null || missing+=("$program")
done

# Programs that read or build application packages. Tests compare their results with those of the inspection.
declare -A packages=(
  [7z]=p7zip-full [aapt2]=aapt [apksigner]=apksigner [bsdtar]=libarchive-tools [clang]=clang
  [exiftool]=libimage-exiftool-perl [flatpak]=flatpak [ld.lld]=lld [llvm-readobj]=llvm [mksquashfs]=squashfs-tools
  [msiinfo]=msitools [osslsigncode]=osslsigncode [plistutil]=libplist-utils [pngtopnm]=netpbm [readelf]=binutils [rpmbuild]=rpm [wixl]=wixl
  [xmllint]=libxml2-utils [xorriso]=xorriso [zsync]=zsync
)
for program in "${!packages[@]}"; do
  command -v "$program" >/dev/null || missing+=("${packages[$program]}")
done
# Package managers that install from the repositories of channels. zypper verifies signatures with gpg2, and fdroidserver
# with the jarsigner of a JDK.
command -v pacman >/dev/null || missing+=(pacman-package-manager)
[ -e /usr/share/makepkg/util/parseopts.sh ] || missing+=(makepkg)
command -v dnf >/dev/null || missing+=(dnf)
command -v zypper >/dev/null || missing+=(zypper)
command -v gpg2 >/dev/null || missing+=(gnupg2)
command -v fdroid >/dev/null || missing+=(fdroidserver)
command -v jarsigner >/dev/null || missing+=(default-jdk-headless)
command -v promtool >/dev/null || missing+=(prometheus)
# The PostgreSQL server of the system, with pg_basebackup, which creates replicas.
compgen -G '/usr/lib/postgresql/*/bin/pg_basebackup' >/dev/null || missing+=(postgresql)
# Ceph, which provides an S3 server.
for package in ceph-mon ceph-osd radosgw; do
  command -v "$package" >/dev/null || missing+=("$package")
done
command -v radosgw-admin >/dev/null && command -v ceph >/dev/null || missing+=(ceph-common)

# Go and the functions of Helm charts, which render the chart where Helm is not installed.
command -v go >/dev/null || missing+=(golang-go)
[ -e /usr/share/gocode/src/github.com/Masterminds/sprig ] || missing+=(golang-github-masterminds-sprig-dev)
[ -e /usr/share/gocode/src/github.com/ghodss/yaml ] || missing+=(golang-github-ghodss-yaml-dev)
# The message bus of systemd, with which systemd-run waits for commands.
command -v dbus-daemon >/dev/null || missing+=(dbus)

# Wheels of Python packages.
compgen -G '/usr/share/python-wheels/*.whl' >/dev/null || missing+=(python3-pip-whl python3-setuptools-whl)

# The resources of Android itself, to which applications refer.
[ -e /usr/share/android-framework-res/framework-res.apk ] || missing+=(android-framework-res)

# osslsigncode signs app packages since version 2.6. Debian 12 has an older one; its backports have a newer one.
signs_app_packages() {
  local version
  version=$(osslsigncode --version 2>/dev/null | sed -n 's/^osslsigncode \([0-9.]*\).*/\1/p')
  dpkg --compare-versions "${version:-0}" ge 2.6
}
codename=$(. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-}")
needs_backport() { [ "$codename" = bookworm ] && ! signs_app_packages; }

# Chromium without the parts that show windows. Debian has it; browser tests take a fraction of the CPU time with it.
needs_headless_shell() { command -v apt-get >/dev/null && ! command -v chromium-headless-shell >/dev/null; }

if [ ${#missing[@]} -eq 0 ] && ! needs_backport && ! needs_headless_shell; then exit 0; fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo -n); fi
if ! command -v apt-get >/dev/null; then
  echo "Install ${missing[*]} with the package manager of this system." >&2
  exit 1
fi

# These options make apt-get give up quickly if there is no network.
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq
  -o Acquire::Retries=1 -o Acquire::http::Timeout=15 -o Acquire::https::Timeout=15)
"${apt[@]}" update
[ ${#missing[@]} -eq 0 ] || "${apt[@]}" install -y --no-install-recommends "${missing[@]}"
if needs_headless_shell; then
  "${apt[@]}" install -y --no-install-recommends chromium-headless-shell || echo 'Browser tests use the whole Chromium.'
fi
if needs_backport; then
  # Neither the sources of the system nor its lists of packages change.
  folder=$(mktemp -d)
  echo 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm-backports main' >"$folder/sources"
  mkdir -p "$folder/lists/partial"
  backports=("${apt[@]}" -o "Dir::Etc::sourcelist=$folder/sources" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$folder/lists")
  { "${backports[@]}" update && "${backports[@]}" install -y --no-install-recommends osslsigncode; } ||
    echo 'osslsigncode 2.6 could not be installed; the tests of signed app packages are skipped.'
  rm -rf "$folder"
fi

# These packages each start a service. The tests start their own.
if [ -d /run/systemd/system ]; then
  for program in "${missing[@]}"; do
    case "$program" in nginx | caddy | pgbouncer | postgresql | prometheus) "${as_root[@]}" systemctl disable --now "$program" ;; esac
  done
fi
