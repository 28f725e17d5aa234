import type { FastifyReply, FastifyRequest } from 'fastify'
import { isInvalidValue } from '../database/errors.ts'
import { requireStorableTexts } from '../http/endpoint/validation.ts'
import { withoutTokens, type AuthEndpoint } from './auth-endpoints.ts'
import { invalidValue, isIncorrectPassword, problemOf } from './auth-errors.ts'
import { clientHeaders, createBetterAuth, type AuthHandler, type BetterAuthOptions } from './better-auth.ts'
import { createDeviceCookie } from './device-cookie.ts'
import { createDeviceId, recordSignIn, takeGuess, type Guess } from './guess-limits.ts'
import { deleteVerificationsOf, findSession } from './session.db.ts'

type Options = Omit<BetterAuthOptions, 'onPasswordReset'>

type Sent = { path: string; method: string; body: Record<string, unknown> | undefined; query: string }

export type Session = NonNullable<Awaited<ReturnType<typeof findSession>>>

/** Returns the session of a request. Throws if there is none. */
export type RequireSession = (request: FastifyRequest) => Promise<Session>

export const authBase = '/api/auth'
const maxUserAgentLength = 500

/** Creates a function that sends a request to better-auth and its response to the client. */
export function createForwarding(options: Options, requireSession: RequireSession) {
  const { db, sessionCookie, passwords } = options
  const device = createDeviceCookie(sessionCookie)
  const loadHandler = createHandlerLoader(options)

  async function takeGuessOf({ checksPassword }: AuthEndpoint, { body }: Sent, request: FastifyRequest) {
    if (checksPassword === undefined) return undefined
    const sentEmail = body?.['email']
    const email =
      checksPassword === 'of the session'
        ? (await requireSession(request)).email
        : typeof sentEmail === 'string'
          ? sentEmail.slice(0, 300)
          : ''
    passwords.requireRoom()
    const { network } = request.client
    return takeGuess(db, { email, network, deviceId: device.read(request.headers) })
  }

  return async function forward(
    endpoint: AuthEndpoint,
    sent: Sent,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    requireStorableTexts(sent.body)
    requireStorableTexts(Object.fromEntries(new URLSearchParams(sent.query)))
    const guess = await takeGuessOf(endpoint, sent, request)
    let isSettled = false
    try {
      const handler = await loadHandler()
      const response = await handler(webRequest(options, sent, request)).catch((error: unknown) => {
        throw isInvalidValue(error) ? invalidValue() : error
      })
      const cookies = response.headers.getSetCookie()
      reply.header('set-cookie', cookies)
      const text = await response.text()
      const body: unknown = text === '' ? null : JSON.parse(text)
      if (response.status >= 400) {
        const problem = problemOf(response.status, body)
        isSettled = isIncorrectPassword(problem)
        throw problem
      }
      const token = cookies.map(sessionCookie.readSetCookie).find((found) => found !== undefined)
      if (token !== undefined) await rememberSource({ db, device }, { token, guess }, request, reply)
      isSettled = token !== undefined
      if (endpoint.endsVerifications === true)
        await deleteVerificationsOf(db, (await requireSession(request)).user_id)
      const location = response.status < 300 ? null : response.headers.get('location')
      if (location !== null && endpoint.isNavigation !== true) throw problemOf(400, errorIn(location))
      if (location !== null) return await reply.redirect(location, response.status)
      return await reply.code(response.status).send(withoutTokens(body))
    } finally {
      if (!isSettled) await guess?.undo()
    }
  }
}

/** Creates a function that loads better-auth when it is first called. */
function createHandlerLoader(options: Options): () => Promise<AuthHandler> {
  let loading: Promise<AuthHandler> | undefined

  return () => {
    const onPasswordReset = (email: string, network: string) =>
      recordSignIn(options.db, email, network, createDeviceId())
    loading ??= createBetterAuth({ ...options, onPasswordReset }).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

/** Remembers the device and network from which someone has signed in. */
async function rememberSource(
  { db, device }: Pick<Options, 'db'> & { device: ReturnType<typeof createDeviceCookie> },
  { token, guess }: { token: string; guess: Guess | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const id = device.read(request.headers) ?? createDeviceId()
  reply.header('set-cookie', device.write(id))
  if (guess !== undefined) return guess.confirm(id)
  const session = await findSession(db, token)
  if (session !== undefined) await recordSignIn(db, session.email, request.client.network, id)
}

/** Returns the request for better-auth. */
function webRequest(
  { config, sessionCookie }: Pick<Options, 'config' | 'sessionCookie'>,
  { path, method, body, query }: Sent,
  { headers, client }: FastifyRequest,
): Request {
  const userAgent = headers['user-agent']?.slice(0, maxUserAgentLength)
  return new Request(`${config.publicUrl}${authBase}${path}${query}`, {
    method,
    headers: {
      // `requireTrustedSender` has checked the origin.
      origin: new URL(config.publicUrl).origin,
      cookie: sessionCookie.resign(headers.cookie ?? ''),
      [clientHeaders.network]: client.network,
      ...(client.address === null ? {} : { [clientHeaders.address]: client.address }),
      ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Returns the error in the URL to which better-auth redirects after a failure. */
function errorIn(location: string): { code: string | null; message: string | null } {
  const { searchParams } = new URL(location, 'http://localhost')
  return { code: searchParams.get('error'), message: searchParams.get('error_description') }
}
