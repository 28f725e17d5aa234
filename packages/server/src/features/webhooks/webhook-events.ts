import { Type } from 'typebox'
import { eventCatalogue, eventNames, type EventName, type EventResources } from '../../events/catalogue.ts'
import type { WebhookEvent } from '../../http/reference/openapi-webhooks.ts'
import { FullBuild } from '../builds/build.ts'
import { Channel } from '../channels/channel.ts'
import { Rollout } from '../channels/rollouts/rollout.ts'
import { Device } from '../devices/device.ts'
import { Feedback } from '../feedback/feedback.ts'
import { FullRelease } from '../releases/release.ts'

const schemas = {
  build: FullBuild,
  channel: Channel,
  device: Device,
  feedback: Feedback,
  release: FullRelease,
  rollout: Rollout,
  stream: FullBuild.properties.stream,
  label: FullBuild.properties.labels.items,
} satisfies Record<keyof EventResources, unknown>

const descriptions: Readonly<Record<EventName, string>> = {
  'build.created': 'Sent when a build is uploaded.',
  'build.created.stream': 'Sent when a build is uploaded to the stream of the webhook.',
  'build.moved': 'Sent when a build is moved to another stream.',
  'build.moved.stream': 'Sent when a build is moved to the stream of the webhook.',
  'build.label.added': 'Sent when a label is added to a build.',
  'build.processed':
    'Sent once for every build: after its file has been read or could not be read, or directly after `build.created` if files of its type are not read.',
  'build.deleted': 'Sent when a build is moved to the trash.',
  'device.registered':
    'Sent when a visitor of a share link or group link of the application registers a device for the first time.',
  'feedback.created': 'Sent when a visitor of an install or release page sends feedback.',
  'feedback.updated': 'Sent when feedback is closed or reopened.',
  'release.created': 'Sent when a release is published for the first time.',
  'release.updated': 'Sent when a published release changes, or a withdrawn release is published again.',
  'release.withdrawn': 'Sent when a published release is withdrawn.',
  'release.deleted': 'Sent when a release that has been published is deleted.',
  'rollout.stopped': 'Sent when the stop rule of a rollout stops it. Not sent when a person stops it.',
}

/** The request of each event with its payload, for the OpenAPI document. */
export const webhookEvents: Readonly<Record<string, WebhookEvent>> = Object.fromEntries(
  eventNames.map((name) => [
    name,
    { summary: eventCatalogue[name].title, description: descriptions[name], payload: payloadOf(name) },
  ]),
)

function payloadOf(name: EventName) {
  return Type.Object({
    id: Type.String({ description: 'ID of the event, which is the same for every attempt and redelivery.' }),
    event: Type.Enum([name]),
    created: Type.Integer({ description: 'Unix time of the event in seconds.' }),
    data: Type.Object({
      ...Object.fromEntries(eventCatalogue[name].carries.map((kind) => [kind, schemas[kind]])),
      test: Type.Optional(Type.Boolean({ description: '`true` in test requests; absent otherwise.' })),
    }),
  })
}
