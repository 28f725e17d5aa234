import { randomBytes, randomUUID } from 'node:crypto'
import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import type { Logger } from 'pino'
import type { S3Settings } from '../../config/storage.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Download, StagedFile } from '../driver.ts'
import { createS3Calls, type CreateAgents, type S3Calls } from '../s3/s3-client.ts'
import { allowOrigin } from '../s3/s3-cors.ts'
import { createS3Driver, type S3Driver } from '../s3/s3-driver.ts'
import { s3Layout } from '../s3/s3-layout.ts'
import { deleteObjects } from '../s3/s3-objects.ts'
import { requireAccepted } from '../s3/s3-responses.ts'
import { clientOrigin } from '../s3/s3-urls.ts'
import { explainStoreError } from './store-errors.ts'
import { runSteps, StepFailure, type Steps, type StoreReport } from './store-report.ts'

type Send = (
  url: string,
  options?: { method?: string; headers?: Record<string, string>; body?: Uint8Array; signal?: AbortSignal },
) => Promise<Response>

type Options = {
  /** The ID that the store has or will have. */
  id: string
  settings: S3Settings
  createAgents: CreateAgents
  /** Sends the requests of clients. */
  send: Send
  /** The origin of the console, which uploads from browsers. */
  origin: string
  findInstallationId: () => Promise<string | undefined>
  listStoreIds: () => Promise<string[]>
  clock: Pick<Clock, 'now'>
  log: Pick<Logger, 'warn'>
}

const maxClockSkewSeconds = 5 * 60
const requestTimeoutMs = 10_000

/**
 * Tries everything that the service and its clients do with a store, below a prefix of its own, and deletes what it has
 * written.
 */
export async function testStore(options: Options): Promise<StoreReport> {
  const { settings, createAgents, clock, log } = options
  const calls = createS3Calls(settings, createAgents)
  const prefix = `${settings.prefix}store-test-${randomUUID()}/`
  const driver = createS3Driver({
    settings: { ...settings, prefix },
    clock,
    log,
    createAgents,
    sweepsItself: false,
  })
  const context = { options, calls, driver }
  try {
    return await runSteps({ ...connectionSteps(context), ...fileSteps(context) }, (error, name) =>
      explainStoreError(error, name, settings),
    )
  } finally {
    await deleteObjects(calls, prefix).catch(() => undefined)
    await driver.close()
    calls.close()
  }
}

type Context = { options: Options; calls: S3Calls; driver: S3Driver }

const sendLimited = (
  { options }: Context,
  url: string,
  request: Parameters<Send>[1] = {},
): Promise<Response> => options.send(url, { ...request, signal: AbortSignal.timeout(requestTimeoutMs) })

/** Returns the steps that write nothing. */
function connectionSteps(context: Context) {
  const { options, calls } = context
  const { settings, clock } = options
  let skewSeconds: number | undefined
  return {
    async reach() {
      const url = await clientOrigin(settings)
      const response = await sendLimited(context, `${url}/`)
      await response.body?.cancel()
      const date = Date.parse(response.headers.get('date') ?? '')
      if (!Number.isNaN(date)) skewSeconds = Math.round((clock.now().getTime() - date) / 1000)
      return `${url} responds${url.startsWith('https:') ? ' with a valid certificate' : ' without encryption'}.`
    },

    async clock() {
      if (skewSeconds === undefined) return 'The store does not report its time.'
      if (Math.abs(skewSeconds) <= maxClockSkewSeconds)
        return `The clocks differ by ${Math.abs(skewSeconds)} s.`
      throw new StepFailure(
        `The clocks of this service and the store differ by ${Math.abs(skewSeconds)} s, so signed URLs are rejected.`,
        'Synchronize both clocks, for example with NTP.',
      )
    },

    async authenticate() {
      // Unlike a response to HEAD, an error response to this call names the reason.
      const input = { Bucket: settings.bucket, Prefix: settings.prefix, MaxKeys: 1 }
      await calls.run((client, call) => client.send(new ListObjectsV2Command(input), call))
      return `The keys are valid, and the bucket ${settings.bucket} exists.`
    },

    ownership: () => checkOwner(options),
  } satisfies Partial<Steps>
}

/** Returns the steps that use one file after another. */
function fileSteps(context: Context) {
  const bytes = randomBytes(1000)
  const file: StagedFile = {
    key: randomUUID(),
    sizeBytes: bytes.length,
    filename: 'store test.bin',
    contentType: 'application/octet-stream',
  }
  return { ...transferSteps(context, file, bytes), ...objectSteps(context, file) } satisfies Partial<Steps>
}

/** Returns the steps that send and receive the bytes of files. */
function transferSteps(context: Context, file: StagedFile, bytes: Buffer) {
  const { driver } = context
  const send = (url: string, request?: Parameters<Send>[1]) => sendLimited(context, url, request)
  const download: Download = { ...file, expiresInSeconds: 60 }
  return {
    async write() {
      const { url, headers } = await driver.signPut(file, { expiresInSeconds: 60 })
      await requireOk('PUT', await send(url, { method: 'PUT', headers, body: bytes }))
      const object = await driver.seal(file.key, '', await driver.listStaged(file.key, ''))
      await driver.prune(object)
      return `Uploaded ${bytes.length} bytes to a signed URL and copied them to their final name.`
    },

    async read() {
      const range = { range: 'bytes=10-19' }
      const url = await driver.signGet(file, download)
      const got = await requireOk('GET', await send(url, { headers: range }))
      if (!Buffer.from(await got.arrayBuffer()).equals(bytes.subarray(10, 20)))
        throw new StepFailure(
          'The store returned other bytes than were uploaded.',
          'Use a store that supports range requests.',
        )
      if (got.headers.get('content-disposition')?.startsWith('attachment') !== true)
        throw new StepFailure(
          'The store ignores response-content-disposition, so browsers would open files instead of saving them.',
          'Use a store that supports this parameter of GetObject.',
        )
      const found = await driver.findSealed(file.key)
      if (found !== undefined) await driver.checksums(found)
      return 'Read a range of the file from a signed URL, and the whole file with its checksum.'
    },

    async multipart() {
      const parts = { ...file, key: randomUUID() }
      const multipartId = await driver.openMultipart(parts)
      const part = { multipartId, partNumber: 1, sizeBytes: bytes.length, expiresInSeconds: 60 }
      await requireOk('PUT', await send(await driver.signPart(parts, part), { method: 'PUT', body: bytes }))
      const staged = await driver.listStaged(parts.key, multipartId)
      await driver.remove(await driver.seal(parts.key, multipartId, staged))
      const aborted = { ...file, key: randomUUID() }
      await driver.discard(aborted.key, await driver.openMultipart(aborted))
      return 'Uploaded a part, listed and completed the upload, and aborted another one.'
    },
  } satisfies Partial<Steps>
}

/** Returns the steps that list and delete the file, and allow browsers to send files. */
function objectSteps(context: Context, file: StagedFile) {
  const { options, calls, driver } = context
  return {
    async list() {
      const names: string[] = []
      for await (const found of driver.listKeys({ unchangedSince: new Date(8.64e15) })) names.push(found.key)
      if (!names.includes(file.key))
        throw new StepFailure(
          'The file that was just written is missing from the list of the bucket.',
          'Use a store with consistent lists.',
        )
      await driver.check()
      return 'Listed the file and the unfinished uploads.'
    },

    async delete() {
      await driver.remove(file)
      if ((await driver.findSealed(file.key)) !== undefined)
        throw new StepFailure(
          'The file still exists after it was deleted.',
          'Allow s3:DeleteObject, and disable object lock for this bucket.',
        )
      return 'Deleted the file.'
    },

    cors: () =>
      allowOrigin({
        calls,
        settings: options.settings,
        origin: options.origin,
        signUrl: async () => (await driver.signPut(file, { expiresInSeconds: 60 })).url,
        send: (url, request) => sendLimited(context, url, request),
      }),
  } satisfies Partial<Steps>
}

/** Throws if the bucket contains the files of another application or installation under the same prefix. */
async function checkOwner({ id, settings, createAgents, clock, log, ...options }: Options): Promise<string> {
  const driver = createS3Driver({ settings, clock, log, createAgents, sweepsItself: false })
  try {
    const [owner, installationId, storeIds] = [
      await driver.identity.findId(),
      await options.findInstallationId(),
      await options.listStoreIds(),
    ]
    const place = s3Layout(settings.prefix).installationId
    if (owner === undefined) {
      if (await driver.identity.hasFiles())
        throw new StepFailure(
          'The bucket already contains files of a Quayside installation under this prefix.',
          'Use an empty bucket or another prefix.',
        )
      return 'Nothing else uses this bucket and prefix.'
    }
    const [ownerInstallation, ownerStore] = owner.split('/')
    // The row of a store that was claimed but not saved does not exist.
    const isFree = ownerStore !== undefined && ownerStore !== id && !storeIds.includes(ownerStore)
    if (ownerInstallation === installationId && (ownerStore === id || isFree))
      return 'The bucket and prefix belong to this application.'
    throw new StepFailure(
      'The bucket and prefix belong to another application or to another installation.',
      `Use another bucket or prefix. If the other installation no longer exists, delete the object ${place} in the bucket first.`,
    )
  } finally {
    await driver.close()
  }
}

const requireOk = (method: string, response: Response): Promise<Response> =>
  requireAccepted(method, response, {
    ownerAcl: 'Choose the ACL bucket-owner-full-control.',
    noAcl: 'If the store supports no ACLs, choose the ACL none.',
    other:
      'Allow s3:PutObject and s3:GetObject for these keys, and check the endpoint, the region and the path style.',
  })
