import {
  expectOk,
  retryWhileUnavailable,
  put,
  type ApiResponse,
  type Client,
  type Failure,
  type Verified,
} from './client.ts'
import { content, md5 } from './content.ts'

/** The state of an upload according to the successful responses that the client received. */
export type Upload = {
  /** The `build_number`, which identifies the build in lists. */
  name: string
  seed: number
  sizeBytes: number
  id: string
  /** ETags by part number. Number 0 stands for the whole file. */
  stored: Map<number, string>
  verifySent: boolean
  buildIds: Set<string>
}

const concurrentVerifies = 3

/**
 * Starts workers that upload builds, in a single PUT or in parts, and verify them until `stop` is called. The workers
 * retry while the service is unavailable. Other failures are added to `failures`.
 */
export function startLoad(client: Client, applicationId: string, { workers }: { workers: number }) {
  const uploads: Upload[] = []
  const postponed: Upload[] = []
  const failures: string[] = []
  let verified = 0
  const stopping = new AbortController()

  async function requireOk<T extends ApiResponse<unknown>>(
    name: string,
    attempt: () => Promise<T>,
  ): Promise<T> {
    const response = await retryWhileUnavailable(attempt)
    if (response.status === 200) return response
    failures.push(`${name}: ${response.status} ${response.text}`)
    throw new Error(failures.at(-1))
  }

  async function request(sizeBytes: number): Promise<Upload> {
    const seed = uploads.length
    const upload = {
      name: `upload-${seed}`,
      seed,
      sizeBytes,
      id: '',
      stored: new Map(),
      verifySent: false,
      buildIds: new Set<string>(),
    }
    uploads.push(upload)
    const response = await requireOk('request', () =>
      client.request(applicationId, {
        custom_build_number: upload.name,
        primary_file: { filename: `${upload.name}.bin`, size_bytes: sizeBytes },
        labels: ['crash'],
      }),
    )
    upload.id = response.body.pending_upload_id
    const presigned = response.body.primary_file.presigned_data
    if (sizeBytes < partBytes) await send(upload, 0, presigned)
    return upload
  }

  async function send(upload: Upload, number: number, signed: Parameters<typeof put>[0]): Promise<void> {
    const bytes = bytesOf(upload, number)
    const { etag } = await requireOk(`PUT of part ${number}`, () => put(signed, bytes))
    if (etag !== `"${md5(bytes)}"`) failures.push(`part ${number} of ${upload.name} got the ETag ${etag}`)
    upload.stored.set(number, etag)
  }

  async function sendPart(upload: Upload, number: number): Promise<void> {
    const { length } = bytesOf(upload, number)
    const { body } = await requireOk('part URL', () => client.part(upload.id, number, length))
    await send(upload, number, body.part_presigned_url)
  }

  async function verify(upload: Upload): Promise<void> {
    const chunks = [...upload.stored].map(([PartNumber, ETag]) => ({ PartNumber, ETag }))
    const list = upload.stored.has(0) ? {} : { multipart_chunks: chunks }
    upload.verifySent = true
    const verifyOnce = async () => {
      const { body }: ApiResponse<Verified & Failure> = await requireOk(`verify of ${upload.name}`, () =>
        client.verify(upload.id, list),
      )
      upload.buildIds.add(body.build_id)
    }
    await Promise.all(Array.from({ length: concurrentVerifies }, verifyOnce))
    verified++
  }

  async function createBuild(turn: number): Promise<void> {
    const isMultipart = turn % 3 === 2
    const upload = await request(
      isMultipart ? 3 * partBytes + 1 + (turn % 5000) : 1 + ((turn * 7919) % (partBytes - 1)),
    )
    if (isMultipart) await Promise.all([4, 2, 1, 3].map((number) => sendPart(upload, number)))
    await verify(upload)
  }

  async function worker(first: number): Promise<void> {
    for (let turn = first; !stopping.signal.aborted; turn++) await createBuild(turn)
  }

  const running = Promise.allSettled(Array.from({ length: workers }, (_, index) => worker(index)))

  return {
    uploads,
    failures,
    verified: () => verified,
    stored: () => uploads.reduce((sum, { stored }) => sum + stored.size, 0),

    /** Starts an upload and stores two of its parts; `stop` completes it. */
    async postpone(): Promise<void> {
      const upload = await request(3 * partBytes + 1)
      postponed.push(upload)
      await Promise.all([3, 1].map((number) => sendPart(upload, number)))
    },

    /** Stops the workers after their current uploads, then completes the postponed uploads. */
    async stop(): Promise<void> {
      stopping.abort()
      for (const outcome of await running)
        if (outcome.status === 'rejected') failures.push(String(outcome.reason))
      for (const upload of postponed) {
        await Promise.all([4, 2].map((number) => sendPart(upload, number)))
        await verify(upload)
      }
    },
  }
}

const partBytes = 96 * 1024

/** Returns the bytes of a part. Number 0 stands for the whole file. */
function bytesOf({ seed, sizeBytes }: Upload, number: number): Buffer<ArrayBuffer> {
  if (number === 0) return content(seed, 0, sizeBytes)
  const start = (number - 1) * partBytes
  return content(seed, start, Math.min(partBytes, sizeBytes - start))
}

/** Returns the numbers of acknowledged parts that the service has lost. */
export async function lostParts(client: Client, upload: Upload): Promise<number[]> {
  const stored = [...upload.stored]
  const { data } = expectOk(await retryWhileUnavailable(() => client.status(upload.id)))
  if (data.state !== 'requested' && data.state !== 'verifying') return []
  const [file] = data.files
  const known = new Map(file?.parts.map(({ part_number, etag }) => [part_number, etag]))
  if (file?.etag) known.set(0, file.etag)
  return stored.filter(([number, etag]) => `"${known.get(number)}"` !== etag).map(([number]) => number)
}
