import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, request } from 'undici'
import type { AddressRules } from './address-rules.ts'

/** Thrown where every address of a host is one that the service may not dial. */
export class ForbiddenAddress extends Error {
  constructor(host: string) {
    super(`${host} has no address that may be called.`)
    this.name = 'ForbiddenAddress'
  }
}

const connectTimeoutMs = 5000

/** What `dns.lookup` does when it is asked for all addresses. */
type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/** Connections to hosts that somebody else named: the socket dials the very address that was judged. */
function createGuardedAgent(rules: AddressRules, resolve: Resolve) {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    allowH2: false,
    lookup: guardedLookup(rules, resolve),
    autoSelectFamily: true,
  })
  return new Agent({
    maxHeaderSize: 16 * 1024,
    connect(options, callback) {
      // no lookup is asked about a literal address
      if (isIP(options.hostname) !== 0 && !rules.allows(options.hostname))
        return callback(new ForbiddenAddress(options.hostname), null)
      return connect(options, callback)
    },
  })
}

function guardedLookup(rules: AddressRules, resolve: Resolve): LookupFunction {
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

export type JsonAnswer = { status: number; json: unknown }

export interface JsonReader {
  /** GETs JSON: no redirect, at most `mostBytes`, all of it before `signal`. `json` is undefined for what is none or more. */
  get(url: string, limits: { mostBytes: number; signal: AbortSignal }): Promise<JsonAnswer>
  close(): Promise<void>
}

export function createJsonReader(
  rules: AddressRules,
  userAgent: string,
  resolve: Resolve = lookup,
): JsonReader {
  const dispatcher = createGuardedAgent(rules, resolve)
  return {
    async get(url, { mostBytes, signal }) {
      const headers = { accept: 'application/json', 'user-agent': userAgent }
      const { statusCode, body } = await request(url, { dispatcher, headers, signal })
      const chunks: Buffer[] = []
      let sizeBytes = 0
      for await (const chunk of body as AsyncIterable<Buffer>) {
        sizeBytes += chunk.length
        if (sizeBytes > mostBytes) return { status: statusCode, json: undefined }
        chunks.push(chunk)
      }
      return { status: statusCode, json: parsed(Buffer.concat(chunks).toString()) }
    },
    close: () => dispatcher.destroy(),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
