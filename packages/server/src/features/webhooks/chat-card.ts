import { eventCatalogue, type EventName, type EventResources } from '../../events/catalogue.ts'
import { reportedText } from '../../lib/reported-text.ts'
import type { ChatCard } from '../../net/chat/chat-card.ts'
import type { Envelope } from './webhook-request.db.ts'

// The services limit a title to 150 characters, a field to 1,024 and a URL to 2,048. Escaping can double the length of
// a text.
const maxSubjectCharacters = 120
const maxFactCharacters = 250
const maxNotesCharacters = 500
const maxUrlCharacters = 2_000

type Resources = { [Kind in keyof EventResources]?: Partial<EventResources[Kind]> | undefined }

/** Returns the card for an event. The sample data of a test request may lack any attribute. */
export function chatCard({ event, data }: Envelope, applicationName: string): ChatCard {
  const { build, release, stream, label, device, feedback, rollout, channel } = data as Resources
  const { title } = eventCatalogue[event as EventName] ?? { title: event }
  const version = (build ?? release ?? rollout)?.version ?? ''
  const number = build?.build_number ?? ''
  const subject = [applicationName, version, number === '' ? '' : `(${number})`].filter((part) => part !== '')
  const facts = [
    ...feedbackFacts(feedback ?? {}),
    ...rolloutFacts(rollout ?? {}, channel),
    ...(device !== undefined
      ? deviceFacts(device)
      : build === undefined
        ? releaseFacts(release ?? {})
        : buildFacts({ build, stream, label })),
  ]
  return {
    title: data['test'] === true ? `Test: ${title}` : title,
    subject: reportedText(subject.join(' '), maxSubjectCharacters),
    url: usableUrl(build?.modal_url),
    facts: facts.flatMap(({ name, value, url }) => {
      const shown = reportedText(value ?? '', maxFactCharacters)
      const link = usableUrl(url)
      return shown === '' ? [] : [{ name, value: shown, ...(link === undefined ? {} : { url: link }) }]
    }),
    notes: reportedText(feedback?.text ?? (build ?? release)?.notes ?? '', maxNotesCharacters) || undefined,
  }
}

type Fact = { name: string; value: string | null | undefined; url?: string | null | undefined }

function buildFacts({ build = {}, stream, label }: Resources): Fact[] {
  const { platform, architectures = [], labels = [], scm, links, custom_target } = build
  const commit = [scm?.scm_branch, scm?.scm_commit_sha_short].filter((part) => typeof part === 'string')
  const architecture = architectures.length === 0 ? '' : ` (${listed(architectures)})`
  return [
    { name: 'Label', value: label?.name },
    { name: 'Stream', value: (stream ?? build.stream)?.name },
    { name: 'Platform', value: platform && `${platform.name}${architecture}` },
    { name: 'Target', value: custom_target?.name },
    { name: 'Labels', value: label === undefined ? listed(labels) : undefined },
    { name: 'Commit', value: commit.join('@'), url: links?.scm_commit_url },
    { name: 'Size', value: build.size_total_string },
  ]
}

function feedbackFacts({ rating, name, device, os }: Partial<EventResources['feedback']>): Fact[] {
  const devices = [device, os].filter((part) => typeof part === 'string')
  return [
    { name: 'Rating', value: typeof rating === 'number' ? `${rating} of 5` : undefined },
    { name: 'From', value: name },
    { name: 'Device', value: devices.join(', ') },
  ]
}

function releaseFacts({ title, builds = [], labels = [] }: Partial<EventResources['release']>): Fact[] {
  const platforms = new Map(builds.map(({ platform }) => [platform.name, platform]))
  return [
    { name: 'Title', value: title },
    { name: 'Builds', value: builds.length === 0 ? undefined : String(builds.length) },
    { name: 'Platforms', value: listed([...platforms.values()]) },
    { name: 'Labels', value: listed(labels) },
  ]
}

function rolloutFacts(
  { percentage, stopped_by_rule: reached }: Partial<EventResources['rollout']>,
  channel: Resources['channel'],
): Fact[] {
  return [
    { name: 'Channel', value: channel?.name },
    { name: 'Offered to', value: percentage === undefined ? undefined : `${percentage} %` },
    { name: 'Failures', value: reached && `${reached.failures} of ${reached.reports} reports` },
  ]
}

const deviceFacts = ({ name, product_name, udid }: Partial<EventResources['device']>): Fact[] => [
  { name: 'Device', value: name },
  { name: 'Product', value: product_name },
  { name: 'UDID', value: udid },
]

const listed = (items: readonly { name: string }[]): string => items.map(({ name }) => name).join(', ')

const usableUrl = (url: string | null | undefined): string | undefined =>
  typeof url === 'string' && url.length <= maxUrlCharacters && /^https?:\/\//.test(url) ? url : undefined
