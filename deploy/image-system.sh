#!/bin/sh
# Usage: image-system.sh <folder> [architecture]
#
# Extracts what Node, PostgreSQL and a person in a shell need from packages of Debian into a new folder, which becomes the
# root folder of the image. Without a package manager and its dependencies, it has 10 MB.
set -eu
system=$1
architecture=${2:-$(dpkg --print-architecture)}

packages='base-files busybox-static dash libc6 libgcc-s1 libstdc++6 tini'
# Of large packages, only these programs: the server starts its processes with them.
programs='coreutils:usr/bin/env util-linux:usr/bin/flock util-linux:usr/bin/unshare'

# Extracts a package to $system. The arguments after its name select files.
extract() {
  archive=$(echo "$downloads/$1"_*.deb)
  shift
  # Debian links /bin and /lib to /usr, but some packages contain them as folders.
  dpkg-deb --fsys-tarfile "$archive" | tar --extract --keep-directory-symlink --directory "$system" "$@"
}

dpkg --add-architecture "$architecture"
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends busybox-static
downloads=$(mktemp -d)
cd "$downloads"
for package in $packages coreutils util-linux; do apt-get download "$package:$architecture"; done

mkdir -p "$system"
for folder in bin lib lib64 sbin; do
  mkdir -p "$system/usr/$folder"
  ln -s "usr/$folder" "$system/$folder"
done
for package in $packages; do extract "$package" --exclude='./usr/share/man*' --exclude='./usr/share/locale*' --exclude='*/gconv*'; done
for program in $programs; do extract "${program%%:*}" "./${program#*:}" "./usr/share/doc/${program%%:*}/copyright"; done

ln -sf dash "$system/usr/bin/sh"
for command in $(busybox --list); do
  if [ ! -e "$system/usr/bin/$command" ] && [ ! -e "$system/usr/sbin/$command" ]; then
    ln -s busybox "$system/usr/bin/$command"
  fi
done
# Scanners for vulnerabilities read the versions of the packages here.
mkdir -p "$system/var/lib/dpkg/status.d"
for archive in *.deb; do dpkg-deb --field "$archive" > "$system/var/lib/dpkg/status.d/${archive%%_*}"; done

# PostgreSQL requires a user with a name.
cat > "$system/etc/passwd" <<'END'
root:x:0:0:root:/root:/bin/sh
quayside:x:10001:10001:Quayside:/data:/usr/sbin/nologin
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
END
printf 'root:x:0:\nquayside:x:10001:\nnogroup:x:65534:\n' > "$system/etc/group"
printf 'hosts: files dns\n' > "$system/etc/nsswitch.conf"
mkdir -p "$system/data" "$system/backup" "$system/tmp" "$system/root"
chown 10001:10001 "$system/data" "$system/backup"
chmod 700 "$system/data" "$system/backup" "$system/root"
chmod 1777 "$system/tmp"
