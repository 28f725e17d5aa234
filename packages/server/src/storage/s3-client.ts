import { Agent as HttpAgent, type AgentOptions } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from '../config-storage.ts'
import { createCircuit } from '../lib/circuit.ts'
import { reuseReadBuffers } from '../lib/reused-read-buffers.ts'
import { isOutage, s3Unavailable } from './s3-errors.ts'

type CallOptions = { abortSignal: AbortSignal }

export type S3Calls = {
  bucket: string
  /** Signs URLs for clients. */
  signingClient: S3Client
  /**
   * Runs a call. Throws `unavailable` within 10 s if S3 does not respond, and immediately while S3 is known to be down.
   * Throws errors that S3 reports unchanged.
   */
  run<T>(call: (client: S3Client, options: CallOptions) => Promise<T>, signal?: AbortSignal): Promise<T>
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
  const common = {
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    ...(settings.credentials && { credentials: settings.credentials }),
    // By default, a signed URL would contain the checksum of an empty body, and many stores reject the checksums of AWS.
    requestChecksumCalculation: 'WHEN_REQUIRED' as const,
    responseChecksumValidation: 'WHEN_REQUIRED' as const,
  }
  const client = new S3Client({
    ...common,
    ...(settings.endpoint !== undefined && { endpoint: settings.endpoint }),
    maxAttempts: 3,
    requestHandler: { connectionTimeout: connectTimeoutMs, httpAgent, httpsAgent },
  })
  const publicEndpoint = settings.publicEndpoint ?? settings.endpoint
  const signingClient = new S3Client({
    ...common,
    ...(publicEndpoint !== undefined && { endpoint: publicEndpoint }),
  })
  const circuit = createCircuit({
    maxFailures: 5,
    openMs: 500,
    isFailure: isOutage,
    refuse: () => s3Unavailable(),
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
    bucket: settings.bucket,
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
    },
  }
}
