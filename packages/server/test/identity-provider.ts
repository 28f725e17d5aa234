import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import OidcProvider from 'oidc-provider'
import { createIssuerKey } from './oidc-issuer.ts'

export type Profile = { email: string; email_verified: boolean; name: string; groups?: unknown }

/**
 * Starts an OpenID Connect provider on loopback. `profiles` maps the names with which people sign in to their claims, and
 * `signIn` follows an authorization URL as that person and returns the URL of the callback. Tests override the response
 * for a path in `responses`, and sign tokens with `key`.
 */
export async function startIdentityProvider() {
  const profiles = new Map<string, Profile>()
  const responses: Record<string, RequestListener> = {}
  const key = createIssuerKey('first')
  let provider: OidcProvider | undefined
  const server = createServer((request, response) => {
    const respond = responses[request.url ?? '']
    if (respond === undefined) void provider?.callback()(request, response)
    else respond(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const client = { client_id: 'quayside', client_secret: 'the-secret-of-the-client-in-the-tests' }

  return {
    issuer,
    client,
    key,
    profiles,
    responses,
    environment: {
      QUAYSIDE_OIDC_ISSUER: issuer,
      QUAYSIDE_OIDC_CLIENT_ID: client.client_id,
      QUAYSIDE_OIDC_CLIENT_SECRET: client.client_secret,
      QUAYSIDE_OIDC_NAME: 'Example ID',
      QUAYSIDE_ISSUER_ALLOW_PRIVATE: '127.0.0.0/8,::1/128',
    },
    /** Starts to serve, once the URL of the callback is known. */
    open(redirectUri: string): void {
      provider = new OidcProvider(issuer, {
        clients: [
          { ...client, redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_basic' },
        ],
        jwks: { keys: [{ ...key.privateKey.export({ format: 'jwk' }), kid: key.kid, use: 'sig' }] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
        pkce: { required: () => true },
        findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...profiles.get(id) }) }),
        ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Grant: 60, Interaction: 60, Session: 60 },
        cookies: { keys: ['a key of the tests'] },
      })
      provider.on('server_error', (_context, error) => console.error(error))
    },
    /** Signs in at the provider and approves the client. Returns the callback URL with the code. */
    async signIn(authorizationUrl: string, person: string): Promise<string> {
      const cookies = new Map<string, string>()
      let url = authorizationUrl
      let form: URLSearchParams | undefined
      for (let step = 0; step < 12; step++) {
        const response = await fetch(url, {
          method: form === undefined ? 'GET' : 'POST',
          redirect: 'manual',
          headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
          ...(form === undefined ? {} : { body: form }),
        })
        for (const header of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
          cookies.set(name, value)
        }
        const location = response.headers.get('location')
        const page = await response.text()
        if (location !== null) {
          url = new URL(location, url).href
          form = undefined
          if (!url.startsWith(issuer)) return url
          continue
        }
        const [, action = ''] = /action="([^"]+)"/.exec(page) ?? []
        const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(page) ?? []
        if (action === '') throw new Error(`unexpected page: ${response.status} ${page.slice(0, 500)}`)
        form = new URLSearchParams(prompt === 'login' ? { prompt, login: person, password: 'x' } : { prompt })
        url = new URL(action, url).href
      }
      throw new Error('too many steps')
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
