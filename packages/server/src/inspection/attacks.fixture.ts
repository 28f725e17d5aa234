import { spawnSync } from 'node:child_process'
import dgram from 'node:dgram'
import { readdirSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs'
import net from 'node:net'
import { Worker } from 'node:worker_threads'
import { openParent } from './parent-source.ts'
import { restrictProcess } from './restrict-process.ts'

// Runs in place of inspection.process.ts and does what a hostile file might make it do. The file type selects the
// attack.

export type Targets = { file: string; folder: string; port: number; pid: number }

restrictProcess()
const parent = openParent()
const { source, filetype } = parent.receiveTask()
const targets = async () => JSON.parse((await source.read(0, source.sizeBytes)).toString()) as Targets

const info = (name: string, architectures: string[]) => ({
  ios_info: null,
  android_info: null,
  icon: null,
  file_info: {
    format: 'attack',
    name,
    version: null,
    build_number: null,
    publisher: null,
    minimum_os: null,
    signer: null,
    signature_status: null,
    architectures,
  },
})

const connected = (socket: net.Socket) =>
  new Promise<void>((resolve, reject) => socket.on('connect', resolve).on('error', reject))

/** The attempts to escape from the sandbox. Each of them must fail. */
const attempts: Record<string, (targets: Targets) => unknown> = {
  'read a file': ({ file }) => readFileSync(file),
  'list a folder': ({ folder }) => readdirSync(folder),
  'read the account database': () => readFileSync('/etc/passwd'),
  'write a file': ({ folder }) => writeFileSync(`${folder}/written`, 'x'),
  'start a process': ({ folder }) => {
    const { error } = spawnSync('/bin/sh', ['-c', `echo x > ${folder}/spawned`])
    if (error !== undefined) throw error
  },
  'start a thread': () => new Worker('0', { eval: true }),
  'connect a socket': ({ port }) => connected(net.connect(port, '127.0.0.1')),
  'send a request': ({ port }) => fetch(`http://127.0.0.1:${port}`),
  'send a datagram': ({ port }) => dgram.createSocket('udp4').send('x', port, '127.0.0.1'),
  listen: () => net.createServer().listen(0),
  'signal another process': ({ pid }) => process.kill(pid, 0),
  'load native code': ({ file }) => process.dlopen({ exports: {} }, file),
}

const attacks: Record<string, () => unknown> = {
  async escape() {
    // oxlint-disable-next-line node/no-process-env, eslint/no-restricted-properties
    const environment = JSON.stringify(process.env)
    const found = await targets()
    const succeeded: string[] = []
    for (const [name, attempt] of Object.entries(attempts)) {
      const failed = await Promise.resolve(found)
        .then(attempt)
        .then(
          () => false,
          () => true,
        )
      if (!failed) succeeded.push(name)
    }
    parent.send({ inspection: info(environment, succeeded) })
  },
  /** Reports the `connect` function that `restrictProcess` replaced and the network interfaces that the process has. */
  async connect() {
    const { port } = await targets()
    const { connect } = net.Socket.prototype as unknown as { connect: () => void }
    const interfaces = (await import('node:os')).networkInterfaces()
    parent.send({ inspection: info(`${connect.name} ${port}`, Object.keys(interfaces)) })
  },
  memory() {
    for (const kept: Buffer[] = []; ;) kept.push(Buffer.alloc(8 * 1024 * 1024, 1))
  },
  heap() {
    for (const kept: object[] = []; ;) kept.push(Array.from({ length: 1000 }, () => ({})))
  },
  loop() {
    for (;;);
  },
  wait() {
    for (;;) readSync(0, Buffer.alloc(1), 0, 1, null)
  },
  flood() {
    for (const line = Buffer.alloc(1024 * 1024, 'x'); ;) writeSync(1, line)
  },
  'invalid JSON': () => writeSync(1, 'this is not JSON\n'),
  'invalid result': () => writeSync(1, '{"inspection":{"ios_info":7}}\n'),
  'invalid range': () => writeSync(1, '{"read":{"offset":-1,"length":10}}\n'),
  'huge range': () => writeSync(1, '{"read":{"offset":0,"length":1e12}}\n'),
  crash: () => process.abort(),
  text() {
    parent.send({ inspection: info(`a\u0000b\ud800c ${'x'.repeat(10_000)}`, []) })
  },
}

await attacks[filetype]?.()
