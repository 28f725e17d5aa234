#!/usr/bin/env bash
# Runs an S3 server for tests on loopback: a Ceph cluster with one monitor, one OSD that keeps its data in memory or in a
# file, and the RADOS gateway. Any user can run it.
#   s3-server.sh start FOLDER    starts the server and prints its URL
#   s3-server.sh stop FOLDER     stops it
# Environment: S3_PORT (7480), MONITOR_PORT (16789), S3_ACCESS_KEY, S3_SECRET_KEY, S3_MIN_PART_BYTES (5 MiB, as in AWS)
#   S3_DISK_BYTES, such as 20G: keep the data in a file of this size in FOLDER; by default, in up to 6 GiB of memory
# scripts/install-test-tools.sh installs the packages.
set -euo pipefail
action=${1:?start or stop}
folder=$(realpath -m "${2:?a folder}")
port=${S3_PORT:-7480}
monitor_port=${MONITOR_PORT:-16789}
export CEPH_CONF=$folder/ceph.conf

stop() {
  # The data is not used again, so nothing has to be written.
  for name in osd.0 client.rgw mon.a; do
    if [[ -f $folder/run/$name.pid ]]; then kill -9 "$(cat "$folder/run/$name.pid")" 2>/dev/null || true; fi
  done
}

# A client that connects to a monitor that has just started can be rejected, because neither knows the other's cluster.
retry() {
  for _ in $(seq 20); do
    "$@" >"$folder/log/command" 2>&1 && return
    sleep 0.3
  done
  echo "$* failed:" >&2
  cat "$folder/log/command" >&2
  return 1
}

start() {
  mkdir -p "$folder"/{mon,osd,run,log}
  local cluster osd
  cluster=$(cat /proc/sys/kernel/random/uuid)
  osd=$(cat /proc/sys/kernel/random/uuid)
  cat > "$CEPH_CONF" <<CONF
[global]
fsid = $cluster
mon host = v1:127.0.0.1:$monitor_port
mon initial members = a
ms bind ipv4 = true
ms bind msgr2 = false
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
mon data avail crit = 1
mon data avail warn = 2
run dir = $folder/run
log file = $folder/log/\$name.log
pid file = $folder/run/\$name.pid
admin socket = $folder/run/\$name.asok
crash dir = $folder/log
keyring = $folder/keyring
mon data = $folder/mon
osd data = $folder/osd
osd objectstore = $([[ -z ${S3_DISK_BYTES:-} ]] && echo memstore || echo bluestore)
memstore device bytes = 6G
bluestore block size = ${S3_DISK_BYTES:-6G}
osd memory target = 1G
rgw frontends = beast endpoint=127.0.0.1:$port
rgw data = $folder/rgw
rgw thread pool size = 32
rgw enable apis = s3, admin
rgw dns name = localhost
rgw multipart min part size = ${S3_MIN_PART_BYTES:-5242880}
[client.rgw]
CONF
  : > "$folder/keyring"
  monmaptool --create --clobber --fsid "$cluster" --addv a "[v1:127.0.0.1:$monitor_port]" "$folder/monmap" >/dev/null
  ceph-mon --mkfs -i a --monmap "$folder/monmap"
  ceph-mon -i a
  retry ceph osd new "$osd"
  ceph-osd -i 0 --mkfs --osd-uuid "$osd" >/dev/null 2>&1
  retry ceph-osd -i 0
  retry radosgw -n client.rgw
  retry radosgw-admin user create --uid=test --display-name=test --access-key="${S3_ACCESS_KEY:-test}" \
    --secret="${S3_SECRET_KEY:-test-secret}"
  for _ in $(seq 300); do
    if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      echo "http://127.0.0.1:$port"
      return
    fi
    sleep 0.1
  done
  echo "The RADOS gateway did not start; see $folder/log." >&2
  return 1
}

"$action"
