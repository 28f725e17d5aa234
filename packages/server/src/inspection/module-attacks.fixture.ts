import dgram from 'node:dgram'
import fs from 'node:fs'
import net from 'node:net'
import { dirname } from 'node:path'
export type Targets = { file: string; folder: string; port: number; pid: number }

type Attempt = (targets: Targets) => unknown

/** Pure functions, parts of other modules, and what uses only descriptors that are open: these modules reach nothing. */
const harmless = `_http_agent _http_common _http_incoming _http_outgoing _stream_duplex _stream_passthrough
  _stream_readable _stream_transform _stream_wrap _stream_writable _tls_common assert assert/strict async_hooks buffer
  console constants diagnostics_channel domain events path path/posix path/win32 perf_hooks punycode querystring readline
  readline/promises repl stream stream/consumers stream/iter stream/promises stream/web string_decoder sys timers
  timers/promises tty url util util/types vm zlib zlib/iter node:test/reporters`.split(/\s+/)

type CreateHandle = (address: string, port: number, type: number | string) => unknown

/** Functions without documentation that open sockets without the methods of sockets and servers. */
type Undocumented = Record<'_createServerHandle' | '_createSocketHandle', CreateHandle>

const failure = (emitter: { on(event: string, listener: (error: Error) => void): unknown }) =>
  new Promise<never>((_resolve, reject) => emitter.on('error', reject))

/** Makes V8 open the file for writing, which truncates it, and create other files in the same folder. */
export function traceCompiler(file: string, setFlag: (flag: string) => void): void {
  const folder = dirname(file)
  for (const flag of [
    '--redirect-code-traces',
    `--redirect-code-traces-to=${file}`,
    `--trace-turbo-path=${folder}`,
    '--trace-turbo',
  ])
    setFlag(flag)
  for (let index = 0, sum = 0; index < 1e7; index++) sum += Math.sqrt(index)
}

/**
 * What code in the sandbox could try with each other built-in module. Each attempt must fail. Modules are imported when
 * they are used, as code that comes later would, because restrictions of their default exports are not enough.
 */
const attempts: Readonly<Record<string, Attempt>> = {
  _http_client: async ({ port }) => {
    const { ClientRequest } = await import('node:http')
    return failure(new ClientRequest(`http://127.0.0.1:${port}`))
  },
  _http_server: async () => (await import('node:http')).createServer().listen(0),
  _tls_wrap: async ({ port }) => failure((await import('node:tls')).connect(port, '127.0.0.1')),
  child_process: async () => (await import('node:child_process')).execFileSync('/bin/true'),
  cluster: async () => (await import('node:cluster')).default.fork(),
  crypto: async ({ file }) => (await import('node:crypto')).setEngine(file),
  dgram: () => (dgram as unknown as Undocumented)._createSocketHandle('127.0.0.1', 0, 'udp4'),
  dns: async () => {
    const { lookup } = await import('node:dns')
    return new Promise((resolve) => lookup('localhost', resolve))
  },
  'dns/promises': async () => (await import('node:dns/promises')).lookup('localhost'),
  fs: ({ folder }) => fs.mkdirSync(`${folder}/made`),
  'fs/promises': async ({ file }) => (await import('node:fs/promises')).open(file),
  http: async ({ port }) => failure((await import('node:http')).get(`http://127.0.0.1:${port}`)),
  http2: async ({ port }) => failure((await import('node:http2')).connect(`http://127.0.0.1:${port}`)),
  https: async ({ port }) => failure((await import('node:https')).get(`https://127.0.0.1:${port}`)),
  inspector: async () => (await import('node:inspector')).open(0, '127.0.0.1'),
  'inspector/promises': async () => new (await import('node:inspector/promises')).Session().connect(),
  module: async ({ file }) => {
    ;(await import('node:module')).createRequire(file)(file)
  },
  net: () => (net as unknown as Undocumented)._createServerHandle('127.0.0.1', 0, 4),
  os: async ({ pid }) => (await import('node:os')).setPriority(pid, 19),
  process: ({ file }) => process.loadEnvFile(file),
  'node:sea': async () => (await import('node:sea')).getAsset('x'),
  'node:sqlite': async ({ folder }) => {
    const { DatabaseSync } = await import('node:sqlite')
    return new DatabaseSync(`${folder}/database`)
  },
  'node:test': async ({ file }) => {
    const { run } = await import('node:test')
    for await (const { type } of run({ files: [file] }))
      if (type === 'test:fail') throw new Error('the test failed')
  },
  tls: async ({ port }) => failure((await import('node:tls')).connect(port, '127.0.0.1')),
  trace_events: async () =>
    (await import('node:trace_events')).createTracing({ categories: ['node'] }).enable(),
  v8: async ({ folder }) => (await import('node:v8')).writeHeapSnapshot(`${folder}/heap`),
  'v8 flags': async ({ file }) => traceCompiler(file, (await import('node:v8')).setFlagsFromString),
  wasi: async () => new (await import('node:wasi')).WASI({ version: 'preview1', preopens: { '/': '/' } }),
  worker_threads: async () => new (await import('node:worker_threads')).Worker('0', { eval: true }),
}

/** Returns the built-in modules that no attempt covers, and those whose attempt succeeded. */
export async function listOpenModules(names: readonly string[], targets: Targets): Promise<string[]> {
  const open: string[] = []
  for (const name of names) {
    const attempt = attempts[name]
    const isOpen =
      attempt === undefined
        ? !harmless.includes(name)
        : await Promise.resolve(targets)
            .then(attempt)
            .then(
              () => true,
              () => false,
            )
    if (isOpen) open.push(name)
  }
  return open
}
