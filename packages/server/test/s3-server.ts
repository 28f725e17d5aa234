import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CreateBucketCommand, PutBucketCorsCommand, S3Client } from '@aws-sdk/client-s3'
import { freePort } from './acceptance/free-port.ts'
import { testBucket, type S3Server } from './acceptance/test-storage.ts'

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
}

/** Starts a Ceph cluster that keeps its data in memory, which takes about 12 s. Tries again if a port was taken. */
export const startS3Server = (options: Options = {}) => startOnce(options).catch(() => startOnce(options))

async function startOnce({ minPartBytes }: Options) {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-s3-'))
  const run = (action: 'start' | 'stop', ports: Record<string, string> = {}) =>
    promisify(execFile)(script, [action, folder], { env: { ...process.env, ...ports } })
  const stop = async () => {
    await run('stop')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const [port, monitorPort] = await Promise.all([freePort(), freePort()])
    const { stdout } = await run('start', {
      S3_PORT: String(port),
      MONITOR_PORT: String(monitorPort),
      S3_ACCESS_KEY: credentials.accessKeyId,
      S3_SECRET_KEY: credentials.secretAccessKey,
      ...(minPartBytes !== undefined && { S3_MIN_PART_BYTES: String(minPartBytes) }),
    })
    const server: S3Server = { endpoint: stdout.trim(), ...credentials }
    const client = new S3Client({ ...server, credentials, region: 'us-east-1', forcePathStyle: true })
    await client.send(new CreateBucketCommand({ Bucket: testBucket }))
    // Each test of the console has an origin of its own; `admin storage-setup` allows one.
    const rule = {
      AllowedOrigins: ['*'],
      AllowedMethods: ['GET', 'HEAD', 'PUT'],
      AllowedHeaders: ['*'],
      ExposeHeaders: ['ETag'],
    }
    await client.send(
      new PutBucketCorsCommand({ Bucket: testBucket, CORSConfiguration: { CORSRules: [rule] } }),
    )
    client.destroy()
    return { server, folder, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

let own: Promise<Awaited<ReturnType<typeof startS3Server>>> | undefined

/**
 * Returns the S3 server of this test run, or starts one for this process. `release` stops a server that was started for
 * this process.
 */
export async function sharedS3Server(): Promise<{ server: S3Server; release: () => Promise<void> }> {
  const inherited = process.env['QUAYSIDE_TEST_S3']
  if (inherited !== undefined) return { server: JSON.parse(inherited) as S3Server, release: async () => {} }
  own ??= startS3Server()
  const { server, stop } = await own
  return {
    server,
    release: async () => {
      own = undefined
      await stop()
    },
  }
}
