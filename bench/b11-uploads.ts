import { createTestClient, presignPut, startS3Server } from '../packages/server/test/s3-server.ts'
import { createBigFile } from './big-file.ts'
import { run, seconds } from './commands.ts'
import { smallUploads, uploadCycles } from './load-clients.ts'
import { startNginx } from './peer-nginx.ts'
import { startTus } from './peer-tus.ts'
import { median, option, report, type Line } from './report.ts'
import { startService } from './service.ts'
import { createApiKey, createApplication, putArguments, uploadBuild } from './uploads.ts'

// B11 compares whole uploads (request, PUT and verify) with @tus/server, nginx WebDAV and Ceph: one large file, many files
// four at a time, and files of 1 KiB. Ceph keeps its data on disk; tus and nginx neither hash nor sync files.
const rounds = option('rounds', 3)
const sizeMb = option('size-mb', 1024)
const files = option('files', 16)
const fileMb = option('file-mb', 64)
const smallCount = option('small-count', 1_000)
const clients = option('clients', 16)
const parallel = 4
const smallBytes = 1024

type Target = { method: string; url: string; headers?: Record<string, string> }

const diskGib = Math.ceil(((rounds + 1) * (sizeMb + files * fileMb)) / 1024) + 5
const ceph = await startS3Server({ diskBytes: `${diskGib}G` })
await ceph.ready
const s3 = createTestClient(ceph.server)
const [nginx, tus, service] = await Promise.all([startNginx(), startTus(), startService()])
const applicationId = await createApplication(service)
const key = await createApiKey(service, applicationId, 'builds:create')
const large = await createBigFile(sizeMb)
const medium = await createBigFile(fileMb)
let uploads = 0

/** For each peer, what an upload of a new file is. */
const peers: Record<string, (sizeBytes: number) => Promise<Target>> = {
  tus: async (sizeBytes) => ({ method: 'POST', url: tus.url, headers: tus.headersFor(sizeBytes) }),
  nginx: async () => ({ method: 'PUT', url: `${nginx.url}/${uploads++}` }),
  radosgw: async () => ({ method: 'PUT', url: await presignPut(s3, `file-${uploads++}`) }),
}

type File = { path: string; sizeBytes: number }
type Contender = { send: (file: File) => Promise<unknown>; sendSmall: () => Promise<number> }

const contenders: Record<string, Contender> = {
  ours: {
    send: ({ path, sizeBytes }) => uploadBuild(service, applicationId, path, sizeBytes, uploads++),
    sendSmall: () =>
      uploadCycles({
        origin: service.origin,
        key,
        applicationId,
        clients,
        seconds: 3_600,
        maxCycles: smallCount,
      }),
  },
  ...Object.fromEntries(
    Object.entries(peers).map(([name, targetFor]): [string, Contender] => [
      name,
      {
        send: async ({ path, sizeBytes }) => run('curl', putArguments(path, await targetFor(sizeBytes))),
        async sendSmall() {
          const targets = await Promise.all(Array.from({ length: smallCount }, () => targetFor(smallBytes)))
          const { method, headers = {} } = targets[0] ?? (await targetFor(smallBytes))
          return smallUploads({
            method,
            urls: targets.map(({ url }) => url),
            headers,
            bytes: smallBytes,
            clients,
          })
        },
      },
    ]),
  ),
}

/** Sends a file as often as `files` says, four at a time. */
async function sendMany({ send }: Contender): Promise<void> {
  let left = files
  const sender = async () => {
    while (left-- > 0) await send(medium)
  }
  await Promise.all(Array.from({ length: Math.min(parallel, files) }, sender))
}

const workloads: Record<
  string,
  { unit: string; goals: Record<string, number>; rate: (of: Contender) => Promise<number> }
> = {
  [`1 file of ${sizeMb} MiB`]: {
    unit: 'MiB/s',
    goals: { tus: 1, radosgw: 1 },
    rate: async ({ send }) => sizeMb / (await seconds(() => send(large))),
  },
  [`${files} files of ${fileMb} MiB`]: {
    unit: 'MiB/s',
    goals: { tus: 1, radosgw: 1 },
    rate: async (contender) => (files * fileMb) / (await seconds(() => sendMany(contender))),
  },
  [`files of 1 KiB, ${clients} clients`]: {
    unit: '/s',
    goals: { radosgw: 0.5 },
    rate: ({ sendSmall }) => sendSmall(),
  },
}

const lines: Line[] = []
const rates: Record<string, Record<string, number[]>> = {}
for (const [name, { unit, goals, rate }] of Object.entries(workloads)) {
  const measured: Record<string, number[]> = Object.fromEntries(
    Object.keys(contenders).map((contender) => [contender, []]),
  )
  // The first round warms up the caches and is not counted.
  for (let round = 0; round <= rounds; round++)
    for (const [contender, each] of Object.entries(contenders)) {
      const value = await rate(each)
      if (round > 0) measured[contender]?.push(value)
      await tus.removeFiles()
    }
  rates[name] = measured
  for (const limitName of Object.keys(peers)) {
    const goal = goals[limitName]
    const [ours, limit] = [median(measured['ours'] ?? []), median(measured[limitName] ?? [])]
    lines.push({ name, ours, limit, limitName, unit, ...(goal !== undefined && { goal }) })
  }
}
await report('B11', lines, { rounds, 'peak server memory, MB': await service.peakMemoryMb(), rates })
s3.destroy()
await Promise.all([service.stop(), nginx.stop(), tus.stop(), ceph.stop(), large.remove(), medium.remove()])
