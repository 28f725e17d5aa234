import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { until } from '../../packages/server/test/acceptance/until.ts'
import {
  startVirtualMachine,
  whyNoVirtualMachine,
  type VirtualMachine,
} from '../../packages/server/test/acceptance/virtual-machine.ts'
import { packServer } from '../package/pack-server.ts'
import { buildDebianPackages, fastCompression } from './build-debian-packages.ts'

const repository = join(import.meta.dirname, '../..')
const isInstalled = (program: string) => spawnSync(program, ['--version']).error === undefined
const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
const date = new Date('2026-01-31T12:00:00Z')
const skip = isInstalled('dpkg-deb') ? false : 'needs dpkg-deb'
const maxPackageMb = 80
const name = 'quayside-server'

describe('the Debian package', { skip, timeout: 1_800_000 }, () => {
  // The packages are too large for the folder in memory that most tests use.
  let folder: string
  let tarball: string
  let path: string
  let nextVersion: string

  /** Builds the package. The compression of a release would take most of the time of the test. */
  const build = async (target: string) => {
    await mkdir(join(folder, target))
    const [built] = await buildDebianPackages(repository, join(folder, target), {
      tarball,
      architectures: [architecture],
      date,
      compression: fastCompression,
    })
    assert.ok(built)
    return built
  }
  const deb = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync('dpkg-deb', args, { encoding: 'utf8', maxBuffer: 1 << 26 })
    assert.equal(status, 0, stderr)
    return stdout
  }

  /** Creates a package with the same files and a higher version, which takes a fraction of the time of a build. */
  const packNextVersion = async () => {
    const tree = join(folder, 'tree')
    const control = join(tree, 'DEBIAN/control')
    deb('--raw-extract', path, tree)
    const fields = await readFile(control, 'utf8')
    await writeFile(control, fields.replace(/^Version: .*$/m, `Version: ${nextVersion}`))
    deb('-Znone', '--root-owner-group', '--build', tree, join(folder, 'packages'))
    await rm(tree, { recursive: true })
  }

  before(async () => {
    folder = await mkdtemp('/var/tmp/quayside-debian-')
    tarball = await packServer(repository, folder)
    path = (await build('packages')).path
    const { version } = JSON.parse(
      await readFile(join(repository, 'packages/server/package.json'), 'utf8'),
    ) as { version: string }
    nextVersion = version.replace(/\d+$/, (patch) => String(Number(patch) + 1))
    await packNextVersion()
  })
  after(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  test('contains the same bytes when it is built again', async (t) => {
    const again = await build('again')
    const hash = async (file: string) =>
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex')
    assert.equal(await hash(again.path), await hash(path))
    const sizeMb = again.sizeBytes / 1e6
    t.diagnostic(`the package has ${sizeMb.toFixed(1)} MB`)
    assert.ok(sizeMb < maxPackageMb)
  })

  test('contains files of root that only root can change, and secret settings', () => {
    const lines = deb('--contents', path).trim().split('\n')
    assert.deepEqual(
      lines.filter((line) => !/^(?:[d-]r[w-][x-]r-[x-]r-[x-]|lrwxrwxrwx) root\/root /.test(line)),
      lines.filter((line) => line.endsWith(' ./etc/quayside.env')),
    )
    assert.match(lines.join('\n'), /^-rw------- root\/root .* \.\/etc\/quayside\.env$/m)
    assert.equal(deb('--field', path, 'Architecture').trim(), architecture)
  })

  test('meets the Debian policy', (t) => {
    if (!isInstalled('lintian')) return t.skip('needs lintian')
    const args = ['--fail-on', 'error,warning', '--allow-root', '--info', path]
    const { status, stdout } = spawnSync('lintian', args, { encoding: 'utf8', maxBuffer: 1 << 26 })
    assert.equal(status, 0, stdout)
  })

  describe('on a computer with systemd', { skip: whyNoVirtualMachine() ?? false }, () => {
    let vm: VirtualMachine
    let installed: string

    const install = (version: string) =>
      vm.run(
        `DEBIAN_FRONTEND=noninteractive dpkg --install /packages/${name}_${version}_${architecture}.deb 2>&1`,
      )
    const untilReady = () =>
      until(
        'the service is ready',
        () =>
          vm.run('curl -fsS http://127.0.0.1:4400/readyz').then(
            () => true,
            () => false,
          ),
        { withinMs: 120_000, everyMs: 200 },
      )
    const mainPid = async () => (await vm.run('systemctl show --value --property MainPID quayside')).trim()

    before(async () => {
      vm = await startVirtualMachine({ packages: join(folder, 'packages') })
      installed = deb('--field', path, 'Version').trim()
    })
    after(async () => await vm?.remove())

    test('starts the service as its own user when it is installed', async (t) => {
      const startedAt = performance.now()
      const output = await install(installed)
      const installedAt = performance.now()
      await untilReady()
      t.diagnostic(
        `installed in ${((installedAt - startedAt) / 1000).toFixed(1)} s, ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
      )
      assert.doesNotMatch(output, /warning|error/i)
      const owner = await vm.run(
        `stat --format %U /proc/${await mainPid()} /var/lib/quayside /var/backups/quayside`,
      )
      assert.equal(owner, 'quayside\nquayside\nquayside\n')
      assert.equal(await vm.run('systemctl is-enabled quayside'), 'enabled\n')
      assert.equal(await vm.run('systemctl is-enabled quayside-backup.timer || true'), 'disabled\n')
      assert.match(await vm.run('curl -fsS -H "accept: text/html" http://127.0.0.1:4400/'), /<div id="root">/)
      assert.match(await vm.run('curl -fsS -H "accept: text/html" http://127.0.0.1:4400/docs/debian'), /<h1/)
      const units = '/usr/lib/systemd/system/quayside*'
      assert.equal(await vm.run(`systemd-analyze verify ${units} 2>&1`), '')
    })

    test('runs admin commands as the user of the service with its settings', async () => {
      assert.equal((await vm.run('quayside-server --version')).trim(), installed)
      await vm.run(
        "sed -i 's|^#QUAYSIDE_PUBLIC_URL=.*|QUAYSIDE_PUBLIC_URL=https://packages.example.com|' /etc/quayside.env",
      )
      await vm.run('systemctl restart quayside')
      await untilReady()
      const doctor = 'quayside-server admin doctor'
      for (const command of [doctor, `script --quiet --command '${doctor}' /dev/null`])
        assert.match(await vm.run(`${command} 2>&1 || true`), /https:\/\/packages\.example\.com/)
      await vm.run('quayside-server admin backup /var/backups/quayside/manual')
      assert.equal(await vm.run('stat --format %U /var/backups/quayside/manual/backup.json'), 'quayside\n')
      await assert.rejects(vm.run('quayside-server admin backup /var/backups/quayside/manual'), Error)
      await assert.rejects(vm.run('quayside-server'), /systemctl start quayside/)
      await assert.rejects(
        vm.run('setpriv --reuid nobody --clear-groups quayside-server admin fsck'),
        /sudo quayside-server admin fsck/,
      )
    })

    test('makes backups with the timer once it is enabled', async () => {
      await vm.run('systemctl enable --now quayside-backup.timer && systemctl start quayside-backup')
      assert.match(await vm.run('ls /var/backups/quayside'), /^\d{4}-\d\d-\d\dT\d{6}Z$/m)
    })

    test('keeps data, settings and the choices of the administrator in an upgrade', async () => {
      const before = await mainPid()
      const key = await vm.run('cat /var/lib/quayside/first-key')
      await install(nextVersion)
      await untilReady()
      assert.notEqual(await mainPid(), before)
      assert.match(await vm.run(`dpkg-query --show ${name}`), new RegExp(nextVersion))
      assert.match(await vm.run('cat /etc/quayside.env'), /^QUAYSIDE_PUBLIC_URL=https:\/\/packages/m)
      assert.equal(await vm.run('systemctl is-enabled quayside-backup.timer'), 'enabled\n')
      const headers = `authorization: Bearer ${key.trim()}`
      assert.match(
        await vm.run(`curl -fsS -H '${headers}' http://127.0.0.1:4400/api/v1/applications`),
        /"data"/,
      )
      await vm.run('systemctl disable --now quayside')
      await install(nextVersion)
      assert.equal((await vm.run('systemctl is-active quayside || true')).trim(), 'inactive')
      await vm.run('systemctl enable --now quayside')
      await untilReady()
    })

    test('stops the service when it is removed, and keeps the settings and data', async () => {
      await vm.run(`dpkg --remove ${name} 2>&1`)
      assert.equal(await vm.run('ps -u quayside -o args= || true'), '')
      assert.equal(await vm.run('ls -d /usr/lib/quayside 2>/dev/null || true'), '')
      await vm.run('test -e /var/lib/quayside/secret && test -e /etc/quayside.env')
      await install(installed)
      await untilReady()
    })

    test('says what it keeps when it is purged', async () => {
      const output = await vm.run(`dpkg --purge ${name} 2>&1`)
      assert.match(output, /\/var\/lib\/quayside\n.*\/var\/backups\/quayside\n/)
      await vm.run('test -e /var/lib/quayside/secret && test ! -e /etc/quayside.env')
      assert.equal(await vm.run("systemctl list-unit-files --no-legend 'quayside*' || true"), '')
      await vm.run('rm -r /var/lib/quayside /var/backups/quayside && userdel quayside')
    })
  })
})
