import { createHash, randomBytes } from 'node:crypto'
import { IosInfo } from '../src/inspection/inspection-schema.ts'
import { uuidV7 } from '../src/lib/ids.ts'
import type { Copies } from './row-copies.ts'
import type { Fixture } from './world.ts'

export const streamId = ({ ids }: Fixture) => ids['stream_identifier']
export const secret = () => `\\x${randomBytes(32).toString('hex')}`
export const byId =
  (name: string) =>
  ({ ids, workspaceIds }: Fixture) => ({ id: (ids[name] ?? workspaceIds[name])! })
export const buildsWith = (columns: Copies['columns']): Copies => ({
  table: 'builds',
  source: byId('build_id'),
  columns,
})
export const byWorkspaceId = (name: string) => (fixture: Fixture) => ({ id: fixture.workspaceIds[name]! })
export const sameWorkspace = ({ workspaceId }: Fixture) => ({ workspace_id: workspaceId })
export const uuid = () => ({ id: uuidV7() })
/** Returns the same UUID for the same tag. */
export const uuidOf = (tag: string) =>
  createHash('md5')
    .update(tag)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
export const named = (tag: string) => ({ id: `n${tag}`, name: `name ${tag}` })
export const hashed = (tag: string) => ({ id: `k${tag}`, key_sha256: secret() })
export const printed = (tag: string) => ({ id: `y${tag}`, fingerprint: randomBytes(20).toString('hex') })
export const uuidNamed = (tag: string) => ({ ...uuid(), name: `name ${tag}` })

/** The metadata of a build that every device can install. */
const noIosInfo = Object.fromEntries(Object.keys(IosInfo.properties).map((name) => [name, null]))
export const enterprise = { ...noIosInfo, key_type: 'enterprise' }
