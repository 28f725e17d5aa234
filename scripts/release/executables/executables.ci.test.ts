import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { bootstrapKey, startService } from '../../../packages/cli/test/running-server.ts'
import { blocksIn } from '../../../packages/server/test/acceptance/docs/docs-blocks.ts'
import { buildCli } from '../../build/cli.ts'
import { writeChecksums } from '../checksums.ts'
import { repository } from '../test/clone.ts'
import { provideRelease } from '../test/provide-release.ts'
import { runProgram, type Outcome } from '../test/run-release.ts'
import { createToolFolder, findProgram, verifiers } from '../test/tools.ts'
import { embedScript } from './embed.ts'
import { hasMatchingDigests } from './inspect-executable.ts'
import { targets } from './targets.ts'

const archive = 'quayside-0.1.0-linux-x64.tar.gz'
const isLinuxX64 = process.platform === 'linux' && process.arch === 'x64'
const options = { skip: !isLinuxX64 && 'runs the executable for Linux x64' }

let folder: string
let release: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quayside-executables-test-'))
  release = await provideRelease()
})
after(() => rm(folder, { recursive: true, force: true }))

/** Runs install.sh with these verifiers in PATH, and returns its outcome and the prefix. */
async function install(source: string, installed: readonly string[]): Promise<Outcome & { prefix: string }> {
  const prefix = await mkdtemp(join(folder, 'prefix '))
  const tools = await createToolFolder(await mkdtemp(join(folder, 'tools-')), installed)
  const args = [join(release, 'install.sh'), '--from', source, '--prefix', prefix]
  const outcome = await runProgram('/bin/sh', args, { cwd: folder, env: { PATH: tools, HOME: folder } })
  return { ...outcome, prefix }
}

/** Returns a copy of the release whose files are links, so that one of them can be replaced. */
async function linkRelease(): Promise<string> {
  const copy = await mkdtemp(join(folder, 'release-'))
  for (const name of await readdir(release)) await symlink(join(release, name), join(copy, name))
  return copy
}

async function replace(copy: string, name: string, change: (content: Buffer) => Buffer): Promise<void> {
  const content = change(await readFile(join(copy, name)))
  await rm(join(copy, name))
  await writeFile(join(copy, name), content)
}

/** Returns the program in the archive of a platform other than Windows. */
function extractProgram(platform: string): Buffer {
  const name = `quayside-0.1.0-${platform}`
  const args = ['-xzOf', join(release, `${name}.tar.gz`), `${name}/bin/quayside`]
  return execFileSync('tar', args, { maxBuffer: 2 ** 28 })
}

const flipByte = (content: Buffer): Buffer => {
  const at = Math.floor(content.length / 2)
  const changed = Buffer.from(content)
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
  return changed
}

test('builds an archive for each platform', async () => {
  const names = (await readdir(release)).filter((name) => /\.(zip|tar\.gz)$/.test(name))
  assert.deepEqual(names.toSorted(), [
    'quayside-0.1.0-linux-arm64.tar.gz',
    archive,
    'quayside-0.1.0-macos-arm64.tar.gz',
    'quayside-0.1.0-macos-x64.tar.gz',
    'quayside-0.1.0-windows-x64.zip',
  ])
})

test('builds the same executables in another folder', async () => {
  const work = join(folder, 'another folder')
  await buildCli(join(work, 'bundle'), 'http://localhost:4400')
  for (const target of targets.filter(({ name }) => name === 'linux-x64' || name === 'macos-arm64')) {
    const again = await embedScript(repository, target, { script: 'bundle/quayside.mjs', work })
    assert.ok(again.equals(extractProgram(target.name)), target.name)
  }
})

test('signs the executables for macOS with digests that a changed byte does not match', async () => {
  for (const platform of ['macos-arm64', 'macos-x64']) {
    const program = extractProgram(platform)
    assert.equal(await hasMatchingDigests(program), true)
    assert.equal(await hasMatchingDigests(flipByte(program)), false)
  }
})

describe('install.sh', options, () => {
  for (const verifier of verifiers)
    describe(
      `with ${verifier}`,
      { skip: findProgram(verifier) === undefined && `${verifier} is missing` },
      () => {
        test('installs the executable, its man page and its completions', async () => {
          const { code, output, prefix } = await install(release, [verifier])
          assert.equal(code, 0, output)
          assert.match(output, /^Installed quayside 0\.1\.0 in .*\/bin\.$/m)
          assert.match(output, /Add the folder to your PATH/)
          const { output: version } = await runProgram(join(prefix, 'bin/quayside'), ['--version'], {
            cwd: folder,
            env: {},
          })
          assert.equal(version, '0.1.0\n')
          assert.deepEqual((await readdir(join(prefix, 'share'))).toSorted(), [
            'bash-completion',
            'doc',
            'fish',
            'man',
            'zsh',
          ])
        })

        const refuses = async (change: (copy: string) => Promise<void>, message: RegExp): Promise<void> => {
          const copy = await linkRelease()
          await change(copy)
          const { code, output, prefix } = await install(copy, [verifier])
          assert.match(output, message)
          assert.equal(code, 1)
          assert.deepEqual(await readdir(join(prefix, 'bin')), [])
        }

        test('refuses a changed executable', async () => {
          await refuses(
            (copy) => replace(copy, archive, flipByte),
            /checksum of .* differs from the signed one/,
          )
        })

        test('refuses changed checksums', async () => {
          const message = /signature of .* is not valid/
          await refuses((copy) => replace(copy, 'SHA256SUMS', flipByte), message)
          await refuses(async (copy) => {
            await replace(copy, archive, flipByte)
            await rm(join(copy, 'SHA256SUMS'))
            await writeChecksums({ folder: copy, log: () => {} })
          }, message)
        })

        test('refuses a changed signature', async () => {
          const message = /signature of .* is not valid/
          const name = verifier === 'ssh-keygen' ? 'SHA256SUMS.sshsig' : 'SHA256SUMS.minisig'
          await refuses((copy) => replace(copy, name, flipByte), message)
          await refuses((copy) => replace(copy, name, () => Buffer.alloc(0)), message)
          if (name.endsWith('.minisig'))
            await refuses(
              (copy) => replace(copy, name, (text) => Buffer.from(text.toString().replace('0.1.0', '9.9.9'))),
              message,
            )
        })

        test('refuses a release without a signature', async () => {
          const unsigned = async (copy: string): Promise<void> => {
            await rm(join(copy, 'SHA256SUMS.minisig'))
            await rm(join(copy, 'SHA256SUMS.sshsig'))
          }
          await refuses(unsigned, /Cannot read .*SHA256SUMS\.(minisig|sshsig)/)
        })
      },
    )

  test('installs nothing if no program can verify the signature', async () => {
    const { code, output, prefix } = await install(release, [])
    assert.match(output, /cannot be verified without minisign, OpenSSL 3 or ssh-keygen/)
    assert.equal(code, 1)
    assert.deepEqual(await readdir(join(prefix, 'bin')), [])
  })

  test('rejects unknown options and an unknown release', async () => {
    const run = (...args: string[]) =>
      runProgram('/bin/sh', [join(release, 'install.sh'), ...args], { cwd: folder, env: process.env })
    assert.match((await run()).output, /^quayside: Select the release:/)
    assert.match((await run('--frobnicate', 'x')).output, /^quayside: Unknown option: --frobnicate/)
    assert.match((await run('--from')).output, /^quayside: --from requires a value/)
    assert.match(
      (await run('--from', '/nowhere')).output,
      /^quayside: The folder of the release does not exist/,
    )
  })

  test('downloads a release over HTTP, and refuses a download that was changed on the way', async (t) => {
    const changed = new Set<string>()
    const server = await serve(changed)
    t.after(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, output } = await install(url, ['ssh-keygen'])
    assert.equal(code, 0, output)
    for (const [name, message] of [
      [archive, /checksum of .* differs from the signed one/],
      ['SHA256SUMS', /signature of .* is not valid/],
      ['SHA256SUMS.sshsig', /signature of .* is not valid/],
    ] as const) {
      changed.clear()
      changed.add(`/${name}`)
      const refused = await install(url, ['ssh-keygen'])
      assert.match(refused.output, message)
      assert.equal(refused.code, 1)
      assert.deepEqual(await readdir(join(refused.prefix, 'bin')), [])
    }
  })

  /** Serves the release, with one byte of these files changed. */
  async function serve(changed: ReadonlySet<string>): Promise<Server> {
    const server = createServer((request, response) => {
      const path = request.url ?? '/'
      readFile(join(release, path)).then(
        (content) => response.end(changed.has(path) ? flipByte(content) : content),
        () => response.writeHead(404).end(),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return server
  }
})

describe('the executable', options, () => {
  let home: string
  before(async () => {
    home = join(folder, 'home')
    await mkdir(join(home, '.local'), { recursive: true })
    const page = await readFile(join(repository, 'docs/install-the-command-line.md'), 'utf8')
    const command = blocksIn(page).find(({ commands }) => commands.startsWith('tar '))
    const env = { HOME: home, PATH: process.env['PATH'] }
    const { code, output } = await runProgram('sh', ['-c', command?.commands ?? 'false'], {
      cwd: release,
      env,
    })
    assert.equal(code, 0, output)
  })

  test('uploads a large file and downloads it again without Node', async (t) => {
    const service = await startService()
    t.after(() => service.close())
    const content = randomBytes(12 * 1024 * 1024)
    await writeFile(join(home, 'app-1.2.3.bin'), content)
    const env = {
      PATH: join(home, '.local/bin'),
      HOME: home,
      QUAYSIDE_SERVER: service.url,
      QUAYSIDE_API_KEY: bootstrapKey,
    }
    for (const args of [
      ['applications', 'create', 'App'],
      ['upload', 'app-1.2.3.bin'],
      ['download', 'latest', '--output', 'copy.bin'],
    ]) {
      const { code, output } = await runProgram(join(home, '.local/bin/quayside'), args, { cwd: home, env })
      assert.equal(code, 0, output)
      assert.doesNotMatch(output, /Warning/)
    }
    assert.ok(content.equals(await readFile(join(home, 'copy.bin'))))
  })

  test('has the man page and the completions of its version', async () => {
    const share = join(home, '.local/share')
    const page = await readFile(join(share, 'man/man1/quayside.1'), 'utf8')
    assert.equal(page, await readFile(join(repository, 'packages/cli/man/quayside.1'), 'utf8'))
    const { output } = await runProgram(join(home, '.local/bin/quayside'), ['completion', 'bash'], {
      cwd: home,
      env: {},
    })
    assert.equal(await readFile(join(share, 'bash-completion/completions/quayside'), 'utf8'), output)
  })
})
