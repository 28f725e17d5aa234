import { Agent as HttpAgent, type AgentOptions } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from '../../config/storage.ts'
import { reuseReadBuffers } from '../local/reused-read-buffers.ts'
import { storageUnavailable } from '../storage-errors.ts'
import { createCircuit } from './circuit.ts'
import { isMissing, isOutage, noSuchBucket } from './s3-errors.ts'

type CallOptions = { abortSignal: AbortSignal }

export type S3Calls = {
  bucket: string
  /** For bodies that are sent as slowly as a client sends them, so that they do not occupy the connections of other calls. */
  relayAgents: { httpAgent: HttpAgent; httpsAgent: HttpsAgent }
  /** Signs URLs for clients. */
  signingClient: S3Client
  /**
   * Runs a call. Throws `unavailable` within 10 s if S3 does not respond, and immediately while S3 is known to be down.
   * Throws errors that S3 reports unchanged.
   */
  run<T>(call: (client: S3Client, options: CallOptions) => Promise<T>, signal?: AbortSignal): Promise<T>
  /**
   * Throws `unavailable` if S3 does not respond or the bucket does not exist, which the response to HEAD of an object
   * does not show. Asks S3 at most once a second.
   */
  requireBucket(): Promise<void>
  /**
   * Runs a call that S3 may take minutes for, such as a copy. It is aborted only if S3 stops responding to other calls.
   */
  runLong<T>(call: (client: S3Client, options: CallOptions) => Promise<T>): Promise<T>
  close(): void
}

const callTimeoutMs = 10_000
const connectTimeoutMs = 3_000
const pingIntervalMs = 5_000
const pingTimeoutMs = 4_000
const maxSockets = 256
const bucketCheckMs = 1_000

/** Creates the agents of a client, for example agents that connect only to some addresses. */
export type CreateAgents = (options: AgentOptions) => { httpAgent: HttpAgent; httpsAgent: HttpsAgent }

const createPlainAgents: CreateAgents = (options) => ({
  httpAgent: new HttpAgent(options),
  httpsAgent: new HttpsAgent(options),
})

/** Opens a client for a bucket. Makes no call. */
export function createS3Calls(settings: S3Settings, createAgents: CreateAgents = createPlainAgents): S3Calls {
  const { httpAgent, httpsAgent } = createAgents({ keepAlive: true, maxSockets })
  for (const agent of [httpAgent, httpsAgent]) reuseReadBuffers(agent)
  const relayAgents = createAgents({ keepAlive: false })
  const client = createCallClient(settings, { httpAgent, httpsAgent })
  const signingClient = createSigningClient(settings)
  const circuit = createCircuit({
    maxFailures: 5,
    openMs: 500,
    isFailure: isOutage,
    refuse: () => storageUnavailable(),
  })

  const run: S3Calls['run'] = (call, signal) =>
    circuit.run(async () => {
      const timeout = AbortSignal.timeout(callTimeoutMs)
      const abortSignal = signal === undefined ? timeout : AbortSignal.any([timeout, signal])
      try {
        return await call(client, { abortSignal })
      } catch (error) {
        signal?.throwIfAborted()
        throw error
      }
    })

  return {
    requireBucket: createBucketCheck(run, settings.bucket),
    bucket: settings.bucket,
    relayAgents,
    signingClient,
    run,
    runLong: (call) =>
      circuit.run(async () => {
        const stop = new AbortController()
        const ping = () =>
          client
            .send(new HeadBucketCommand({ Bucket: settings.bucket }), {
              abortSignal: AbortSignal.timeout(pingTimeoutMs),
            })
            .catch((error: unknown) => {
              if (isOutage(error)) stop.abort(error)
            })
        const timer = setInterval(() => void ping(), pingIntervalMs)
        try {
          return await call(client, { abortSignal: stop.signal })
        } finally {
          clearInterval(timer)
        }
      }),
    close() {
      client.destroy()
      signingClient.destroy()
      httpAgent.destroy()
      httpsAgent.destroy()
      relayAgents.httpAgent.destroy()
      relayAgents.httpsAgent.destroy()
    },
  }
}

const commonSettings = ({ region, forcePathStyle, credentials }: S3Settings) => ({
  region,
  forcePathStyle,
  ...(credentials && { credentials }),
  // By default, a signed URL would contain the checksum of an empty body, and many stores reject the checksums of AWS.
  requestChecksumCalculation: 'WHEN_REQUIRED' as const,
  responseChecksumValidation: 'WHEN_REQUIRED' as const,
})

const createCallClient = (settings: S3Settings, agents: ReturnType<CreateAgents>): S3Client =>
  new S3Client({
    ...commonSettings(settings),
    ...(settings.endpoint !== undefined && { endpoint: settings.endpoint }),
    maxAttempts: 3,
    requestHandler: { connectionTimeout: connectTimeoutMs, ...agents },
  })

function createSigningClient(settings: S3Settings): S3Client {
  const publicEndpoint = settings.publicEndpoint ?? settings.endpoint
  return new S3Client({
    ...commonSettings(settings),
    ...(publicEndpoint !== undefined && { endpoint: publicEndpoint }),
  })
}

function createBucketCheck(run: S3Calls['run'], bucket: string): S3Calls['requireBucket'] {
  let latest: { atMs: number; done: Promise<void> } | undefined

  const checkBucket = (): Promise<void> =>
    run((s3, options) => s3.send(new HeadBucketCommand({ Bucket: bucket }), options)).then(
      () => undefined,
      (error: unknown) => {
        // Credentials that may not list the bucket can still be valid for its objects.
        if (isMissing(error)) throw storageUnavailable({ cause: noSuchBucket(bucket) })
        if (isOutage(error)) throw storageUnavailable({ cause: error })
      },
    )

  return () => {
    const now = performance.now()
    if (latest === undefined || now - latest.atMs > bucketCheckMs) latest = { atMs: now, done: checkBucket() }
    return latest.done
  }
}
