import { plural } from '../ui/bytes.ts';
export const portalText = {
    explanation: 'A portal is a page with selected releases and streams of several applications, for people without an account.',
    types: {
        public: 'Everyone who has the address',
        private: 'Only visitors who identify themselves',
    },
    subdomain: 'Lowercase letters, digits and hyphens. Without one, the address ends with the ID.',
    customDomain: 'A host name such as downloads.example.com.',
    dns: 'Add this record to the DNS of the domain, then verify it. DNS changes can take a while to propagate.',
    verified: 'Verified. The domain belongs to this portal.',
    changedDomain: 'A changed domain must be verified again.',
    noApplications: 'Add an application, then choose which of its releases and streams visitors see.',
    noReleases: 'No release is published in this portal yet.',
    deletion: 'Visitors can no longer open the portal, and its custom domain becomes available to others. Applications, releases and builds are not deleted. This cannot be undone.',
    modes: {
        all: { streams: 'All streams, including future ones', releases: 'All published releases' },
        selective: { streams: 'Selected streams', releases: 'Selected releases' },
        none: { streams: 'No streams', releases: 'No releases' },
    },
    withdrawal: 'Individually published releases are withdrawn from the portal when you save.',
    removal: 'Visitors no longer see its streams and releases. Releases that were published individually are withdrawn from the portal.',
    emptyPreview: 'Visitors see nothing yet.',
    noPublishedReleases: 'This application has no published releases that are not in the portal. A portal shows only published releases.',
};
/** Returns what a portal shows of an application, such as `All streams · 3 releases`. */
export function shownText({ streams_mode, stream_ids, releases_mode }, releaseCount) {
    const streams = {
        all: 'All streams',
        selective: plural(stream_ids.length, 'stream'),
        none: undefined,
    }[streams_mode];
    const releases = {
        all: 'All releases',
        selective: plural(releaseCount, 'release'),
        none: undefined,
    }[releases_mode];
    const parts = [streams, releases].filter((part) => part !== undefined);
    return parts.length === 0 ? 'Nothing is shown' : parts.join(' · ');
}
