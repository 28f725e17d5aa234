import { formatBytes, plural } from '../ui/bytes.ts';
/** The sentences of the pages about streams. */
export const streamText = {
    empty: 'A stream is a named series of builds, such as nightlies or beta. It decides how long its builds are kept.',
    template: 'New applications get a stream with this name.',
    retention: (days) => (days === null ? 'Forever' : plural(days, 'day')),
    help: {
        forever: 'Builds stay until someone deletes them.',
        days: (days, trashDays) => `A build moves to the trash ${plural(days, 'day')} after it was uploaded, and can be restored for ${plural(trashDays, 'day')}. Builds in releases, with usable share links, or marked to be kept stay.`,
    },
    summary: {
        due: 'At the next run',
        later: 'Later',
        stays: 'Stay',
        dueHelp: 'within the hour',
        laterHelp: 'when they are old enough',
        staysHelp: 'kept for a reason',
    },
    unsaved: (days) => days === null
        ? 'Preview: no build would move to the trash.'
        : `Preview: builds would be kept for ${plural(days, 'day')}.`,
    saveDue: (builds, bytes) => `${plural(builds, 'build')} (${formatBytes(bytes)}) will move to the trash within the hour.`,
    reasons: {
        keep_forever: 'Kept forever',
        share_link: 'Has a share link in use',
        stream: 'The stream keeps builds forever',
    },
    outcomes: {
        due: 'Moves to the trash within the hour',
        today: 'Moves to the trash today',
        days: (days) => `Moves to the trash in ${plural(days, 'day')}`,
    },
    remove: {
        move: (builds) => `${plural(builds, 'build')} of this stream must move to another stream.`,
        consequences: 'No build is deleted, and releases and share links keep their builds. Webhooks that are limited to this stream are deleted.',
    },
};
