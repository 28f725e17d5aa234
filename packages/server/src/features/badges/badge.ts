import { Type, type Static } from 'typebox'
import { platformResource } from '../../catalog/platforms.ts'
import type { Executor } from '../../database/transaction.ts'
import { PathId } from '../../http/endpoint/fields.ts'
import type { FileResponse } from '../../http/endpoint/file-response.ts'
import { notFound } from '../../lib/problem.ts'
import { requireBuild } from '../builds/build.db.ts'
import { versionWithNumber, versionResource } from '../builds/build.ts'

const types = new Map([
  ['svg', 'image/svg+xml'],
  ['json', 'application/json'],
])
export const servedBadges = [...types.values()]

export const badgeParams = {
  format: PathId('`svg`, or `json` for shields.io: `https://img.shields.io/endpoint?url=…`.'),
}

export const badgeQuery = {
  label: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[^\\u0000-\\u001f\\ufffe\\uffff]+$',
      description: 'Text on the left. Default: the platform and the name of the stream, or `release`.',
    }),
  ),
  color: Type.Optional(
    Type.String({
      maxLength: 30,
      pattern: '^[0-9A-Za-z-]+$',
      description: 'CSS color of the right part, without `#`. Default: `blue`, or `orange` for a prerelease.',
    }),
  ),
  style: Type.Optional(
    Type.Enum(['flat', 'flat-square', 'plastic', 'for-the-badge', 'social'], {
      description: 'Default: `flat`.',
    }),
  ),
}

const BadgeQuery = Type.Object(badgeQuery)
type Badge = { label: string; message: string; color: string; style: BadgeStyle }
type BadgeStyle = NonNullable<Static<typeof BadgeQuery>['style']>

export const badgeDescription =
  'Returns a badge with the version, as SVG or as JSON for shields.io. Clients may keep it but ask each time whether it has changed.'

type BadgeCall = {
  db: Executor
  params: { format: string }
  query: Static<typeof BadgeQuery>
}

/** Returns the badge of a build: with the build number if it is the latest of a stream, whose builds often share a version. */
export async function badgeOf(
  { db, params: { format }, query }: BadgeCall,
  { id, application_id }: { id: string; application_id: string },
  stream?: string,
): Promise<Static<typeof FileResponse>> {
  const contentType = types.get(format)
  if (contentType === undefined) throw notFound()
  const build = await requireBuild(db, application_id, id)
  const { version, version_semantic_extra } = versionResource(build)
  const { short_name } = platformResource(build.platform)
  const {
    label = `${short_name} ${stream ?? 'release'}`,
    color = version_semantic_extra === null ? 'blue' : 'orange',
    style = 'flat',
  } = query
  const message = stream === undefined ? version : versionWithNumber(build)
  const badge = { label, message, color, style }
  const text = format === 'json' ? JSON.stringify({ schemaVersion: 1, ...badge }) : await draw(badge)
  return { contentType, bytes: Buffer.from(text), canChange: true }
}

/** Loads the widths of characters with the first badge, because most servers draw none. */
async function draw(badge: Badge): Promise<string> {
  const { makeBadge } = await import('badge-maker')
  return makeBadge(badge)
}
