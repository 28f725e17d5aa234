import { spawnSync } from 'node:child_process'
import dgram from 'node:dgram'
import { readdirSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { builtinModules } from 'node:module'
import net from 'node:net'
import v8 from 'node:v8'
import { Worker } from 'node:worker_threads'
import { unknownPackage } from './inspection.ts'
import { listOpenModules, traceCompiler, type Targets } from './module-attacks.fixture.ts'
import { openParent } from './parent-source.ts'
import { restrictProcess } from './restrict-process.ts'
import type { InspectionTask } from './run-inspection.ts'

// Runs in place of inspection.process.ts and does what a hostile file might make it do. The file type selects the
// attack.

// Code that finds the original function must not be able to use it.
const { setFlagsFromString } = v8
restrictProcess()
const parent = openParent()
const { task, sources } = parent.receiveTask()
const targets = async () => JSON.parse(String(await sources[0]?.read(0, task.sourceBytes[0] ?? 0))) as Targets

const info = (name: string, architectures: string[]) => ({
  ios_info: null,
  android_info: null,
  icon: null,
  debug_ids: [],
  artifact_format: null,
  deb_control: null,
  rpm_header: null,
  pacman_info: null,
  provisioned_devices: null,
  file_info: {
    ...unknownPackage,
    format: 'attack',
    name,
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
  async modules() {
    const names = [...new Set([...builtinModules, 'node:sqlite', 'v8 flags'])]
    parent.send({
      inspection: info(`${names.length} modules`, await listOpenModules(names, await targets())),
    })
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
  async flags() {
    traceCompiler((await targets()).file, setFlagsFromString)
    parent.send({ inspection: info('flags were changed', []) })
  },
  text() {
    parent.send({ inspection: info(`a\u0000b\ud800c ${'x'.repeat(10_000)}`, []) })
  },
}

await attacks[(task as InspectionTask).filetype]?.()
