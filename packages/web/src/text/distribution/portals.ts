import type { Portal } from '@quayside/sdk'
import { plural } from '../../ui/format/bytes.ts'

type Application = Portal['applications'][number]

export const portalText = {
  explanation:
    'A portal is a page for people without an account. It shows releases and streams from several applications.',
  types: {
    public: 'Anyone with the URL',
    private: 'Only members and allowed visitors, who get a code by email',
  },
  subdomain: 'Used in the URL if the server has a domain for portals. Lowercase letters, digits and hyphens.',
  color: 'Used for buttons and links, in a shade that is readable in light and dark mode.',
  visitors:
    'One email address or domain per line, such as ana@example.com or @example.com. Members of the workspace can always open the portal. If you remove an entry, its visitors lose access at once.',
  open: 'Open portal',
  customDomain:
    'A host name such as downloads.example.com, at which only this portal is served. Set up its certificate in the reverse proxy.',
  dns: 'Add this DNS record to the domain, then verify it. DNS changes can take a while to propagate.',
  verified: 'Verified. The domain belongs to this portal.',
  changedDomain: 'A changed domain must be verified again.',
  noApplications: 'Add an application, then choose which of its releases and streams visitors see.',
  noReleases: 'No release is published in this portal yet.',
  deletion:
    'The settings of the portal are deleted, and its custom domain becomes available to others. Applications, releases and builds are not deleted. This cannot be undone.',
  modes: {
    all: { streams: 'All streams, including future ones', releases: 'All published releases' },
    selective: { streams: 'Selected streams', releases: 'Selected releases' },
    none: { streams: 'No streams', releases: 'No releases' },
  },
  withdrawal: 'Individually published releases are withdrawn from the portal when you save.',
  removal:
    'Visitors no longer see its streams and releases. Individually published releases are withdrawn from the portal.',
  emptyPreview: 'Visitors see nothing yet.',
  noPublishedReleases:
    'This application has no published releases that are not in the portal. A portal shows only published releases.',
  saved: 'Portal saved.',
  deleted: 'Portal deleted.',
  domainSaved: 'Custom domain saved.',
  domainRemoved: 'Custom domain removed.',
  deleteTitle: (name: string) => `Delete the portal ${name}?`,
  removeTitle: (application: string) => `Remove ${application} from the portal?`,
  withdrawn: (version: string) => `${version} withdrawn from the portal.`,
  noMatch: 'No releases match.',
}

/** Returns what a portal shows of an application, such as `All streams · 3 releases`. */
export function shownText({ streams_mode, stream_ids, releases_mode }: Application, releaseCount: number) {
  const streams = {
    all: 'All streams',
    selective: plural(stream_ids.length, 'stream'),
    none: undefined,
  }[streams_mode]
  const releases = {
    all: 'All releases',
    selective: plural(releaseCount, 'release'),
    none: undefined,
  }[releases_mode]
  const parts = [streams, releases].filter((part) => part !== undefined)
  return parts.length === 0 ? 'Nothing is shown' : parts.join(' · ')
}
