import { expectOk, persist, put, type Answer, type Client, type Failure, type Verified } from './client.ts'
import { content, md5 } from './content.ts'

/** What a client knows of one upload: all of it was acknowledged by a 200 that has arrived. */
export type Upload = {
  /** Goes into build_number, so that its builds are found in the list. */
  name: string
  seed: number
  sizeBytes: number
  id: string
  /** ETag by part number; 0 is the whole file. */
  stored: Map<number, string>
  verifySent: boolean
  buildIds: Set<string>
}

const verifiesAtOnce = 3

/**
 * Workers that upload and verify until they are told to stop, single and in parts; what cannot be done for the moment
 * they do again. Whatever is neither a 200 nor a service that is away goes into `complaints`.
 */
export function startLoad(client: Client, applicationId: string, { workers }: { workers: number }) {
  const uploads: Upload[] = []
  const parked: Upload[] = []
  const complaints: string[] = []
  let verified = 0
  const stopping = new AbortController()

  async function insist<T extends Answer<unknown>>(what: string, attempt: () => Promise<T>): Promise<T> {
    const answer = await persist(attempt)
    if (answer.status === 200) return answer
    complaints.push(`${what}: ${answer.status} ${answer.text}`)
    throw new Error(complaints.at(-1))
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
    const answer = await insist('request', () =>
      client.request(applicationId, {
        custom_build_number: upload.name,
        primary_file: { filename: `${upload.name}.bin`, size_bytes: sizeBytes },
        labels: ['crash'],
      }),
    )
    upload.id = answer.body.pending_upload_id
    const presigned = answer.body.primary_file.presigned_data
    if (sizeBytes < partBytes) await send(upload, 0, presigned)
    return upload
  }

  async function send(upload: Upload, number: number, signed: Parameters<typeof put>[0]): Promise<void> {
    const bytes = bytesOf(upload, number)
    const { etag } = await insist(`PUT of part ${number}`, () => put(signed, bytes))
    if (etag !== `"${md5(bytes)}"`)
      complaints.push(`part ${number} of ${upload.name} was answered with the ETag ${etag}`)
    upload.stored.set(number, etag)
  }

  async function sendPart(upload: Upload, number: number): Promise<void> {
    const { length } = bytesOf(upload, number)
    const { body } = await insist('part URL', () => client.part(upload.id, number, length))
    await send(upload, number, body.part_presigned_url)
  }

  async function verify(upload: Upload): Promise<void> {
    const chunks = [...upload.stored].map(([PartNumber, ETag]) => ({ PartNumber, ETag }))
    const list = upload.stored.has(0) ? {} : { multipart_chunks: chunks }
    upload.verifySent = true
    const verifyOnce = async () => {
      const { body }: Answer<Verified & Failure> = await insist(`verify of ${upload.name}`, () =>
        client.verify(upload.id, list),
      )
      upload.buildIds.add(body.build_id)
    }
    await Promise.all(Array.from({ length: verifiesAtOnce }, verifyOnce))
    verified++
  }

  async function oneBuild(turn: number): Promise<void> {
    const isMultipart = turn % 3 === 2
    const upload = await request(
      isMultipart ? 3 * partBytes + 1 + (turn % 5000) : 1 + ((turn * 7919) % (partBytes - 1)),
    )
    if (isMultipart) {
      // out of order, all at once
      await Promise.all([4, 2, 1, 3].map((number) => sendPart(upload, number)))
    }
    await verify(upload)
  }

  async function worker(first: number): Promise<void> {
    for (let turn = first; !stopping.signal.aborted; turn++) await oneBuild(turn)
  }

  const running = Promise.allSettled(Array.from({ length: workers }, (_, index) => worker(index)))

  return {
    uploads,
    complaints,
    verified: () => verified,
    stored: () => uploads.reduce((sum, { stored }) => sum + stored.size, 0),

    /** Stores two parts of an upload that is left lying until the end. */
    async park(): Promise<void> {
      const upload = await request(3 * partBytes + 1)
      parked.push(upload)
      await Promise.all([3, 1].map((number) => sendPart(upload, number)))
    },

    /** Waits for what is under way, then finishes what was parked. */
    async stop(): Promise<void> {
      stopping.abort()
      for (const outcome of await running)
        if (outcome.status === 'rejected') complaints.push(String(outcome.reason))
      for (const upload of parked) {
        await Promise.all([4, 2].map((number) => sendPart(upload, number)))
        await verify(upload)
      }
    },
  }
}

const partBytes = 96 * 1024

/** The bytes of one part; 0 is the whole. */
function bytesOf({ seed, sizeBytes }: Upload, number: number): Buffer<ArrayBuffer> {
  if (number === 0) return content(seed, 0, sizeBytes)
  const start = (number - 1) * partBytes
  return content(seed, start, Math.min(partBytes, sizeBytes - start))
}

/** Parts whose PUT was answered 200 and that the service does not know any more. */
export async function lostParts(client: Client, upload: Upload): Promise<number[]> {
  const stored = [...upload.stored]
  const { data } = expectOk(await persist(() => client.status(upload.id)))
  if (data.state !== 'requested' && data.state !== 'verifying') return []
  const [file] = data.files
  const known = new Map(file?.parts.map(({ part_number, etag }) => [part_number, etag]))
  if (file?.etag) known.set(0, file.etag)
  return stored.filter(([number, etag]) => `"${known.get(number)}"` !== etag).map(([number]) => number)
}
