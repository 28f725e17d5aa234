import { Button, Skeleton, Text, UnstyledButton } from '@mantine/core'
import type { ListedBuild } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { releaseText } from '../../../text/releases/release.ts'
import { plural } from '../../../ui/format/bytes.ts'
import { RelativeTime } from '../../../ui/format/relative-time.tsx'
import { IconPlus } from '../../../ui/icons/icons.ts'
import { PlatformIcon } from '../../../ui/platform-icon.tsx'
import { Section } from '../../../ui/section.tsx'
import { buildPageQuery } from '../../builds/build.queries.ts'
import { AddBuildsDialog } from '../builds/add-builds-dialog.tsx'
import { ReleaseBuildList } from '../builds/release-build-list.tsx'
import { VersionNotice } from '../builds/version-notice.tsx'
import classes from './new-release-form.module.css'
import type { NewRelease } from './use-new-release.ts'

type Props = {
  applicationId: string
  values: NewRelease
  set: (change: Partial<NewRelease>) => void
  error: string | undefined
}

/** Chooses the builds of a new release: those of one of the newest versions, or any others. */
export function BuildsStep({ applicationId, values, set, error }: Props) {
  const [isAdding, setIsAdding] = useState(false)
  const { builds, version } = values
  const addButton = (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlus size={15} />}
      onClick={() => setIsAdding(true)}
    >
      Add builds
    </Button>
  )
  return (
    <Section title="1. Builds" actions={addButton}>
      <VersionNotice
        builds={builds}
        version={version}
        action={(others) => (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => set({ builds: builds.filter((build) => !others.includes(build)) })}
          >
            Remove {others.length === 1 ? 'it' : 'them'}
          </Button>
        )}
      />
      {builds.length === 0 ? (
        <>
          <Text fz="sm" c="dimmed">
            {releaseText.builds.choose}
          </Text>
          <Suggestions applicationId={applicationId} onChoose={(chosen) => set({ builds: chosen })} />
        </>
      ) : (
        <ReleaseBuildList
          applicationId={applicationId}
          builds={builds}
          version={version}
          onRemove={({ id }) => set({ builds: builds.filter((build) => build.id !== id) })}
        />
      )}
      {error !== undefined && (
        <Text fz="xs" c="red" role="alert">
          {error}
        </Text>
      )}
      {isAdding && (
        <AddBuildsDialog
          applicationId={applicationId}
          existing={builds.map(({ id }) => id)}
          initialSearch=""
          onClose={() => setIsAdding(false)}
          onAdd={(added) => set({ builds: [...builds, ...added] })}
        />
      )}
    </Section>
  )
}

const maxSuggestions = 6

type SuggestionProps = { applicationId: string; onChoose: (builds: ListedBuild[]) => void }

/** The newest versions, each with the newest build of every platform, which one click chooses. */
function Suggestions({ applicationId, onChoose }: SuggestionProps) {
  const { data } = useQuery(buildPageQuery(applicationId, {}, 1))
  if (data === undefined) return <Skeleton height={84} radius="lg" mt="sm" />
  // A version with builds for more platforms is more likely to be released.
  const versions = [...Map.groupBy(data.data, keyOf).values()]
    .map(newestOfEach)
    .toSorted((one, other) => other.length - one.length)
    .slice(0, maxSuggestions)
  return (
    <div className={classes.suggestions}>
      {versions.map((builds) => {
        const [first] = builds
        if (first === undefined) return null
        return (
          <UnstyledButton key={keyOf(first)} className={classes.suggestion} onClick={() => onChoose(builds)}>
            <span className={classes.suggestionHead}>
              <span className="tabular">{first.version}</span>
              <span className={classes.icons}>
                {builds.map(({ id, platform }) => (
                  <PlatformIcon key={id} platform={platform} size={16} />
                ))}
              </span>
            </span>
            <span className={classes.soft}>
              {plural(builds.length, 'build')} · {first.stream.name} ·{' '}
              <RelativeTime time={first.created_at} />
            </span>
          </UnstyledButton>
        )
      })}
    </div>
  )
}

const keyOf = ({ version, stream }: ListedBuild): string => `${version} ${stream.id}`

/** Returns the newest build of each platform, custom target and set of architectures. The builds are newest first. */
function newestOfEach(builds: readonly ListedBuild[]): ListedBuild[] {
  const variant = ({ platform, custom_target: target, architectures }: ListedBuild) =>
    [platform.identifier, target?.id, ...architectures.map(({ identifier }) => identifier)].join(' ')
  return [...Map.groupBy(builds, variant).values()].flatMap(([newest]) => newest ?? [])
}
