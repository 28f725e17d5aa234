import { inTransaction, type Tx } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
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
import { beginProvisioning, type Provisioner } from './provisioning.ts'
import {
  groupResource,
  readGroup,
  readUser,
  selectAttributes,
  userResource,
  type Resource,
} from './resources.ts'
import { resourceNotFound, ScimError } from './scim-error.ts'
import { findScimGroup, listScimGroups } from './scim-group.db.ts'
import type { ScimCaller } from './scim-token.db.ts'
import { scimBaseUrl } from './scim-token.ts'
import { findScimUser, listScimUsers } from './scim-user.db.ts'
import { createUser, deleteUser, replaceUser, requireUser } from './users.ts'

export type Query = Record<string, string | undefined>
export type Call = { caller: ScimCaller; id: string; query: Query; body: Resource; by: Provisioner }
export type Result = { status?: number; body?: Resource }

/** Returns the operations by method and path. */
export const scimOperations = (deps: Deps): Operations => ({
  ...discovery(scimBaseUrl(deps.config), `${deps.config.publicUrl}/docs/provisioning`),
  ...userOperations(deps),
  ...groupOperations(deps),
})

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
        return replaceUser(tx, by, before, readUser(body, before))
      })
      return { body: show(row) }
    },
    'PATCH /Users/:id': async ({ by, id, body, query }) => {
      const row = await changing(deps, by, async (tx) => {
        const before = await requireUser(tx, by, id)
        return replaceUser(tx, by, before, readUser(applyPatch(show(before), body, userShape), before))
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
