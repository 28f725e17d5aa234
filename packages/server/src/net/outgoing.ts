import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type * as Undici from 'undici'
import type { Agent } from 'undici'
import type { AddressRules } from './address-rules.ts'

/** Thrown if a host has no address that the rules allow. */
export class ForbiddenAddress extends Error {
  constructor(host: string) {
    super(`${host} has no allowed address.`)
    this.name = 'ForbiddenAddress'
  }
}

const connectTimeoutMs = 5000

/** The signature of `dns.lookup` with the option `all`. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/**
 * Creates an agent for hosts from untrusted input. A socket connects only to an address that was checked, so a host
 * name cannot resolve to a different address between the check and the connection.
 */
export async function createGuardedAgent(rules: AddressRules, resolve: Resolve): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici')
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    lookup: guardedLookup(rules, resolve),
    autoSelectFamily: true,
  })
  return new Agent({
    maxHeaderSize: 16 * 1024,
    connect(options, callback) {
      // A host that is an IP address bypasses the lookup, so it is checked here.
      if (isIP(options.hostname) !== 0 && !rules.allows(options.hostname))
        return callback(new ForbiddenAddress(options.hostname), null)
      return connect(options, callback)
    },
  })
}

export function guardedLookup(rules: AddressRules, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '', 0)
      const allowed: LookupAddress[] = found.filter(({ address }) => rules.allows(address))
      const [first] = allowed
      if (first === undefined) return callback(new ForbiddenAddress(hostname), '', 0)
      return options.all === true ? callback(null, allowed) : callback(null, first.address, first.family)
    })
  }
}

type RequestOptions = NonNullable<Parameters<typeof Undici.request>[1]>

/**
 * Returns a client with a guarded agent. The HTTP library is loaded on the first request, because most services never
 * make one.
 */
function createGuardedClient(rules: AddressRules, resolve: Resolve) {
  let agent: Promise<Agent> | undefined
  return {
    async request(url: string, options: Omit<RequestOptions, 'dispatcher'>) {
      const { request } = await import('undici')
      const dispatcher = await (agent ??= createGuardedAgent(rules, resolve))
      return request(url, { ...options, dispatcher })
    },
    close: async () => (await agent)?.destroy(),
  }
}

export type JsonResponse = { status: number; json: unknown }

export interface JsonReader {
  /** Fetches JSON without following redirects; `json` is undefined if the body is not JSON or exceeds `maxBytes`. */
  get(
    url: string,
    options: { maxBytes: number; signal: AbortSignal; headers?: Record<string, string> },
  ): Promise<JsonResponse>
  close(): Promise<void>
}

/** Creates a reader that connects only to addresses that the rules allow. */
export function createJsonReader(
  rules: AddressRules,
  userAgent: string,
  resolve: Resolve = lookup,
): JsonReader {
  const client = createGuardedClient(rules, resolve)
  return {
    async get(url, { maxBytes, signal, headers: extra }) {
      const headers = { accept: 'application/json', 'user-agent': userAgent, ...extra }
      const { statusCode, body } = await client.request(url, { headers, signal })
      const chunks: Buffer[] = []
      let sizeBytes = 0
      for await (const chunk of body as AsyncIterable<Buffer>) {
        sizeBytes += chunk.length
        if (sizeBytes > maxBytes) return { status: statusCode, json: undefined }
        chunks.push(chunk)
      }
      return { status: statusCode, json: parseJson(Buffer.concat(chunks).toString()) }
    },
    close: () => client.close(),
  }
}

export type ReceivedResponse = {
  status: number
  headers: Record<string, string>
  /** The beginning of the body, up to `maxBytes`, as text. */
  text: string
}

export interface Poster {
  /**
   * Sends a POST request without following redirects, and reads up to `maxBytes` of the response. Once the status is
   * received, an interrupted body is not an error. Throws `ForbiddenAddress` or the connection error.
   */
  post(
    url: string,
    request: { headers: Record<string, string>; body: string; maxBytes: number; signal: AbortSignal },
  ): Promise<ReceivedResponse>
  close(): Promise<void>
}

/** Creates a client for POST requests that connects only to addresses that the rules allow. */
export function createPoster(rules: AddressRules, resolve: Resolve = lookup): Poster {
  const client = createGuardedClient(rules, resolve)
  return {
    async post(url, { maxBytes, ...options }) {
      const { statusCode, headers, body } = await client.request(url, { method: 'POST', ...options })
      const entries = Object.entries(headers).map(([name, value]) => [name, String(value ?? '')])
      return {
        status: statusCode,
        headers: Object.fromEntries(entries) as Record<string, string>,
        text: await readStart(body as AsyncIterable<Buffer>, maxBytes),
      }
    },
    close: () => client.close(),
  }
}

async function readStart(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      sizeBytes += chunk.length
      if (sizeBytes >= maxBytes) break
    }
  } catch {
    // Returns what was received before the connection failed.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
