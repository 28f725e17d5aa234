/**
 * Every event that a webhook can subscribe to. `title` names it in chat messages. `carries` lists the resources in the
 * event's data, with the subject first. `stream` specifies whether a webhook can or must be limited to one stream; any
 * webhook can be limited to one label. The webhook API and the event types are derived from this list.
 */
export const eventCatalogue = {
  'build.created': { title: 'New build', carries: ['build'], stream: 'optional' },
  'build.created.stream': { title: 'New build', carries: ['build', 'stream'], stream: 'required' },
  'build.moved': { title: 'Build moved', carries: ['build'], stream: 'optional' },
  'build.moved.stream': { title: 'Build moved', carries: ['build', 'stream'], stream: 'required' },
  'build.label.added': { title: 'Label added', carries: ['build', 'label'], stream: 'optional' },
  'build.processed': { title: 'Build processed', carries: ['build'], stream: 'optional' },
  'build.deleted': { title: 'Build deleted', carries: ['build'], stream: 'optional' },
  'device.registered': { title: 'Device registered', carries: ['device'], stream: 'not allowed' },
  'feedback.created': { title: 'New feedback', carries: ['feedback', 'build'], stream: 'optional' },
  'feedback.updated': {
    title: 'Feedback closed or reopened',
    carries: ['feedback', 'build'],
    stream: 'optional',
  },
  'release.created': { title: 'New release', carries: ['release'], stream: 'not allowed' },
  'release.updated': { title: 'Release updated', carries: ['release'], stream: 'not allowed' },
  'release.withdrawn': { title: 'Release withdrawn', carries: ['release'], stream: 'not allowed' },
  'release.deleted': { title: 'Release deleted', carries: ['release'], stream: 'not allowed' },
  'rollout.stopped': { title: 'Rollout stopped', carries: ['rollout', 'channel'], stream: 'not allowed' },
} as const satisfies Record<
  string,
  {
    title: string
    carries: readonly [keyof EventResources, ...(keyof EventResources)[]]
    stream: 'optional' | 'required' | 'not allowed'
  }
>

/**
 * The type of each resource as the API returns it. Features add their types by declaration merging, as in `build.ts`
 * and `release.ts`, because this folder must not import features.
 */
export interface EventResources {}

/**
 * Sample resources for webhook tests. Used when the most recent build or release does not provide a resource of that
 * type.
 */
export const eventSamples: { [Kind in keyof EventResources]: Partial<EventResources[Kind]> } = {
  build: { id: 'example', version: '1.0.0' },
  feedback: { id: 'example', text: 'The app closes when I save.', rating: 3, state: 'open' },
  release: { id: 'example', title: 'Example', version: '1.0.0' },
  stream: { id: 'example', name: 'example' },
  label: { id: 'example', name: 'example' },
  rollout: {
    version: '2.0.0',
    state: 'stopped',
    percentage: 20,
    stop_when: { failures_percent: 5, minimum_reports: 50 },
    stopped_by_rule: { stopped_at: '2026-11-28T12:00:00.000000Z', reports: 60, failures: 4 },
  },
  channel: { id: 'example', name: 'Stable' },
  device: { id: 'example', name: 'iPhone 16', udid: '00008030-001A2B3C4D5E6F70', platform: 'ios' },
}

type Catalogue = typeof eventCatalogue
export type EventName = keyof Catalogue

export const eventNames = Object.keys(eventCatalogue) as EventName[]

/** An event with exactly the resources that `eventCatalogue` lists for its name. */
export type NamedEvent = {
  [Name in EventName]: { name: Name; data: Pick<EventResources, Catalogue[Name]['carries'][number]> }
}[EventName]

/** Maps the noun of each audit action to its verbs. The nouns are spelled as in scopes. */
type AuditVerbs = {
  access_request: 'created' | 'approved' | 'declined' | 'restored'
  api_key: 'created' | 'revoked'
  application:
    | 'created'
    | 'updated'
    | 'deleted'
    | 'restored'
    | 'purged'
    | 'imported'
    | 'platforms_replaced'
    | IconVerb
  application_member: 'created' | 'updated' | 'deleted'
  build: 'created' | 'updated' | 'processed' | 'deleted' | 'restored' | 'purged'
  channel: 'created' | 'updated' | 'deleted'
  channel_read_key: 'created' | 'revoked'
  custom_store: 'saved' | 'deleted'
  custom_target: 'created' | 'updated' | 'promoted' | 'deleted' | IconVerb
  default_stream: 'created' | 'updated' | 'deleted'
  device: 'registered' | 'created' | 'updated' | 'deleted'
  distribution_group:
    | 'created'
    | 'updated'
    | 'deleted'
    | `member_${'subscribed' | 'unsubscribed' | 'bounced' | 'bounce_cleared'}`
    | `members_${'added' | 'removed'}`
    | `release_${'added' | 'removed'}`
  feedback: 'created' | 'updated' | 'deleted'
  invitation: 'created' | 'accepted' | 'revoked'
  label: 'created' | 'updated' | 'promoted' | 'deleted'
  member: 'created' | 'updated' | 'deleted' | `photo_${'replaced' | 'deleted'}`
  metadata_artifact: 'created' | 'deleted'
  portal:
    | 'created'
    | 'updated'
    | 'deleted'
    | `application_${'changed' | 'removed'}`
    | `release_${'published' | 'withdrawn'}`
    | 'custom_domain_verified'
    | IconVerb
  release: 'created' | 'updated' | 'scheduled' | 'published' | 'withdrawn' | 'deleted'
  repository_key: 'created' | 'deleted'
  rollout: 'changed' | 'stopped'
  scim_token: 'created' | 'revoked'
  share_link: 'created' | 'updated' | 'locked' | 'deleted'
  stream: 'created' | 'updated' | 'deleted'
  team:
    | 'created'
    | 'updated'
    | 'deleted'
    | `members_${'added' | 'removed'}`
    | `application_${'changed' | 'removed'}`
  trusted_publisher: 'created' | 'updated' | 'deleted'
  view: 'created' | 'updated' | 'deleted' | 'restored'
  webhook: 'created' | 'updated' | 'tested' | 'redelivered' | 'deleted'
  webhook_request: 'redelivered'
  workspace: 'updated' | 'set_up' | 'imported' | `logo_${'replaced' | 'deleted'}`
}
type IconVerb = `icon_${'replaced' | 'deleted'}`

export type AuditAction = {
  [Noun in keyof AuditVerbs]: `${Noun}.${AuditVerbs[Noun]}`
}[keyof AuditVerbs]

/** The type of an audit entry's subject. The subject of an `application_member` action is the `member`. */
export type AuditSubject = Exclude<keyof AuditVerbs, 'application_member'>
