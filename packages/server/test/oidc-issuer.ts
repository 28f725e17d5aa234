import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Issuer = Awaited<ReturnType<typeof startIssuer>>

export type IssuerKey = {
  kid: string
  algorithm: 'RS256' | 'ES256' | 'EdDSA' | 'RS384'
  privateKey: KeyObject
  jwk: object
}
type Handler = (request: IncomingMessage, response: ServerResponse) => void

export function createIssuerKey(kid: string, algorithm: IssuerKey['algorithm'] = 'RS256'): IssuerKey {
  const { publicKey, privateKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : algorithm === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' }
  return { kid, algorithm, privateKey, jwk }
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns a token with this header and these claims. The token is unsigned if the key is null. */
export function jwt(header: object, claims: object, key: IssuerKey | null): string {
  const text = `${encode(header)}.${encode(claims)}`
  return `${text}.${key === null ? '' : signature(text, key)}`
}

function signature(text: string, { algorithm, privateKey }: IssuerKey): string {
  const digest = { RS256: 'sha256', RS384: 'sha384', ES256: 'sha256', EdDSA: undefined }[algorithm]
  const key = algorithm === 'ES256' ? { key: privateKey, dsaEncoding: 'ieee-p1363' as const } : privateKey
  return sign(digest, Buffer.from(text), key).toString('base64url')
}

/**
 * Starts an OIDC issuer on loopback. Tests change `keys`, override the response for a path in `responses`, and read the
 * number of requests for each path from `requestCounts`.
 */
export async function startIssuer(algorithm: IssuerKey['algorithm'] = 'RS256') {
  const requestCounts: Record<string, number> = {}
  const responses: Record<string, Handler> = {}
  const keys = [createIssuerKey('first', algorithm)]
  const json = (response: ServerResponse, value: unknown) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  const server = createServer((request, response) => {
    const requested = request.url ?? ''
    requestCounts[requested] = (requestCounts[requested] ?? 0) + 1
    const handler = responses[requested]
    if (handler !== undefined) return handler(request, response)
    if (requested === discovery) return json(response, { issuer: url, jwks_uri: `${url}${keysPath}` })
    if (requested === keysPath) return json(response, { keys: keys.map(({ jwk }) => jwk) })
    return response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** Returns a token that is valid for five minutes. `claims` override the defaults; undefined claims are omitted. */
  function token(claims: Record<string, unknown>, { key = keys[0]!, header = {}, now = Date.now() } = {}) {
    const seconds = Math.floor(now / 1000)
    const defaults = { iss: url, iat: seconds, nbf: seconds, exp: seconds + 300, jti: `${serial++}` }
    return jwt({ alg: key.algorithm, kid: key.kid, typ: 'JWT', ...header }, { ...defaults, ...claims }, key)
  }
  let serial = 0

  return {
    url,
    keys,
    requestCounts,
    responses,
    json,
    token,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const discovery = '/.well-known/openid-configuration'
export const keysPath = '/keys'
