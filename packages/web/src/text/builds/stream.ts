import { formatBytes, plural } from '../../ui/format/bytes.ts'

/** The sentences of the pages about streams. */
export const streamText = {
  empty: 'A stream is a series of builds, such as nightlies or beta. It sets how long builds are kept.',
  retention: (days: number | null): string => (days === null ? 'Forever' : plural(days, 'day')),
  help: {
    forever: 'Builds stay until someone deletes them.',
    days: (days: number, trashDays: number) =>
      `Builds move to the trash ${plural(days, 'day')} after upload and can be restored for ${plural(trashDays, 'day')}. Builds that are released, shared or kept forever stay.`,
  },
  summary: {
    due: 'At the next run',
    later: 'Later',
    stays: 'Stay',
    dueHelp: 'within the hour',
    laterHelp: 'when they are old enough',
    staysHelp: 'kept for a reason',
  },
  freed: (bytes: number) =>
    `Builds share bytes: deleting those that do not stay frees ${formatBytes(bytes)} of the storage.`,
  unsaved: (days: number | null) =>
    days === null
      ? 'Preview: no build would move to the trash.'
      : `Preview: builds would be kept for ${plural(days, 'day')}.`,
  saveDue: (builds: number, bytes: number) =>
    `${plural(builds, 'build')} (${formatBytes(bytes)}) will move to the trash within the hour.`,
  reasons: {
    keep_forever: 'Kept forever',
    share_link: 'Has a share link in use',
    stream: 'The stream keeps builds forever',
  },
  outcomes: {
    due: 'Moves to the trash within the hour',
    today: 'Moves to the trash today',
    days: (days: number) => `Moves to the trash in ${plural(days, 'day')}`,
  },
  remove: {
    move: (builds: number) => `${plural(builds, 'build')} in this stream must move to another stream.`,
    consequences:
      'No build is deleted, and releases and share links keep their builds. Webhooks limited to this stream are deleted.',
  },
  unknown: {
    title: (name: string) => `This application has no stream “${name}”.`,
    detail: 'It may have been renamed or deleted.',
  },
  created: 'Stream created.',
  updated: 'Stream updated.',
  retentionSaved: 'Retention saved.',
  retentionHelp: 'Leave empty to keep builds forever.',
  noBuilds: 'No builds.',
} as const
