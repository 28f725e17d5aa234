import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import { blocksIn } from './docs/docs-blocks.ts'
import { repository } from './npm-start.ts'
import { until } from './until.ts'
import { startVirtualMachine, whyNoVirtualMachine, type VirtualMachine } from './virtual-machine.ts'

const uploadMib = Number(process.env['QUAYSIDE_VM_UPLOAD_MIB'] ?? 64)
const page = await readFile(join(repository, 'docs/vm.md'), 'utf8')
const isInstalled = (program: string) => spawnSync(program, ['-h'], { stdio: 'ignore' }).error === undefined
const hasNginx = isInstalled('nginx')
const hasCaddy = isInstalled('caddy')

/** Replacements for commands that require other computers, package registries or a public certificate authority. */
const replacements: [RegExp | string, string][] = [
  [
    /^git clone https:\S+ \/opt\/quayside$/m,
    // Copies the files that a clone would contain, including uncommitted changes.
    'mkdir /opt/quayside && (cd /repository && cp -r --parents package.json package-lock.json tsconfig.json .npmrc ' +
      'openapi.json scripts packages docs deploy /opt/quayside) && rm -rf /opt/quayside/packages/web/dist && mkdir /opt/quayside/node_modules',
  ],
  [/^npm ci.*$/gm, 'mount --bind /modules /opt/quayside/node_modules'],
  [/^git pull$/m, 'umount /opt/quayside/node_modules'],
  ['ssh root@builds.example.com ', ''],
  // Caddy uses its own certificate authority instead of a public one.
  ["> /etc/caddy/Caddyfile <<'END'\n", "> /etc/caddy/Caddyfile <<'END'\n{\n\tlocal_certs\n}\n"],
]

/** Returns the commands in a section of the page that are run on the VM, with all replacements made. */
function commandsOf(title: string): string {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${title}\n`))
  const commands = blocksIn(section ?? '')
    .filter(({ reason }) => reason?.startsWith('on a VM'))
    .map((block) => block.commands)
  assert.notEqual(commands.length, 0, `docs/vm.md has no commands for "${title}"`)
  return replacements.reduce((text, [from, to]) => text.replace(from, to), commands.join('\n'))
}

describe('a VM that is set up as described in docs/vm.md', { skip: whyNoVirtualMachine() ?? false }, () => {
  let vm: VirtualMachine
  let publicUrl = 'https://builds.example.com'
  let link: string
  let sha256: string

  const withPublicUrl = (commands: string) => commands.replaceAll('https://builds.example.com', publicUrl)
  const run = (commands: string) => vm.run(withPublicUrl(commands))
  const follow = (title: string, change = (commands: string) => commands) => run(change(commandsOf(title)))
  const download = async () => (await vm.run(`curl -fsSL '${link}/download' | sha256sum`)).split(' ')[0] ?? ''
  const succeeds = (commands: string) =>
    vm.run(commands).then(
      () => true,
      () => false,
    )
  const untilReady = () =>
    until('the service is ready', () => succeeds('curl -fsS http://127.0.0.1:4400/readyz'), {
      withinMs: 60_000,
      everyMs: 100,
    })
  const mainPid = async () => (await vm.run('systemctl show --value --property MainPID quayside')).trim()
  const report = (t: TestContext, what: string, startedAt: number) =>
    t.diagnostic(`${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)

  before(async () => {
    vm = await startVirtualMachine()
  })
  after(async () => await vm?.remove())

  test('runs the service as its own user with the settings and restrictions of the unit', async (t) => {
    const startedAt = performance.now()
    if (hasNginx) publicUrl = 'http://builds.example.com'
    else publicUrl = 'http://builds.example.com:4400'
    await follow('1. Install the code')
    await follow('2. Write the settings')
    await follow('3. Start the service')
    report(t, 'from the first command until the service is ready', startedAt)

    const consolePage = await vm.run('curl -fsS --header "accept: text/html" http://127.0.0.1:4400/')
    assert.match(consolePage, /<div id="root">/)
    const verified = await vm.run(
      'systemd-analyze verify /opt/quayside/deploy/systemd/*.service /opt/quayside/deploy/systemd/*.timer 2>&1',
    )
    assert.equal(verified, '')
    const status = await vm.run(`cat /proc/${await mainPid()}/status`)
    const value = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1]
    const uid = (await vm.run('id --user quayside')).trim()
    assert.notEqual(uid, '0')
    assert.deepEqual(['Uid', 'CapBnd', 'NoNewPrivs', 'Seccomp'].map(value), [
      uid,
      '0000000000000000',
      '1',
      '2',
    ])
    const owners = await vm.run('ps -o user= -C postgres | sort --unique')
    assert.equal(owners.trim(), 'quayside')
    assert.equal(
      await vm.run("stat --format '%U %a' /etc/quayside.env /var/lib/quayside /var/lib/quayside/secret"),
      'root 600\nquayside 700\nquayside 600\n',
    )
    const writable = await vm.run(
      `nsenter --target ${await mainPid()} --mount --root -- sh -c ` +
        "'for folder in /etc /opt/quayside /usr /var/lib /var/lib/quayside /tmp; do [ ! -w $folder ] || echo $folder; done'",
    )
    assert.equal(writable, '/var/lib/quayside\n/tmp\n')
  })

  test(`accepts an upload of ${uploadMib} MiB${hasNginx ? ' through nginx' : ''} and shares it`, async (t) => {
    if (hasNginx) {
      await vm.run('mkdir /var/log/nginx /var/lib/nginx')
      await follow('nginx instead of Caddy')
    } else {
      t.diagnostic('nginx is not installed, so clients connect to the service directly')
    }
    await vm.run(`head -c ${uploadMib}M /dev/urandom > app-1.0.0.tar.gz`)
    sha256 = (await vm.run('sha256sum app-1.0.0.tar.gz')).split(' ')[0] ?? ''
    let startedAt = performance.now()
    const output = await follow(
      '5. Upload a build',
      // The CLI requires Node, which the documentation expects on the user's computer.
      (commands) => `export PATH="/opt/quayside/node_modules/.bin:$PATH"\n${commands}`,
    )
    report(t, 'installing the command line, uploading and sharing', startedAt)
    await vm.run('rm app-1.0.0.tar.gz')
    await vm.run(
      `export QUAYSIDE_API_KEY="$(cat /var/lib/quayside/first-key)" PATH="/opt/quayside/node_modules/.bin:$HOME/.local/bin:$PATH"
      head -c 1000 /dev/urandom > app-1.0.1.deb
      quayside upload app-1.0.1.deb --platform linux --application "My app" --wait`,
    )
    assert.doesNotMatch(await vm.run('journalctl --unit quayside --output cat'), /without network access/)
    link = /^https?:\/\/\S+$/m.exec(output.trim().split('\n').at(-1) ?? '')?.[0] ?? ''
    assert.ok(link.startsWith(`${publicUrl}/`), output)
    startedAt = performance.now()
    assert.equal(await download(), sha256)
    report(t, 'downloading', startedAt)
    if (hasNginx) {
      const requests = () => vm.run('cat /var/log/nginx/access.log')
      assert.match(await requests(), /"PUT \/storage\//)
      // nginx logs a request after the client has received the response.
      await until('nginx has logged the download', async () => /"GET \/storage\//.test(await requests()))
    }
  })

  test('runs admin commands with the user and the settings of the service', async () => {
    // Some checks fail on this VM, for example because it has no mail server.
    const output = await follow('Run admin commands', (commands) => `${commands} || true`)
    assert.match(output, /^ok +database: PostgreSQL 18/m)
    assert.match(output, /^ok +storage: stored and read a file/m)
    assert.equal(await vm.run('find /var/lib/quayside -not -user quayside'), '')
  })

  test('restarts the service after it is killed', async () => {
    const killed = await mainPid()
    await vm.run('systemctl kill --kill-who main --signal KILL quayside')
    await until('systemd has restarted the service', async () => !['0', killed].includes(await mainPid()), {
      everyMs: 200,
    })
    await untilReady()
    assert.equal(await download(), sha256)
  })

  test('keeps links valid and files unchanged after a backup and a restore to another folder', async (t) => {
    let startedAt = performance.now()
    const [name = '', ...others] = (await follow('Back up')).trim().split('\n')
    report(t, 'backing up', startedAt)
    assert.match(name, /^\d{4}-\d\d-\d\dT\d{6}Z$/)
    assert.deepEqual(others, [])
    const files = `find /var/backups/quayside/${name}/storage/objects -type f`
    assert.notEqual(await vm.run(`${files} -links 2`), '')
    assert.equal(await vm.run(`${files} -links 1`), '')
    assert.match(await vm.run('systemctl list-timers'), /quayside-backup\.timer/)

    startedAt = performance.now()
    await follow('Restore', (commands) => commands.replace('2026-01-31T020000Z', name))
    report(t, 'restoring', startedAt)
    // Deleting the previous folder and the backup proves that the restored service reads nothing from them.
    await vm.run('rm -r /var/lib/quayside-old /var/backups/quayside/*')
    await untilReady()
    assert.equal(await download(), sha256)
  })

  test('keeps working after an upgrade and deletes an expired backup', async () => {
    const old = '/var/backups/quayside/2020-01-31T020000Z'
    await vm.run(`mkdir ${old} && touch --date 2020-01-31 ${old} && chown quayside: ${old}`)
    if (hasCaddy) {
      publicUrl = 'https://builds.example.com'
      await follow('2. Write the settings')
    }
    await follow('Upgrade')
    await untilReady()
    const backups = await vm.run('ls /var/backups/quayside')
    assert.match(backups, /^\S+Z\n$/)
    assert.doesNotMatch(backups, /^2020/)
    if (!hasCaddy) assert.equal(await download(), sha256)
  })

  test('serves existing links through Caddy with HTTPS', { skip: !hasCaddy && 'needs Caddy' }, async () => {
    if (hasNginx) await vm.run('systemctl disable --now nginx')
    await vm.run('install --directory --owner caddy /var/lib/caddy /var/log/caddy')
    await follow('4. Add HTTPS')
    const authority = '/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt'
    link = `${publicUrl}${new URL(link).pathname}`
    await vm.run(`echo 'cacert = ${authority}' > .curlrc`)
    await until('Caddy has a certificate', () => succeeds(`curl -fsS ${publicUrl}/readyz`), { everyMs: 100 })
    assert.equal(await download(), sha256)
  })

  test('stops without leaving processes behind and refuses to start with an invalid setting', async () => {
    await vm.run('systemctl stop quayside')
    const state = await vm.run(
      'systemctl show --property Result --property ExecMainStatus --property ActiveState quayside',
    )
    assert.deepEqual(state.trim().split('\n').toSorted(), [
      'ActiveState=inactive',
      'ExecMainStatus=0',
      'Result=success',
    ])
    assert.equal(await vm.run('ps -u quayside -o args= || true'), '')
    await vm.run('echo QUAYSIDE_PORT=none >> /etc/quayside.env')
    await vm.run('systemctl start quayside')
    await until('the service has failed', async () =>
      (await vm.run('systemctl is-failed quayside || true')).startsWith('failed'),
    )
    assert.equal((await vm.run('systemctl show --value --property ExecMainStatus quayside')).trim(), '78')
    assert.match(await vm.run('journalctl --unit quayside --output cat'), /QUAYSIDE_PORT must be an integer/)
  })
})

test('requires every block in docs/vm.md to state which test runs it or why it is not run', () => {
  assert.deepEqual(
    blocksIn(page).filter(({ reason }) => reason === undefined),
    [],
  )
  for (const [from] of replacements)
    assert.ok(typeof from === 'string' ? page.includes(from) : page.search(from) >= 0, String(from))
})
