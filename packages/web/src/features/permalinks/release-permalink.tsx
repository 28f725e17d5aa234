import { SegmentedControl } from '@mantine/core'
import type { FullRelease } from '@quayside/sdk'
import { useState } from 'react'
import { permalinkText } from '../../text/distribution/permalinks.ts'
import { Section } from '../../ui/section.tsx'
import { Permalink } from './permalink.tsx'

const kinds = [
  { value: 'version', label: 'This version' },
  { value: 'latest', label: 'Latest version' },
] as const

/** Shows the permalinks of a published release. */
export function ReleasePermalink({ release }: { release: FullRelease }) {
  const [kind, setKind] = useState<(typeof kinds)[number]['value']>('version')
  const platforms = new Map(release.builds.map(({ platform }) => [platform.identifier, platform]))
  const item = kind === 'latest' ? 'latest' : encodeURIComponent(release.version)
  return (
    <Section
      title="Permalink"
      actions={<SegmentedControl size="xs" data={[...kinds]} value={kind} onChange={setKind} />}
    >
      <Permalink
        applicationId={release.application_id}
        path={`releases/${item}`}
        hint={permalinkText[kind]}
        platforms={[...platforms.values()]}
      />
    </Section>
  )
}
