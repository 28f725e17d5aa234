import type { Endpoint } from '../../server/src/http/endpoint/endpoint.ts'
import { routes } from '../../server/src/routes.ts'
import { concurrently } from '../../server/test/concurrently.ts'
import { groupCalls, groupLink } from '../../server/test/distribution-groups.ts'
import { fieldsOf, withFields, type Field } from '../../server/test/fields.ts'
import type { ApiResponse, Service } from '../../server/test/harness.ts'
import { fillPath, idFields, idsOf, sampleBody, type Schema } from '../../server/test/sample.ts'
import { put, verify } from '../../server/test/uploading.ts'
import { createFixture, type Fixture } from '../../server/test/world.ts'
import { payloads } from './hostile-payloads.ts'

/** Calls that would delete what the pages show, or that change who is signed in. */
const excluded = new Set(
  `abortUpload acceptInvitation moveBuild removeDistributionGroupMembers setUp updateBuilds`.split(' '),
)

/** Fields that contain names of existing resources, times, encoded bytes or values of a fixed set. */
const otherFields =
  /(^|\.)(\w+_(at|for|after|before)|architectures|audience|color|custom_target|data|emails?|ETag|icon_\w+|platforms?|scopes|source|streams?|subdomain|version_component_\w+)(\.|$)/

const isText = ({ schema, path }: Field, ids: readonly string[]): boolean => {
  const options = [schema, ...(schema.anyOf ?? [])]
  return (
    !ids.includes(path[0] ?? '') &&
    !otherFields.test(path.join('.')) &&
    options.some(({ type, enum: values, const: only }) => type === 'string' && !values && only === undefined)
  )
}

/** Operations that create no resource with a page of its own get one in this many payloads, in turn. */
const otherShares = 6

/** The IDs that an operation requires although its schema does not. */
const requiredIds: Record<string, string[]> = { requestMetadataUpload: ['build_id'] }

export type HostileWorkspace = {
  fixture: Fixture
  /** The route parameters of the resources that were created with each payload, by index of the payload. */
  created: Record<string, string>[]
  /** The fields that accepted at least one payload, as `operation field`. */
  accepted: Set<string>
  rejected: Set<string>
}

/**
 * Creates an application with one resource of every kind, and then calls every writing operation of the API with the
 * payloads in all text and URL fields that accept them.
 */
export async function createHostileWorkspace(service: Service): Promise<HostileWorkspace> {
  const fixture = await createFixture(service)
  const accepted = new Set<string>()
  const all = new Set<string>()
  const rejections = new Map<string, number>()
  const created = payloads.map((): Record<string, string> => ({}))
  const endpoints = Object.entries<Endpoint>(routes).filter(
    ([name, { method, scope, body }]) =>
      method !== 'GET' && scope !== 'public' && body !== undefined && !excluded.has(name),
  )

  async function send(name: string, endpoint: Endpoint, payload: string, values: Record<string, string>) {
    const schema = endpoint.body as Schema
    let fields = fieldsOf(schema).filter((field) => isText(field, idFields(endpoint)))
    for (const { path } of fields) all.add(`${name} ${path.join('.')}`)
    fields = fields.filter(
      ({ path }) => isUrl(payload) || (rejections.get(`${name} ${path.join('.')}`) ?? 0) < 3,
    )
    const body = sampleBody(fixture, endpoint, requiredIds[name] ?? [])
    const key = keyOf(endpoint, fixture)
    // Each response names the fields that do not accept the payload, and the next request omits them.
    for (let tries = 0; tries < 4 && fields.length > 0; tries++) {
      const paths = fields.map(({ path }) => path)
      const response = await service.call(endpoint.method, fillPath(endpoint, values), {
        key,
        body: withPayload(withFields(body, schema, paths, '"@@payload@@"'), payload, name),
      })
      if (response.status < 300) {
        for (const path of paths) accepted.add(`${name} ${path.join('.')}`)
        return response
      }
      const errors = Object.keys((response.body as { errors?: object } | undefined)?.errors ?? {})
      const remaining = fields.filter(
        ({ path }) =>
          !errors.some((error) => error === path.join('.') || path.join('.').startsWith(`${error}.`)),
      )
      for (const field of fields)
        if (!remaining.includes(field)) {
          const id = `${name} ${field.path.join('.')}`
          rejections.set(id, (rejections.get(id) ?? 0) + 1)
        }
      if (remaining.length === fields.length) return undefined
      fields = remaining
    }
    return undefined
  }

  // URLs come first, because they are accepted by more fields and the numbers of some resources are limited.
  const isUrl = (payload: string) => payload.startsWith('https:')
  const order = [...payloads.entries()].toSorted(([, a], [, b]) => Number(isUrl(b)) - Number(isUrl(a)))
  const work = order.flatMap(([index, payload]) =>
    endpoints.map(([name, endpoint], turn) => async () => {
      const hasPage = name === 'requestUpload' || name in parameters
      if (!hasPage && !isUrl(payload) && (index + turn) % otherShares !== 0) return
      const response = await send(name, endpoint, payload, idsOf(fixture, endpoint))
      if (response !== undefined)
        Object.assign(created[index]!, await finish(service, fixture, name, response))
    }),
  )
  await concurrently(4, work, (each) => each())
  return { fixture, created, accepted, rejected: new Set([...all].filter((field) => !accepted.has(field))) }
}

/**
 * Returns the body with the payload in place of its placeholders. Filenames keep their extension. Names end with that of
 * the operation, because several operations create the same kind of resource and names are unique.
 */
function withPayload(json: string, payload: string, operation: string): unknown {
  const filename = `${payload.replaceAll(/[/\\]/g, '_')}.tar.gz`
  return JSON.parse(json, (field, value: unknown) => {
    if (value !== '@@payload@@') return value
    if (field === 'filename') return filename
    return field === 'name' ? `${payload} ${operation}` : payload
  })
}

function keyOf({ scope }: Endpoint, { workspaceKey, applicationKey, ownerSession }: Fixture): string {
  if (scope === 'public') return workspaceKey
  if (scope.session === 'required') return ownerSession
  return scope.application === undefined ? workspaceKey : applicationKey
}

const parameters: Record<string, string> = {
  createRelease: 'releaseId',
  createWebhook: 'webhookId',
  createPortal: 'portalId',
  createDistributionGroup: 'groupId',
  createTeam: 'teamId',
}

/** Completes uploads. Returns the route parameters of the page that shows what the call created. */
async function finish(
  service: Service,
  fixture: Fixture,
  name: string,
  { body }: ApiResponse,
): Promise<Record<string, string>> {
  if (name === 'requestUpload') {
    await put(body.primary_file.presigned_data, new Uint8Array([1]))
    const verified = await verify(service, fixture, body.pending_upload_id as string)
    return verified.status === 200 ? { buildId: verified.body.build.id as string } : {}
  }
  if (name === 'requestMetadataUpload') {
    await put(body.presigned_upload_data, new Uint8Array([1]))
    await service.call('POST', '/upload/metadata/verify', {
      key: fixture.applicationKey,
      body: { pending_upload_id: body.metadata_pending_upload_id as string },
    })
  }
  const parameter = parameters[name]
  return parameter === undefined ? {} : { [parameter]: body.data.id as string }
}

export const linkKinds = ['build', 'release', 'group'] as const

/** Creates a link to a resource that contains the payload with this index. Returns its URL. */
export async function createLink(
  service: Service,
  { fixture, created }: HostileWorkspace,
  index: number,
  kind: (typeof linkKinds)[number],
): Promise<string> {
  const { workspaceKey: key, applicationId } = fixture
  const { buildId, releaseId } = created[index] ?? {}
  if (kind !== 'group') {
    const resource = kind === 'build' ? `builds/${buildId}` : `releases/${releaseId}`
    const path = `/applications/${applicationId}/${resource}/share-links`
    return (await service.call('POST', path, { key, body: {} })).body.data.url
  }
  const email = `hostile.${index}@example.com`
  const groups = groupCalls(service, fixture)
  await groups.share(await groups.group([email], { name: `Readers ${index}` }), releaseId ?? '')
  return groupLink(service, fixture, email)
}
