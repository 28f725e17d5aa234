import { execFile, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { repository } from './npm-start.ts'
import { descendantsOf } from './processes.ts'
import { until } from './until.ts'

const systemd = '/lib/systemd/systemd'
const namespaces = ['--mount', '--pid', '--net', '--uts', '--ipc', '--cgroup']
const environment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
}

export type VirtualMachine = Awaited<ReturnType<typeof startVirtualMachine>>

/** Returns the reason why `startVirtualMachine` cannot run here, or undefined if it can. */
export function whyNoVirtualMachine(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux'
  if (process.getuid?.() !== 0) return 'needs root to start systemd in its own namespaces'
  if (!existsSync(systemd)) return `needs systemd (${systemd})`
  for (const tool of ['unshare', 'nsenter', 'setpriv'])
    if (spawnSync(tool, ['--version']).status !== 0) return `needs ${tool} of util-linux`
  const probe = ['--mount', 'sh', '-c', 'mount -t cgroup2 none /mnt && mkdir /mnt/$0 && rmdir /mnt/$0']
  const { status } = spawnSync('unshare', [...probe, `quayside-probe-${process.pid}`])
  return status === 0 ? undefined : 'needs permission to mount cgroups'
}

/**
 * Starts systemd with its own network, processes and root folder. The root folder contains the /usr of the host, a copy
 * of its /etc, the repository at /repository and its node_modules at /modules. All other folders, and /usr/local/sbin, are
 * empty.
 *
 * With `packages`, the machine has a writable copy of /usr and knows the Debian packages of the host. `packages` is a folder
 * with more packages, which is at /packages.
 */
export async function startVirtualMachine({ packages }: { packages?: string } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-vm-'))
  const name = basename(folder)
  const root = join(folder, 'root')
  await mkdir(root)
  const script = join(folder, 'boot.sh')
  await writeFile(script, bootScript(root, packages))
  const host = spawn(
    'setpriv',
    // The machine must not outlive the test.
    ['--pdeathsig', 'KILL', 'unshare', '--mount', 'sh', '-c', enterCgroup, name, script],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [host.stdout, host.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exited = once(host, 'exit')
  const isRunning = () => host.exitCode === null && host.signalCode === null
  const remove = async (): Promise<void> => {
    if (isRunning()) host.kill('SIGKILL')
    await exited
    await until('the processes of the machine have ended', () => removeCgroup(name))
    await rm(folder, { recursive: true, force: true })
  }

  const execute = (pid: number, commands: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = execFile(
        'nsenter',
        ['--target', String(pid), ...namespaces, '--root', '--', 'bash', '-s'],
        { env: environment, maxBuffer: 64 << 20 },
        (error, stdout, stderr) => {
          if (error === null) resolve(stdout)
          else reject(new Error(`${stderr}\n${stdout}`.trim()))
        },
      )
      // The test's working directory does not exist in the machine, so the first command changes to the home directory.
      child.stdin?.end(`cd\nset -Eeuo pipefail\ntrap 'echo "Failed: $BASH_COMMAND" >&2' ERR\n${commands}\n`)
    })

  let pid: number
  try {
    pid = await until(
      'systemd has started',
      async () => {
        if (!isRunning()) throw new Error(`The machine has exited:\n${output}`)
        const started = descendantsOf(host.pid ?? 0).find(({ command }) => command[0] === systemd)?.pid
        if (started === undefined) return undefined
        const state = await execute(started, 'systemctl is-system-running || true')
        return /^(running|degraded)/.test(state) && started
      },
      { everyMs: 100 },
    )
  } catch (error) {
    await remove()
    throw error
  }
  return {
    /** Runs commands as root with bash and returns their output. Throws if one of them fails. */
    run: (commands: string) => execute(pid, commands),
    remove,
  }
}

/**
 * Moves the shell to a new cgroup, which becomes the root cgroup of the machine. Otherwise, systemd would manage the
 * processes of the host.
 */
const enterCgroup = `set -e
mount -t cgroup2 none /mnt
mkdir "/mnt/$0"
echo 0 > "/mnt/$0/cgroup.procs"
umount /mnt
exec unshare ${namespaces.join(' ')} --fork --kill-child sh "$1"`

/** Deletes the cgroups of a machine. Returns false if a process is still running in one of them. */
function removeCgroup(name: string): boolean {
  const commands =
    'mount -t cgroup2 none /mnt && { [ ! -e "/mnt/$0" ] || find "/mnt/$0" -depth -type d -exec rmdir {} +; }'
  return spawnSync('unshare', ['--mount', 'sh', '-c', commands, name]).status === 0
}

/** Units that only slow down booting or that manage the hardware and kernel, which the machine shares with the host. */
const maskedUnits = `
  systemd-logind.service systemd-udevd.service systemd-networkd.service systemd-resolved.service
  systemd-timesyncd.service systemd-modules-load.service systemd-sysctl.service systemd-remount-fs.service
  systemd-tmpfiles-setup-dev.service systemd-update-utmp.service systemd-update-utmp-runlevel.service
  systemd-hwdb-update.service systemd-sysusers.service systemd-random-seed.service kmod-static-nodes.service
  modprobe@.service getty.target console-getty.service dev-hugepages.mount dev-mqueue.mount
  sys-kernel-debug.mount sys-kernel-tracing.mount`.replaceAll(/\s+/g, ' ')

/** Changes of the machine are in memory, because an overlay needs a file system that is not an overlay itself. */
const debianSystem = (packages: string): string => `
mkdir packages var/lib/dpkg
mount --bind '${packages}' packages
mount -o remount,bind,ro packages
cp -a /var/lib/dpkg/. var/lib/dpkg/
mount -t tmpfs tmpfs mnt
mkdir mnt/upper mnt/work
mount -t overlay -o lowerdir=/usr,upperdir=mnt/upper,workdir=mnt/work overlay usr
umount --lazy mnt
# Images of containers have this file so that packages do not start services.
rm -f usr/sbin/policy-rc.d`

const bootScript = (root: string, packages?: string): string => `set -e
mount --bind '${root}' '${root}'
cd '${root}'
mkdir -p usr etc proc sys dev run tmp opt srv mnt root home repository modules var/lib var/log var/backups var/tmp
chmod 1777 tmp var/tmp
for name in bin lib lib64 sbin; do [ ! -e "/$name" ] || ln -s "usr/$name" "$name"; done
${packages === undefined ? 'mount --bind /usr usr\nmount -o remount,bind,ro usr' : debianSystem(packages)}
mount -t tmpfs tmpfs usr/local/sbin
mount --bind '${repository}' repository
mount -o remount,bind,ro repository
mount --bind '${repository}/node_modules/' modules
mount -o remount,bind,ro modules
cp -a /etc/. etc/
# The host's own configuration must not affect the machine.
rm -rf etc/systemd/system etc/machine-id etc/resolv.conf etc/fstab etc/nginx/sites-enabled etc/nginx/conf.d etc/quayside.env
mkdir etc/systemd/system
[ ! -e etc/nginx ] || mkdir etc/nginx/sites-enabled etc/nginx/conf.d
sed -i '/^quayside:/d' etc/passwd etc/shadow etc/group etc/gshadow
for unit in ${maskedUnits}; do ln -sf /dev/null "etc/systemd/system/$unit"; done
printf 'virtual-machine\\n' > etc/hostname
printf '127.0.0.1 localhost builds.example.com\\n' > etc/hosts
printf '${randomUUID().replaceAll('-', '')}\\n' > etc/machine-id
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mkdir dev/shm dev/pts
mount -t tmpfs tmpfs dev/shm
ln -s /proc/self/fd dev/fd
ln -s pts/ptmx dev/ptmx
mount -t tmpfs -o mode=755 tmpfs run
pivot_root . mnt
umount --lazy mnt
mount --make-rshared /
exec env -i container=quayside-test ${systemd} --unit=multi-user.target
`
