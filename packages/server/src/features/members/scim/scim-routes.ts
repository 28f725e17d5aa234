import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { maxBodyBytes, parseJsonBody } from '../../../http/wire/body.ts'
import { problemFrom, unauthorized } from '../../../http/wire/errors.ts'
import { batched } from '../../../lib/batched.ts'
import { groupShape, userShape } from './patch.ts'
import { provisionerOf } from './provisioning.ts'
import { isRecord, type Resource } from './resources.ts'
import { resourceNotFound, ScimError, scimErrorBody, type ScimType } from './scim-error.ts'
import { scimOperations, type Call, type Query, type Result } from './scim-operations.ts'
import { findScimTokens, touchScimToken, type ScimCaller } from './scim-token.db.ts'
import { scimPath, scimTokenHash } from './scim-token.ts'

const contentType = 'application/scim+json; charset=utf-8'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

declare module 'fastify' {
  interface FastifyRequest {
    scimCaller: ScimCaller | null
  }
}

/** Serves SCIM 2.0 (RFC 7643 and 7644) at `/scim/v2`. The token of the request selects the workspace. */
export function scimRoutes(deps: Deps) {
  const requireCaller = createCallerLookup(deps)
  const operations = scimOperations(deps)

  return async (api: FastifyInstance): Promise<void> => {
    api.decorateRequest('scimCaller', null)
    api.setErrorHandler((error, request, reply) => sendScimError(error, request, reply))

    const route = (method: Method, path: string, handle: (call: Call) => Promise<Result>) =>
      api.route({
        method,
        url: `${scimPath}${path}`,
        bodyLimit: maxBodyBytes,
        exposeHeadRoute: false,
        config: { serves: 'protocol' },
        onRequest: async (request, reply) => {
          request.scimCaller = await requireCaller(api, request)
          api.callers.admitToken(reply, request.scimCaller)
        },
        async handler(request, reply) {
          const { scimCaller: caller } = request
          if (caller === null) throw unauthorized()
          const { id = '' } = request.params as { id?: string }
          // PostgreSQL cannot store such an ID.
          if (/\p{Cc}/u.test(id) || !id.isWellFormed()) throw resourceNotFound('Resource', '')
          const by = provisionerOf(deps, caller, request.client.address)
          const query = textsOf(request.query as Record<string, unknown>)
          const { status = 200, body } = await handle({ caller, id, query, body: bodyOf(request), by })
          if (method !== 'GET') deps.eventStreams.announce()
          const location = status === 201 && isRecord(body?.['meta']) ? body['meta']['location'] : undefined
          if (typeof location === 'string') void reply.header('location', location)
          return body === undefined
            ? reply.code(204).send()
            : reply.code(status).type(contentType).send(JSON.stringify(body))
        },
      })

    for (const [key, handle] of Object.entries(operations)) {
      const [method, path = ''] = key.split(' ')
      route(method as Method, path, handle)
    }
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)
      route(method, '/*', async () => {
        throw new ScimError(404, 'This path does not exist.')
      })
  }
}

/** Creates a function that returns the workspace of the token. Guesses share queries, so that they cannot occupy the pool. */
function createCallerLookup({ db }: Pick<Deps, 'db'>) {
  const find = batched({
    maxBatch: 500,
    maxConcurrency: 2,
    load: async (hashes: Buffer[]) => {
      const rows = await findScimTokens(db, hashes)
      const byHash = new Map(rows.map((row) => [row.token_sha256.toString('hex'), row]))
      return hashes.map((hash) => byHash.get(hash.toString('hex')))
    },
  })
  return async (api: FastifyInstance, request: FastifyRequest): Promise<ScimCaller> => {
    const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
    if (bearer === undefined) throw unauthorized()
    const sha256 = scimTokenHash(bearer)
    const found = sha256 === undefined ? undefined : await find(sha256)
    if (found === undefined) throw await api.callers.refuseToken(request)
    if (found.is_use_outdated) await touchScimToken(db, found.id)
    return { id: found.id, workspaceId: found.workspace_id }
  }
}

/** Returns the query without repeated parameters, of which the first applies. */
const textsOf = (query: Record<string, unknown>): Query =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name.toLowerCase(),
      String(Array.isArray(value) ? value[0] : value),
    ]),
  )

function bodyOf({ body, headers, method }: FastifyRequest): Resource {
  if (method === 'GET' || method === 'DELETE') return {}
  const type = headers['content-type']?.replace(/^application\/scim\+json/i, 'application/json')
  const parsed = parseJsonBody(Buffer.isBuffer(body) ? body : Buffer.alloc(0), type)
  if (!isRecord(parsed)) throw new ScimError(400, 'The body must be a JSON object.', 'invalidSyntax')
  return canonical(parsed)
}

/** Returns the resource with the usual spelling of the attributes that are kept, because their names ignore case. */
function canonical(resource: Resource): Resource {
  const names = new Map(
    [...Object.values(userShape), ...Object.values(groupShape)].map(({ name }) => [name.toLowerCase(), name]),
  )
  return Object.fromEntries(
    Object.entries(resource).map(([key, value]) => [names.get(key.toLowerCase()) ?? key, value]),
  )
}

/** Sends any thrown value as an error of RFC 7644, section 3.12. */
function sendScimError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof ScimError) {
    void reply
      .code(error.status)
      .type(contentType)
      .send(JSON.stringify(scimErrorBody(error)))
    return
  }
  const problem = problemFrom(error)
  if (problem === undefined) request.log.error({ err: error, requestId: request.id }, 'a SCIM request failed')
  const status = problem?.status ?? 500
  const scimType: ScimType | undefined =
    status === 400 ? 'invalidSyntax' : status === 409 ? 'uniqueness' : undefined
  const message = problem?.message ?? 'Internal server error. Try again later.'
  void reply
    .code(status)
    .headers({ ...problem?.headers })
    .type(contentType)
    .send(JSON.stringify(scimErrorBody({ status, message, scimType })))
}
