import { Type, type Static } from 'typebox'
import { platformResource } from '../../catalog/platforms.ts'
import type { Config } from '../../config/config.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { ApplicationId, Nullable, PathId, SizeBytes, Timestamp } from '../../http/endpoint/fields.ts'
import { versionResource } from '../builds/build.ts'
import { Platform } from '../platforms/platform.ts'
import type { FeedbackRow } from './feedback.db.ts'

export const feedbackParams = Type.Object({
  application_id: ApplicationId,
  feedback_id: PathId('ID of the feedback.'),
})

/** The setting of a share link, distribution group or portal. */
export const FeedbackEnabled = Type.Boolean({
  description: 'Whether visitors of the pages can send feedback. `false` by default.',
})

export const feedbackStates = ['open', 'closed'] as const
const channels = ['share-link', 'distribution-group', 'portal'] as const

const FeedbackScreenshot = Type.Object(
  {
    id: Type.String(),
    url: Type.String({
      description:
        'URL of the image, for keys and sessions that can read the feedback. Its content never changes.',
    }),
    width: Type.Integer({ description: 'Width in pixels.' }),
    height: Type.Integer({ description: 'Height in pixels.' }),
    size_bytes: SizeBytes,
  },
  { title: 'FeedbackScreenshot' },
)

export const Feedback = Type.Object(
  {
    id: Type.String(),
    application_id: Type.String(),
    build: Type.Object({
      id: Type.String(),
      version: Type.String({ description: 'Full semantic version of the build.' }),
      build_number: Nullable(Type.String()),
      platform: Platform,
    }),
    stream: Nullable(
      Type.Object(
        { id: Type.String(), name: Type.String() },
        { description: 'The stream of the build when the feedback was sent. `null` if it was deleted.' },
      ),
    ),
    text: Type.String({ description: 'What the visitor wrote: plain text.' }),
    rating: Nullable(Type.Integer({ minimum: 1, maximum: 5 })),
    name: Nullable(Type.String({ description: 'The name that the visitor typed.' })),
    email: Nullable(
      Type.String({
        description:
          'The address to which a personal link was sent or with which a private portal was opened, or the unverified address that the visitor typed. `null` for keys without `members:read` and in webhooks.',
      }),
    ),
    device: Nullable(
      Type.String({ description: 'As far as the browser reveals it.', examples: ['Pixel 8'] }),
    ),
    os: Nullable(Type.String({ description: 'As far as the browser reveals it.', examples: ['Android 16'] })),
    user_agent: Nullable(Type.String()),
    channel: Type.Enum([...channels], {
      description:
        'The kind of page. Only links of a `distribution-group` and private portals know their visitors.',
    }),
    share_link_id: Nullable(Type.String()),
    distribution_group_id: Nullable(Type.String()),
    portal_id: Nullable(Type.String()),
    screenshots: Type.Array(FeedbackScreenshot),
    state: Type.Enum([...feedbackStates]),
    closed_at: Nullable(Timestamp),
    closed_by: Nullable(
      Type.Object(
        { id: Nullable(Type.String()), name: Type.String() },
        { description: 'The API key or user that closed the feedback.' },
      ),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Feedback' },
)

declare module '../../events/catalogue.ts' {
  interface EventResources {
    feedback: Static<typeof Feedback>
  }
}

/** Returns the URL of a screenshot, which requires a key or session. */
const screenshotUrl = ({ publicUrl }: Config, { application_id, id }: FeedbackRow, screenshotId: string) =>
  `${publicUrl}/api/v1/applications/${application_id}/feedback/${id}/screenshots/${screenshotId}`

type Reader = { config: Config; actor: Pick<Actor, 'scopes'> }

/** Returns feedback as the caller may see it. */
export function feedbackResource(row: FeedbackRow, { config, actor }: Reader): Static<typeof Feedback> {
  const { id, build_id, build_number, closed_by, closed_by_name } = row
  return {
    id,
    application_id: row.application_id,
    build: {
      id: build_id,
      version: versionResource(row).version,
      build_number,
      platform: platformResource(row.platform),
    },
    stream: row.stream,
    text: row.text,
    rating: row.rating,
    name: row.name,
    email: actor.scopes.has('members:read') ? row.email : null,
    device: row.device,
    os: row.os,
    user_agent: row.user_agent,
    channel: row.channel as (typeof channels)[number],
    share_link_id: row.share_link_id,
    distribution_group_id: row.distribution_group_id,
    portal_id: row.portal_id,
    screenshots: row.screenshots.map((screenshot) => ({
      ...screenshot,
      url: screenshotUrl(config, row, screenshot.id),
    })),
    state: row.state as (typeof feedbackStates)[number],
    closed_at: row.closed_at,
    closed_by: closed_by_name === null ? null : { id: closed_by, name: closed_by_name },
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** Returns feedback as webhooks get it. */
export const feedbackOfEvent = (row: FeedbackRow, config: Config): Static<typeof Feedback> =>
  feedbackResource(row, { config, actor: { scopes: new Set() } })

/** Returns the attributes of feedback that the audit log records. */
export const feedbackAuditSnapshot = ({ build_id, state, rating }: FeedbackRow) => ({
  build_id,
  state,
  rating,
})
