import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inTransaction } from '../database/transaction.ts'
import { requireStorableTexts } from '../http/endpoint/validation.ts'
import { maxPublicBodyBytes, parseJsonBody } from '../http/wire/body.ts'
import { problemFrom } from '../http/wire/errors.ts'
import { requireSameOrigin } from '../http/wire/same-origin.ts'
import { notFound } from '../lib/problem.ts'
import { authEndpoints } from './auth-endpoints.ts'
import { sessionRequired } from './auth-errors.ts'
import type { BetterAuthOptions } from './better-auth.ts'
import { authBase, createForwarding, type RequireSession, type Session } from './forward-request.ts'
import { deleteOtherSessions, deleteSession, findSession, listSessions } from './session.db.ts'
import { findAnySetupLink, findSetupLink, hashSetupToken } from './setup-link.db.ts'

type Options = Omit<BetterAuthOptions, 'onPasswordReset'> & { hasMail: boolean }

type AddRoute = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
) => void

/**
 * Serves sign-in at `/api/auth`: the endpoints of better-auth in `authEndpoints` and a few of our own. The console calls
 * them with the session cookie. better-auth is loaded at the first request that needs it.
 */
export function signInRoutes({ hasMail, ...options }: Options) {
  const { db, config, sessionCookie } = options
  async function requireSession(request: FastifyRequest): Promise<Session> {
    const token = sessionCookie.readSessionToken(request.headers)
    const session = token === undefined ? undefined : await findSession(db, token)
    if (session === undefined) throw sessionRequired()
    return session
  }

  const forward = createForwarding(options, requireSession)

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
  else request.log.warn({ reason: problem.message, requestId: request.id }, 'a sign-in failed')
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
    requireSession: RequireSession
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

function bodyOf({ body, headers }: FastifyRequest): Record<string, unknown> {
  const parsed = parseJsonBody(Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers['content-type'])
  return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
}
