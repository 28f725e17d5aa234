import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  CreateBucketCommand,
  ListObjectsV2Command,
  PutBucketCorsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { freePort } from './acceptance/free-port.ts'
import { testBucket, type S3Server } from './acceptance/test-storage.ts'
import { until } from './until.ts'

const script = join(import.meta.dirname, '../../../scripts/s3-server.sh')
const programs = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'monmaptool']
const credentials = { accessKeyId: 'test', secretAccessKey: 'test-secret' }

/** The reason why no S3 server can run here, for the `skip` option of tests; false if one can. CI never skips. */
export const missingS3Server: string | false =
  process.env['QUAYSIDE_TEST_S3'] === undefined &&
  process.env['CI'] === undefined &&
  programs.some((program) => spawnSync('which', [program]).status !== 0)
    ? 'requires Ceph; scripts/install-test-tools.sh installs it'
    : false

type Options = {
  /** The minimum size of parts except the last one. Default: 5 MiB, as in AWS. */
  minPartBytes?: number
  /** The size of a file, such as `20G`, that keeps the data. Default: the data is in memory, at most 6 GiB. */
  diskBytes?: string
}

/**
 * Starts a Ceph cluster, which takes about 12 s. Returns its address before it is ready.
 * `ready` rejects if it cannot be started.
 */
export async function startS3Server(options: Options = {}) {
  const ports = { api: await freePort(), monitor: await freePort() }
  const server: S3Server = { endpoint: `http://127.0.0.1:${ports.api}`, ...credentials }
  // On a busy machine, the programs of Ceph sometimes fail to reach each other in time.
  const starting = startCluster(server, ports, options).catch(() => startCluster(server, ports, options))
  return { server, ready: starting.then(() => {}), stop: async () => (await starting.catch(() => {}))?.() }
}

/** Starts a cluster and creates the bucket of the tests. Returns a function that stops the cluster. */
async function startCluster(
  server: S3Server,
  ports: { api: number; monitor: number },
  { minPartBytes, diskBytes }: Options,
): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-s3-'))
  const kill = () => void spawnSync(script, ['stop', folder])
  // The programs of Ceph are daemons, which would outlive a run that ends early.
  process.once('exit', kill)
  const stop = async () => {
    kill()
    process.off('exit', kill)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const settings = {
    S3_PORT: String(ports.api),
    MONITOR_PORT: String(ports.monitor),
    S3_ACCESS_KEY: credentials.accessKeyId,
    S3_SECRET_KEY: credentials.secretAccessKey,
    ...(minPartBytes !== undefined && { S3_MIN_PART_BYTES: String(minPartBytes) }),
    ...(diskBytes !== undefined && { S3_DISK_BYTES: diskBytes }),
  }
  try {
    await promisify(execFile)(script, ['start', folder], { env: { ...process.env, ...settings } })
    await createTestBucket(server)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

export const createTestClient = ({ endpoint }: S3Server): S3Client =>
  new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true })

/** Returns a URL with which an object is stored in the bucket of the tests. */
export const presignPut = (client: S3Client, Key: string): Promise<string> =>
  getSignedUrl(client, new PutObjectCommand({ Bucket: testBucket, Key }))

/** Creates a bucket without CORS settings. */
export async function createBucket(server: S3Server, bucket: string): Promise<void> {
  const client = createTestClient(server)
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
}

/** Stores objects, by their keys, in the bucket of the tests. */
export async function putObjects(server: S3Server, objects: Map<string, Buffer>): Promise<void> {
  const client = createTestClient(server)
  for (const [Key, Body] of objects)
    await client.send(new PutObjectCommand({ Bucket: testBucket, Key, Body }))
  client.destroy()
}

/** Returns the sizes of the objects whose names start with `prefix`, in ascending order. */
export async function listSizes(server: S3Server, bucket: string, prefix: string): Promise<number[]> {
  const client = createTestClient(server)
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }))
  client.destroy()
  return Contents.map(({ Size = 0 }) => Size).toSorted((a, b) => a - b)
}

async function createTestBucket(server: S3Server): Promise<void> {
  await createBucket(server, testBucket)
  const client = createTestClient(server)
  // Each test of the console has an origin of its own; `admin storage-setup` allows one.
  const rule = {
    AllowedOrigins: ['*'],
    AllowedMethods: ['GET', 'HEAD', 'PUT'],
    AllowedHeaders: ['*'],
    ExposeHeaders: ['ETag'],
  }
  const input = { Bucket: testBucket, CORSConfiguration: { CORSRules: [rule] } }
  await client.send(new PutBucketCorsCommand(input))
  client.destroy()
}

let own: Promise<Awaited<ReturnType<typeof startS3Server>>> | undefined

/**
 * Returns the S3 server of this test run, or starts one for this process. `release` stops a server that was started for
 * this process.
 */
export async function sharedS3Server(): Promise<{ server: S3Server; release: () => Promise<void> }> {
  const inherited = process.env['QUAYSIDE_TEST_S3']
  if (inherited !== undefined) {
    const server = JSON.parse(inherited) as S3Server
    // The run starts its tests while the server is starting.
    await until('the bucket of the tests exists', () => hasBucket(server), {
      withinMs: 120_000,
      everyMs: 100,
    })
    return { server, release: async () => {} }
  }
  own ??= startS3Server()
  const { server, ready, stop } = await own
  await ready
  return {
    server,
    release: async () => {
      own = undefined
      await stop()
    },
  }
}

/** Returns whether the bucket exists, in which case a request without a signature is denied. */
async function hasBucket({ endpoint }: S3Server): Promise<boolean> {
  const response = await fetch(`${endpoint}/${testBucket}`).catch(() => undefined)
  await response?.body?.cancel()
  return response?.status === 403
}
