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
type Answer = (request: IncomingMessage, response: ServerResponse) => void

export function makeIssuerKey(kid: string, algorithm: IssuerKey['algorithm'] = 'RS256'): IssuerKey {
  const { publicKey, privateKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : algorithm === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' }
  return { kid, algorithm, privateKey, jwk }
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token of these parts, signed as its header says; without a signature where the key is null. */
export function jwt(header: object, claims: object, key: IssuerKey | null): string {
  const text = `${encoded(header)}.${encoded(claims)}`
  return `${text}.${key === null ? '' : signature(text, key)}`
}

function signature(text: string, { algorithm, privateKey }: IssuerKey): string {
  const digest = { RS256: 'sha256', RS384: 'sha384', ES256: 'sha256', EdDSA: undefined }[algorithm]
  const key = algorithm === 'ES256' ? { key: privateKey, dsaEncoding: 'ieee-p1363' as const } : privateKey
  return sign(digest, Buffer.from(text), key).toString('base64url')
}

/**
 * An OIDC issuer on loopback. Tests change `keys`, and `answers` where it shall misbehave; `asked` counts what it was
 * asked for, by path.
 */
export async function startIssuer(path = '') {
  const asked: Record<string, number> = {}
  const answers: Record<string, Answer> = {}
  const keys = [makeIssuerKey('first')]
  const json = (response: ServerResponse, value: unknown) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  const server = createServer((request, response) => {
    const place = (request.url ?? '').slice(path.length)
    asked[place] = (asked[place] ?? 0) + 1
    const answer = answers[place]
    if (answer !== undefined) return answer(request, response)
    if (place === discovery) return json(response, { issuer: url, jwks_uri: `${url}${keysPath}` })
    if (place === keysPath) return json(response, { keys: keys.map(({ jwk }) => jwk) })
    return response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

  /** A token good for five minutes; claims given replace its own, undefined ones are left out. */
  function token(claims: Record<string, unknown>, { key = keys[0]!, header = {}, now = Date.now() } = {}) {
    const seconds = Math.floor(now / 1000)
    const own = { iss: url, iat: seconds, nbf: seconds, exp: seconds + 300, jti: `${serial++}` }
    return jwt({ alg: key.algorithm, kid: key.kid, typ: 'JWT', ...header }, { ...own, ...claims }, key)
  }
  let serial = 0

  return {
    url,
    keys,
    asked,
    answers,
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
