import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isInvalidValue } from '../database/errors.ts'
import { inTransaction } from '../database/transaction.ts'
import { requireStorableTexts } from '../http/endpoint/validation.ts'
import { maxPublicBodyBytes, parseJsonBody } from '../http/wire/body.ts'
import { problemFrom } from '../http/wire/errors.ts'
import { requireSameOrigin } from '../http/wire/same-origin.ts'
import { notFound } from '../lib/problem.ts'
import { authEndpoints, withoutTokens, type AuthEndpoint } from './auth-endpoints.ts'
import { invalidValue, isIncorrectPassword, problemOf, sessionRequired } from './auth-errors.ts'
import { clientHeaders, createBetterAuth, type AuthHandler, type BetterAuthOptions } from './better-auth.ts'
import { createDeviceCookie } from './device-cookie.ts'
import { createDeviceId, recordSignIn, takeGuess, type Guess } from './guess-limits.ts'
import {
  deleteOtherSessions,
  deleteSession,
  deleteVerificationsOf,
  findSession,
  listSessions,
} from './session.db.ts'
import { findAnySetupLink, findSetupLink, hashSetupToken } from './setup-link.db.ts'

type Options = Omit<BetterAuthOptions, 'onPasswordReset'> & { hasMail: boolean }

type Sent = { path: string; method: string; body: Record<string, unknown> | undefined; query: string }

type Session = NonNullable<Awaited<ReturnType<typeof findSession>>>

type AddRoute = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
) => void

const authBase = '/api/auth'
const maxUserAgentLength = 500

/**
 * Serves sign-in at `/api/auth`: the endpoints of better-auth in `authEndpoints` and a few of our own. The console calls
 * them with the session cookie. better-auth is loaded at the first request that needs it.
 */
export function signInRoutes({ hasMail, ...options }: Options) {
  const { db, config, sessionCookie, passwords } = options
  const device = createDeviceCookie(sessionCookie)
  let loading: Promise<AuthHandler> | undefined

  function loadHandler(): Promise<AuthHandler> {
    const onPasswordReset = (email: string, network: string) =>
      recordSignIn(db, email, network, createDeviceId())
    loading ??= createBetterAuth({ ...options, onPasswordReset }).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }

  async function requireSession(request: FastifyRequest) {
    const token = sessionCookie.readSessionToken(request.headers)
    const session = token === undefined ? undefined : await findSession(db, token)
    if (session === undefined) throw sessionRequired()
    return session
  }

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

  async function forward(endpoint: AuthEndpoint, sent: Sent, request: FastifyRequest, reply: FastifyReply) {
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

  return async (api: FastifyInstance): Promise<void> => {
    const route: AddRoute = (method, path, handle) =>
      api.route({
        method,
        url: `${authBase}${path}`,
        bodyLimit: maxPublicBodyBytes,
        exposeHeadRoute: false,
        onRequest: async (request, reply) => {
          api.callers.admitPublic(request, reply)
          reply.header('cache-control', 'no-store')
          if (method !== 'GET') requireTrustedSender(options, request)
        },
        async handler(request, reply) {
          requireStorableTexts(request.params)
          return handle(request, reply)
        },
      })

    for (const endpoint of authEndpoints) {
      const { method, path } = endpoint
      route(method, path, async (request, reply) => {
        const [, search] = request.url.split(/\?(.*)/s)
        const query = method === 'GET' && search !== undefined ? `?${search}` : ''
        const body = method === 'GET' ? undefined : { ...bodyOf(request), ...endpoint.fixed }
        try {
          return await forward(endpoint, { method, path, body, query }, request, reply)
        } catch (error) {
          if (endpoint.isNavigation !== true) throw error
          return redirectToSignIn(config.publicUrl, error, request, reply)
        }
      })
    }
    // A GET request must not sign anyone in, because mail scanners and other sites can cause it.
    route('POST', '/sign-in/link', async (request, reply) => {
      const { token } = bodyOf(request)
      const query = `?${new URLSearchParams({ token: typeof token === 'string' ? token : '' }).toString()}`
      const endpoint = { method: 'GET', path: '/magic-link/verify' } as const
      return forward(endpoint, { ...endpoint, body: undefined, query }, request, reply)
    })
    addOwnRoutes(route, { db, config, hasMail, requireSession })
  }
}

/** Throws unless the request could only have been sent by the console or by a client that is not a browser. */
function requireTrustedSender(
  { sessionCookie, config }: Pick<Options, 'sessionCookie' | 'config'>,
  request: FastifyRequest,
): void {
  const hasSession = sessionCookie.readSessionToken(request.headers) !== undefined
  if (hasSession || request.headers.origin !== undefined) requireSameOrigin(request, config.publicUrl)
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

/**
 * Sends a browser that followed a link to the sign-in page, which explains the error. Sign-in at the identity provider
 * cannot continue, so nobody could do anything with an error in JSON.
 */
function redirectToSignIn(
  publicUrl: string,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = problemFrom(error)
  if (problem === undefined) request.log.error({ err: error, requestId: request.id }, 'a sign-in failed')
  else request.log.warn({ reason: problem.message }, 'a sign-in failed')
  const query = new URLSearchParams({ error: problem?.code ?? 'internal_server_error' }).toString()
  return reply.redirect(`${publicUrl}/sign-in?${query}`, 302)
}

/** Adds the routes that better-auth does not have. */
function addOwnRoutes(
  route: AddRoute,
  {
    db,
    config,
    hasMail,
    requireSession,
  }: Pick<Options, 'db' | 'config' | 'hasMail'> & {
    requireSession: (request: FastifyRequest) => Promise<Session>
  },
): void {
  route('GET', '/methods', async () => ({
    password: true,
    passkey: true,
    email_link: hasMail,
    password_reset: hasMail,
    sso: config.oidc === undefined ? null : { name: config.oidc.name },
    setup_open: await findAnySetupLink(db),
  }))
  // Lets the console refuse a wrong link before someone fills in the form.
  route('POST', '/setup-link', async (request) => {
    const { setup_token: token } = bodyOf(request)
    return { is_valid: typeof token === 'string' && (await findSetupLink(db, hashSetupToken(token))) }
  })
  route('GET', '/sessions', async (request) => {
    const current = await requireSession(request)
    const sessions = await listSessions(db, current.user_id)
    return { data: sessions.map((session) => ({ ...session, is_current: session.id === current.id })) }
  })
  route('DELETE', '/sessions/:session_id', async (request) => {
    const current = await requireSession(request)
    const { session_id: id } = request.params as { session_id: string }
    const isEnded = await inTransaction(db, (tx) => deleteSession(tx, current.user_id, id))
    if (!isEnded) throw notFound()
    return { message: 'Session ended.' }
  })
  route('POST', '/sessions/revoke-others', async (request) => {
    const current = await requireSession(request)
    const ended = await inTransaction(db, (tx) => deleteOtherSessions(tx, current.user_id, current.id))
    return { message: 'Other sessions ended.', ended_count: ended }
  })
}

/** Returns the error in the URL to which better-auth redirects after a failure. */
function errorIn(location: string): { code: string | null; message: string | null } {
  const { searchParams } = new URL(location, 'http://localhost')
  return { code: searchParams.get('error'), message: searchParams.get('error_description') }
}

function bodyOf({ body, headers }: FastifyRequest): Record<string, unknown> {
  const parsed = parseJsonBody(Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers['content-type'])
  return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
}
