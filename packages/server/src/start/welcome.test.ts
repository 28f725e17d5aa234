import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import jsQrModule from 'jsqr'
import { quickStart } from '../http/reference/quick-start.ts'
import type { LocalNetwork } from '../http/wire/local-network.ts'
import type { Terminal } from './terminal-code.ts'
import { welcome } from './welcome.ts'

// The types of the package describe an ES module, but it is a CommonJS module.
const jsQr = jsQrModule as unknown as typeof jsQrModule.default

const run = promisify(execFile)
const repository = join(import.meta.dirname, '../../../..')

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quayside-welcome-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const started = {
  url: 'http://localhost:4400',
  listenUrl: undefined,
  hasBuilds: false,
  databaseLocation: undefined,
  setupUrl: undefined,
  deps: {
    config: {
      dataDir: '/srv/data',
      bootstrapKey: undefined,
      warnings: [] as string[],
      role: 'all' as const,
      port: 4400,
    },
  },
}

/** Returns the lines of the message that are shell commands. */
const commandsIn = (message: string): string[] =>
  message.split('\n').flatMap((line) => (line.startsWith('    ') ? [line.slice(4)] : []))

describe('the message after startup', () => {
  const names = ['data', 'da ta', 'it\'s $HOME `id` "quoted"', '-data', 'dönnées']
  for (const name of names)
    test(`prints a shell command that reads the first key from the folder ${name}`, async () => {
      const firstKeyPath = join(folder, name, 'first-key')
      await mkdir(join(folder, name), { recursive: true })
      await writeFile(firstKeyPath, 'the key\n')
      for (const workingFolder of [folder, join(folder, name), repository]) {
        const [exportKey = ''] = commandsIn(welcome({ ...started, firstKeyPath }, workingFolder))
        const script = `${exportKey}\nprintf %s "$QUAYSIDE_API_KEY"`
        const { stdout } = await run('sh', ['-euc', script], { cwd: workingFolder })
        assert.equal(stdout, 'the key')
      }
    })

  test('prints a relative path only for a key inside the working directory', () => {
    const firstKeyPath = '/srv/quayside/data/first-key'
    assert.match(welcome({ ...started, firstKeyPath }, '/srv/quayside'), /cat data\/first-key\)/)
    assert.match(welcome({ ...started, firstKeyPath }, '/home/ci'), /cat \/srv\/quayside\/data\/first-key\)/)
  })

  test('prints the commands for a first upload only until there is a build', () => {
    const firstKeyPath = '/srv/data/first-key'
    assert.deepEqual(commandsIn(welcome({ ...started, firstKeyPath }, '/srv')), quickStart())
    const message = welcome({ ...started, firstKeyPath, hasBuilds: true }, '/srv')
    assert.doesNotMatch(message, /first upload|npx @quayside/)
  })

  test('prints a command that selects the server if the server does not use the default URL', () => {
    const message = welcome(
      { ...started, url: 'https://builds.example.com', firstKeyPath: undefined },
      '/srv',
    )
    assert.ok(commandsIn(message).includes('export QUAYSIDE_SERVER=https://builds.example.com'))
  })

  test('prints the set-up link only until there is an owner', () => {
    const setupUrl = 'http://localhost:4400/setup?token=qss_secret'
    const message = welcome({ ...started, setupUrl, firstKeyPath: undefined }, '/srv')
    assert.match(message, /Set up the console: +http:\/\/localhost:4400\/setup\?token=qss_secret\n/)
    assert.doesNotMatch(welcome({ ...started, firstKeyPath: undefined }, '/srv'), /setup/)
  })

  test('prints how to start the server for the local network only if it is not available there', () => {
    const start = (url: string, network?: LocalNetwork) =>
      welcome({ ...started, url, firstKeyPath: undefined }, '/srv', network && { network })
    const command = 'QUAYSIDE_HOST=0.0.0.0 QUAYSIDE_PUBLIC_URL=http://192.168.1.20:4400 npm start'
    const message = start('http://localhost:4400', { urls: ['http://192.168.1.20:4400'], command })
    assert.ok(message.includes(`  Local network:      ${command}\n`))
    assert.doesNotMatch(start('http://localhost:4400', { urls: [], command: null }), /Local network/)
    assert.doesNotMatch(start('https://builds.example.com'), /Local network/)
  })

  describe('in a terminal', () => {
    const url = 'http://192.168.1.20:4400'
    const wide: Terminal = { isTTY: true, columns: 80, env: { TERM: 'xterm-256color' } }
    const messageIn = (terminal: Partial<Terminal>, at = url) =>
      welcome({ ...started, url: at, firstKeyPath: undefined }, '/srv', {
        terminal: { ...wide, ...terminal },
      })

    for (const [theme, background] of [
      ['light', 255],
      ['dark', 0],
    ] as const)
      test(`prints a QR code of an address in the local network that phones read in a ${theme} theme`, () => {
        const message = messageIn({})
        assert.match(message, /On phones in your network, open http:\/\/192\.168\.1\.20:4400 or scan:/)
        assert.equal(scan(message, background), url)
      })

    test('prints no code in a log, in CI, without colors, and if it does not fit', () => {
      const code = /[█▀▄]/
      assert.match(messageIn({ columns: 35 }), code)
      for (const terminal of [
        { isTTY: undefined },
        { columns: 34 },
        { columns: undefined },
        { env: { CI: 'true' } },
        { env: { NO_COLOR: '1' } },
        { env: { TERM: 'dumb' } },
      ])
        assert.doesNotMatch(messageIn(terminal), code)
    })

    test('prints no code of a URL outside the local network', () => {
      for (const other of ['https://builds.example.com', 'http://localhost:4400', 'http://172.32.0.1:4400'])
        assert.doesNotMatch(messageIn({}, other), /[█▀▄]|On phones/)
      assert.match(messageIn({}, 'http://studio.local:4400'), /[█▀▄]/)
    })
  })

  test('prints the listening address and warnings about the settings', () => {
    const config = { ...started.deps.config, warnings: ['QUAYSIDE_DATA is not a setting.'] }
    const listenUrl = 'http://0.0.0.0:4400'
    const message = welcome({ ...started, listenUrl, firstKeyPath: undefined, deps: { config } }, '/srv')
    assert.match(message, /Listening on: +http:\/\/0\.0\.0\.0:4400\n/)
    assert.match(message, /Warning: QUAYSIDE_DATA is not a setting\./)
  })
})

const modulePixels = 4
const blackOnWhite = '\u001B[38;5;16;48;5;231m'
const reset = '\u001B[0m'

/** Draws a message as a terminal with this gray background does, and returns the text of the QR code in it. */
function scan(message: string, background: number): string | undefined {
  const lines = message.split('\n')
  const width = 80 * modulePixels
  const height = lines.length * 2 * modulePixels
  const pixels = new Uint8ClampedArray(width * height * 4).fill(background)
  const paint = (column: number, row: number, gray: number) => {
    for (let y = row * modulePixels; y < (row + 1) * modulePixels; y++) {
      const start = (y * width + column * modulePixels) * 4
      pixels.fill(gray, start, start + modulePixels * 4)
    }
  }
  for (const [row, line] of lines.entries()) {
    let [front, back] = [255 - background, background]
    let column = 0
    // The escape sequences become characters that no message contains.
    for (const token of line.replaceAll(blackOnWhite, '\uE000').replaceAll(reset, '\uE001')) {
      if (token === '\uE000' || token === '\uE001') {
        const isCode = token === '\uE000'
        ;[front, back] = isCode ? [0, 255] : [255 - background, background]
        continue
      }
      if (column < 80) {
        paint(column, row * 2, token === '█' || token === '▀' ? front : back)
        paint(column, row * 2 + 1, token === '█' || token === '▄' ? front : back)
      }
      column++
    }
  }
  return jsQr(pixels, width, height, { inversionAttempts: 'dontInvert' })?.data
}

test('shows the same quick start in README.md, the API reference and the message after startup', async () => {
  const commands = quickStart().join('\n')
  assert.ok((await readFile(join(repository, 'README.md'), 'utf8')).includes(commands))
  const { info } = JSON.parse(await readFile(join(repository, 'openapi.json'), 'utf8')) as {
    info: { description: string }
  }
  assert.ok(info.description.includes(commands))
})
