import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inTransaction, type Tx } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { maxBodyBytes, parseJsonBody } from '../../../http/wire/body.ts'
import { problemFrom, unauthorized } from '../../../http/wire/errors.ts'
import { batched } from '../../../lib/batched.ts'
import {
  listOfResourceTypes,
  listOfSchemas,
  listSchema,
  maxResults,
  serviceProviderConfig,
} from './discovery.ts'
import { parseFilter } from './filter.ts'
import { createGroup, deleteGroup, replaceGroup, requireLockedGroup } from './groups.ts'
import { applyPatch, groupShape, userShape } from './patch.ts'
import { beginProvisioning, provisionerOf, type Provisioner } from './provisioning.ts'
import {
  groupResource,
  isRecord,
  readGroup,
  readUser,
  selectAttributes,
  userResource,
  type Resource,
} from './resources.ts'
import { resourceNotFound, ScimError, scimErrorBody, type ScimType } from './scim-error.ts'
import { findScimGroup, listScimGroups } from './scim-group.db.ts'
import { findScimTokens, touchScimToken, type ScimCaller } from './scim-token.db.ts'
import { scimBaseUrl, scimPath, scimTokenHash } from './scim-token.ts'
import { findScimUser, listScimUsers } from './scim-user.db.ts'
import { createUser, deleteUser, replaceUser, requireUser } from './users.ts'

const contentType = 'application/scim+json; charset=utf-8'

type Query = Record<string, string | undefined>
type Call = { caller: ScimCaller; id: string; query: Query; body: Resource; by: Provisioner }
type Result = { status?: number; body?: Resource }
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

declare module 'fastify' {
  interface FastifyRequest {
    scimCaller: ScimCaller | null
  }
}

/** Serves SCIM 2.0 (RFC 7643 and 7644) at `/scim/v2`. The token of the request selects the workspace. */
export function scimRoutes(deps: Deps) {
  const { config } = deps
  const requireCaller = createCallerLookup(deps)
  const operations = {
    ...discovery(scimBaseUrl(config), `${config.publicUrl}/docs/provisioning`),
    ...userOperations(deps),
    ...groupOperations(deps),
  }

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

type Operations = Record<string, (call: Call) => Promise<Result>>

function discovery(baseUrl: string, docsUrl: string): Operations {
  const refuseFilter = (query: Query) => {
    if (query['filter'] !== undefined) throw new ScimError(403, 'This resource cannot be filtered.')
  }
  const listed =
    (list: Resource[]) =>
    async ({ query }: Call) => {
      refuseFilter(query)
      return { body: listResponse(list, { total: list.length, startIndex: 1 }) }
    }
  const found =
    (list: readonly Resource[], kind: string) =>
    async ({ id }: Call) => {
      const resource = list.find((each) => each['id'] === id)
      if (resource === undefined) throw resourceNotFound(kind, id)
      return { body: resource }
    }
  const [schemas, types] = [listOfSchemas(baseUrl), listOfResourceTypes(baseUrl)]
  const missing = async (): Promise<Result> => {
    throw new ScimError(501, 'This operation is not supported.')
  }
  return {
    'GET /ServiceProviderConfig': async () => ({ body: serviceProviderConfig(baseUrl, docsUrl) }),
    'GET /Schemas': listed(schemas),
    'GET /Schemas/:id': found(schemas, 'Schema'),
    'GET /ResourceTypes': listed(types),
    'GET /ResourceTypes/:id': found(types, 'ResourceType'),
    'GET /Me': missing,
    'POST /Bulk': missing,
  }
}

const listResponse = (
  resources: readonly Resource[],
  { total, startIndex }: { total: number; startIndex: number },
): Resource => ({
  schemas: [listSchema],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

/** Returns the range and filter of a list (RFC 7644, section 3.4.2). */
function rangeOf(query: Query) {
  const number = (name: string, missing: number): number => {
    const text = query[name]
    if (text === undefined) return missing
    if (!/^-?\d{1,9}$/.test(text)) throw new ScimError(400, `\`${name}\` must be an integer.`, 'invalidValue')
    return Number(text)
  }
  const startIndex = Math.max(1, number('startindex', 1))
  const limit = Math.min(maxResults, Math.max(0, number('count', 100)))
  const filter = query['filter'] === undefined ? undefined : parseFilter(query['filter'])
  return { startIndex, filter, limit, offset: startIndex - 1 }
}

const selected = (resource: Resource, query: Query): Resource =>
  selectAttributes(resource, {
    attributes: query['attributes'],
    excludedAttributes: query['excludedattributes'],
  })

/** Runs a change in a transaction that waits for other changes of the workspace. */
const changing = <T>({ db }: Pick<Deps, 'db'>, by: Provisioner, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(db, async (tx) => {
    await beginProvisioning(tx, by)
    return work(tx)
  })

function userOperations(deps: Deps): Operations {
  const { db, config } = deps
  const show = (row: Parameters<typeof userResource>[0], query: Query = {}) =>
    selected(userResource(row, scimBaseUrl(config)), query)
  return {
    'GET /Users': async ({ caller, query }) => {
      const range = rangeOf(query)
      const { rows, total } = await listScimUsers(db, caller.workspaceId, range)
      return {
        body: listResponse(
          rows.map((row) => show(row, query)),
          { ...range, total },
        ),
      }
    },
    'GET /Users/:id': async ({ caller, id, query }) => {
      const row = await findScimUser(db, caller.workspaceId, id)
      if (row === undefined) throw resourceNotFound('User', id)
      return { body: show(row, query) }
    },
    'POST /Users': async ({ by, body }) => {
      const fields = readUser(body)
      return { status: 201, body: show(await changing(deps, by, (tx) => createUser(tx, by, fields))) }
    },
    'PUT /Users/:id': async ({ by, id, body }) => {
      const row = await changing(deps, by, async (tx) => {
        const before = await requireUser(tx, by, id)
        return replaceUser(tx, by, before, readUser({ active: before.is_active, ...body }))
      })
      return { body: show(row) }
    },
    'PATCH /Users/:id': async ({ by, id, body, query }) => {
      const row = await changing(deps, by, async (tx) => {
        const before = await requireUser(tx, by, id)
        return replaceUser(tx, by, before, readUser(applyPatch(show(before), body, userShape)))
      })
      return { body: show(row, query) }
    },
    'DELETE /Users/:id': async ({ by, id }) => {
      await changing(deps, by, (tx) => deleteUser(tx, by, id))
      return {}
    },
  }
}

function groupOperations(deps: Deps): Operations {
  const { db, config } = deps
  const show = (row: Parameters<typeof groupResource>[0], query: Query = {}) =>
    selected(groupResource(row, scimBaseUrl(config)), query)
  return {
    'GET /Groups': async ({ caller, query }) => {
      const range = rangeOf(query)
      const hasMembers = 'members' in selected({ members: [] }, query)
      const { rows, total } = await listScimGroups(db, caller.workspaceId, { ...range, hasMembers })
      return {
        body: listResponse(
          rows.map((row) => show(row, query)),
          { ...range, total },
        ),
      }
    },
    'GET /Groups/:id': async ({ caller, id, query }) => {
      const row = await findScimGroup(db, caller.workspaceId, id)
      if (row === undefined) throw resourceNotFound('Group', id)
      return { body: show(row, query) }
    },
    'POST /Groups': async ({ by, body }) => {
      const fields = readGroup(body)
      return { status: 201, body: show(await changing(deps, by, (tx) => createGroup(tx, by, fields))) }
    },
    'PUT /Groups/:id': async ({ by, id, body }) => {
      const row = await changing(deps, by, async (tx) => {
        const before = await requireLockedGroup(tx, by, id)
        return replaceGroup(tx, by, before, readGroup({ members: before.members, ...body }))
      })
      return { body: show(row) }
    },
    'PATCH /Groups/:id': async ({ by, id, body, query }) => {
      const row = await changing(deps, by, async (tx) => {
        const before = await requireLockedGroup(tx, by, id)
        return replaceGroup(tx, by, before, readGroup(applyPatch(show(before), body, groupShape)))
      })
      return { body: show(row, query) }
    },
    'DELETE /Groups/:id': async ({ by, id }) => {
      await changing(deps, by, (tx) => deleteGroup(tx, by, id))
      return {}
    },
  }
}
