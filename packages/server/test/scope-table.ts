import type { Endpoint } from '../src/http/endpoint/endpoint.ts'

/** The access levels for each resource, weakest first (docs/contract.md, section 5). */
const resources = {
  workspace: {
    workspace: 'read write',
    members: 'read write',
    applications: 'read create write',
    builds: 'read create write',
    releases: 'read create write',
    share_links: 'read create write',
    distribution_groups: 'read create write',
    portals: 'read write',
    webhooks: 'read create write',
    api_keys: 'read create write',
  },
  application: {
    application: 'read write',
    members: 'read create write',
    builds: 'read create write',
    releases: 'read create write',
    share_links: 'read create write',
    webhooks: 'read create write',
  },
}

export type Kind = keyof typeof resources
const levels = ['read', 'create', 'write']

/**
 * Each line lists methods, a path, and the scopes that a workspace key and an application key need: `any` accepts every
 * key, `never` accepts none, and `session` accepts signed-in users only. `*` matches the rest of a path. The first matching line applies. The table is not
 * derived from the endpoints, so it detects an endpoint with an incorrect scope.
 */
const table = `
# docs/contract.md, section 4.1
GET /applications | applications:read | any
GET /applications/{application_id} | applications:read | any
GET /applications/{application_id}/members | applications:read | members:read
GET /applications/{application_id}/platforms | applications:read | application:read
GET /applications/{application_id}/labels | applications:read | application:read
GET /applications/{application_id}/streams | applications:read | application:read
GET /applications/{application_id}/custom-targets/{target_identifier} | applications:read | application:read
GET /applications/{application_id}/builds | builds:read | builds:read
GET,PUT /applications/{application_id}/feedback/subscription | session | session
GET /applications/{application_id}/feedback* | builds:read | builds:read
PATCH,DELETE /applications/{application_id}/feedback/{feedback_id} | builds:write | builds:write
GET /applications/{application_id}/builds/{build_id}/files/{file_id}/chunks | builds:read | builds:read
GET /applications/{application_id}/builds/{build_id}/files/{file_id}/patches | builds:read | builds:read
GET /applications/{application_id}/builds/{build_id}/comparisons/* | builds:read | builds:read
GET /applications/{application_id}/builds/{build_id}/debug-ids | builds:read | builds:read
GET /applications/{application_id}/builds/{build_id}/metadata | builds:read | builds:read
GET /applications/{application_id}/builds/{build_id}/metadata/{artifact_id} | builds:read | builds:read
GET /applications/{application_id}/releases | releases:read | releases:read
GET /applications/{application_id}/releases/{release_id} | releases:read | releases:read
GET /applications/{application_id}/webhooks | webhooks:read | webhooks:read
GET /applications/{application_id}/webhooks/{webhook_id} | webhooks:read | webhooks:read
GET /workspace/labels | workspace:read | never
GET /workspace/labels/{label_identifier} | workspace:read | never
GET /workspace/default-streams | workspace:read | never
POST /upload/request | builds:create | builds:create
POST /upload/request/multipart | builds:create | builds:create
POST /upload/verify | builds:create | builds:create
POST /upload/metadata/verify | builds:create | builds:create
GET /workspace | any | any

# applications
POST /applications | applications:create | never
PATCH /applications/{application_id} | applications:write | application:write
DELETE /applications/{application_id} | applications:write | never
POST /workspace/sample-application | applications:create | never
DELETE /workspace/sample-application | applications:write | never
POST /applications/{application_id}/restore | applications:write | never
GET /applications/{application_id}/custom-store | applications:read | application:read
PUT,DELETE /applications/{application_id}/custom-store | applications:write | application:write
POST /applications/{application_id}/custom-store/test | applications:write | application:write
GET /applications/{application_id}/api-keys | api_keys:read | never
POST /applications/{application_id}/api-keys | api_keys:create | never
DELETE /applications/{application_id}/api-keys/* | api_keys:write | never
GET /applications/{application_id}/trusted-publishers* | api_keys:read | never
POST /applications/{application_id}/trusted-publishers | api_keys:create | never
PATCH,DELETE /applications/{application_id}/trusted-publishers/* | api_keys:write | never
POST /applications/{application_id}/members | applications:write | never
PATCH,DELETE /applications/{application_id}/members/* | applications:write | members:write
GET,POST,DELETE /applications/{application_id}/access-requests* | applications:write | members:write
POST /workspace/access-requests | session | session
GET /applications/{application_id}/teams | applications:read | members:read
PUT,DELETE /applications/{application_id}/teams/* | applications:write | members:write
POST /applications/{application_id}/labels/{label_identifier}/promote | workspace:write | never
POST /applications/{application_id}/custom-targets/{target_identifier}/promote | workspace:write | never

# builds, releases, share links and webhooks, for both kinds of keys
GET /applications/{application_id}/builds/{build_id}/share-links | share_links:read | share_links:read
POST /applications/{application_id}/builds/{build_id}/share-links | share_links:create | share_links:create
GET /applications/{application_id}/channels/{channel_id}/rollout | releases:read | releases:read
PATCH /applications/{application_id}/channels/{channel_id}/rollout | releases:write | releases:write
GET /applications/{application_id}/releases/{release_id}/adoption | builds:read | builds:read
GET /applications/{application_id}/releases/{release_id}/audience | releases:read | releases:read
GET,POST /applications/{application_id}/views | builds:read | builds:read
GET,POST,PATCH,DELETE /applications/{application_id}/views/* | builds:read | builds:read
GET /applications/{application_id}/permalinks/* | builds:read | builds:read
GET /applications/{application_id}/releases/{release_id}/share-links | share_links:read | share_links:read
POST /applications/{application_id}/releases/{release_id}/share-links | share_links:create | share_links:create
PATCH,DELETE /share-links/* | share_links:write | share_links:write
GET /applications/{application_id}/builds/{build_id}/devices | distribution_groups:read | never
GET /applications/{application_id}/builds/* | builds:read | builds:read
GET /applications/{application_id}/statistics | builds:read | builds:read
GET /applications/{application_id}/statistics/builds | builds:read | builds:read
GET /workspace/statistics | builds:read | builds:read
GET /applications/{application_id}/changes | builds:read | builds:read
GET /applications/{application_id}/events | builds:read | builds:read
GET /workspace/events | builds:read | builds:read
POST /applications/{application_id}/builds/downloads | builds:read | builds:read
POST,PUT,PATCH,DELETE /applications/{application_id}/builds/* | builds:write | builds:write
GET /upload | builds:create | builds:create
GET,POST,PUT /upload/* | builds:create | builds:create
POST /applications/{application_id}/releases | releases:create | releases:create
POST,PUT,PATCH,DELETE /applications/{application_id}/releases/* | releases:write | releases:write
POST /applications/{application_id}/webhooks | webhooks:create | webhooks:create
GET /applications/{application_id}/webhooks/* | webhooks:read | webhooks:read
GET /applications/{application_id}/webhook-sample | webhooks:read | webhooks:read
POST,PATCH,DELETE /applications/{application_id}/webhooks/* | webhooks:write | webhooks:write

# everything else below an application: streams, labels, targets, platforms, icon
GET /applications/{application_id}/downloads | builds:read | builds:read
GET /applications/{application_id}/downloads/* | builds:read | builds:read
GET /applications/{application_id}/* | applications:read | application:read
POST,PUT,PATCH,DELETE /applications/{application_id}/* | applications:write | application:write

# workspace keys only
GET /devices* | distribution_groups:read | never
POST /devices | distribution_groups:create | never
PATCH,DELETE /devices/* | distribution_groups:write | never
GET /distribution-groups* | distribution_groups:read | never
POST /distribution-groups | distribution_groups:create | never
POST,PUT,PATCH,DELETE /distribution-groups/* | distribution_groups:write | never
GET /portals* | portals:read | never
POST,PUT,PATCH,DELETE /portals* | portals:write | never
GET /workspace/api-keys | api_keys:read | never
POST /workspace/api-keys | api_keys:create | never
DELETE /workspace/api-keys/* | api_keys:write | never
GET /workspace/members | members:read | never
GET /workspace/scim-token | members:read | never
POST,DELETE /workspace/scim-token | members:write | never
GET /workspace/teams* | members:read | never
POST,PATCH,DELETE /workspace/teams* | members:write | never
GET /workspace/invitations | members:read | never
GET /workspace/outbox | members:write | never
POST,PATCH,DELETE /workspace/members* | members:write | never
POST,PATCH,DELETE /workspace/invitations* | members:write | never
GET /workspace/* | workspace:read | never
POST,PUT,PATCH,DELETE /workspace* | workspace:write | never

# only signed-in users have a session
GET,PATCH /first-steps | session | session
GET,PATCH /pins | session | session
GET,POST,PATCH,DELETE /notification* | session | session
GET /session | session | session
PUT /session/workspace | session | session
PATCH /users/me | session | session
PUT,DELETE /users/me/photo | session | session

# any key may read users; links and tokens need no key
GET /users/{user_id} | any | any
POST /auth/oidc/token | public | public
GET /invitations/{token} | public | public
POST /invitations/{token}/accept | public | public
GET,POST /public/* | public | public
POST /setup | public | public
`

export type Line = { methods: string[]; path: string; needs: Record<Kind, string>; text: string }

export const lines: Line[] = table
  .split('\n')
  .filter((text) => text !== '' && !text.startsWith('#'))
  .map((text) => {
    const [call = '', workspace = '', application = ''] = text.split(' | ')
    const [methods = '', path = ''] = call.split(' ')
    return { methods: methods.split(','), path, needs: { workspace, application }, text }
  })

export function lineFor({ method, path }: Endpoint): Line | undefined {
  const named = path.replaceAll(/:(\w+)/g, '{$1}')
  return lines.find(
    (line) =>
      line.methods.includes(method) &&
      (line.path.endsWith('*') ? named.startsWith(line.path.slice(0, -1)) : named === line.path),
  )
}

export const scopesOf = (kind: Kind): string[] =>
  Object.entries(resources[kind]).flatMap(([name, has]) => has.split(' ').map((level) => `${name}:${level}`))

/** Returns whether one scope includes another: write includes create, and create includes read. */
export function covers(held: string, needed: string): boolean {
  const [resource, level = ''] = held.split(':')
  const [neededResource, neededLevel = ''] = needed.split(':')
  return resource === neededResource && levels.indexOf(level) >= levels.indexOf(neededLevel)
}

/** Returns the message of the response to a caller without the scope in the table. */
export const refusalOf = (needed: string): string =>
  needed === 'session'
    ? 'API keys cannot use this endpoint. Sign in to the console.'
    : `This action requires '${needed}' scope.`

/** The endpoints that only owners, and keys with every workspace scope, can call. */
export const forOwners: ReadonlySet<string> = new Set(['createScimToken', 'deleteScimToken'])
/** The message of their response to other callers with the scope in the table. */
export const ownersOnly =
  'Only owners, and keys with every workspace scope, can create or revoke the SCIM token.'
