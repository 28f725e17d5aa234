import type { WebhookEvent } from '@quayside/sdk'

type EventText = { title: string; description: string }

/** What each event means, in the order of the menu. */
export const eventTexts: Record<WebhookEvent, EventText> = {
  'build.created': { title: 'New build', description: 'A build is uploaded.' },
  'build.created.stream': {
    title: 'New build in a stream',
    description: 'A build is uploaded to the selected stream.',
  },
  'build.processed': {
    title: 'Build processed',
    description: 'A package has been read, could not be read, or need not be read.',
  },
  'build.label.added': { title: 'Label added', description: 'A label is added to a build.' },
  'build.moved': { title: 'Build moved', description: 'A build is moved to another stream.' },
  'build.moved.stream': {
    title: 'Build moved to a stream',
    description: 'A build is moved to the selected stream.',
  },
  'build.deleted': { title: 'Build deleted', description: 'A build is moved to the trash.' },
  'feedback.created': { title: 'New feedback', description: 'A tester sends feedback about a build.' },
  'feedback.updated': {
    title: 'Feedback closed or reopened',
    description: 'Feedback is closed or reopened.',
  },
  'release.created': { title: 'New release', description: 'A release is published for the first time.' },
  'release.updated': {
    title: 'Release updated',
    description: 'A published release changes, or a withdrawn release is published again.',
  },
  'release.withdrawn': { title: 'Release withdrawn', description: 'A published release is withdrawn.' },
  'device.registered': {
    title: 'Device registered',
    description: 'A visitor registers a device through a link.',
  },
  'rollout.stopped': {
    title: 'Rollout stopped',
    description: 'The stop rule of a rollout stops it because too many installations fail.',
  },
  'release.deleted': {
    title: 'Release deleted',
    description: 'A release that has been published is deleted.',
  },
}

export const eventTitle = (event: string): string =>
  Object.hasOwn(eventTexts, event) ? eventTexts[event as WebhookEvent].title : event
