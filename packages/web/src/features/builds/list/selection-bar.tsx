import { Button, Menu, Text } from '@mantine/core'
import type { ListedBuild } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../../api/session.ts'
import { buildText } from '../../../text/builds/build.ts'
import { plural } from '../../../ui/format/bytes.ts'
import {
  IconArrowsDiff,
  IconFolder,
  IconPackageExport,
  IconRestore,
  IconTag,
  IconTrash,
} from '../../../ui/icons/icons.ts'
import { ButtonLink } from '../../../ui/navigation/button-link.tsx'
import { LabelDot } from '../../../ui/status/label-dot.tsx'
import { labelsQuery } from '../../labels/label.queries.ts'
import { streamsQuery } from '../../streams/stream.queries.ts'
import { useBuildAction, type BuildAction } from '../build-actions.ts'
import { buildChanges } from '../build-changes.ts'
import classes from './selection-bar.module.css'

type Props = {
  applicationId: string
  builds: readonly ListedBuild[]
  isTrash: boolean
  onClear: () => void
}

/** Offers what can be done with the selected builds. */
export function SelectionBar({ applicationId, builds, isTrash, onClear }: Props) {
  const { can } = useSession()
  const run = useBuildAction(applicationId)
  const apply = (action: BuildAction) => {
    void run(builds, action)
    onClear()
  }
  const [first, second] = builds
  if (first === undefined) return null
  const canWrite = can('builds:write', applicationId)
  return (
    <div ref={reserveSpace} className={classes.bar} role="toolbar" aria-label="Selected builds">
      <Text fz="sm" fw={600}>
        {plural(builds.length, 'build')} selected
      </Text>
      {canWrite && !isTrash && (
        <>
          <MoveMenu applicationId={applicationId} builds={builds} apply={apply} />
          <LabelMenu applicationId={applicationId} builds={builds} apply={apply} />
        </>
      )}
      {can('releases:create', applicationId) && !isTrash && (
        <NewReleaseLink applicationId={applicationId} builds={builds} />
      )}
      {builds.length === 2 && second !== undefined && !isTrash && (
        <CompareLink applicationId={applicationId} first={first} second={second} />
      )}
      {canWrite && !isTrash && (
        <Button
          size="xs"
          variant="default"
          c="red"
          leftSection={<IconTrash size={15} />}
          onClick={() => apply(buildChanges.delete())}
        >
          Delete
        </Button>
      )}
      {canWrite && isTrash && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRestore size={15} />}
          onClick={() => apply(buildChanges.restore())}
        >
          Restore
        </Button>
      )}
      <Button size="xs" variant="subtle" color="gray" onClick={onClear} rightSection={<kbd>Esc</kbd>}>
        Clear
      </Button>
    </div>
  )
}

const barHeight = '--q-selection-bar'

/** Makes toasts appear above the bar, whose height depends on how its buttons wrap. */
function reserveSpace(bar: HTMLDivElement | null): (() => void) | undefined {
  if (bar === null) return undefined
  const { style } = document.documentElement
  const observer = new ResizeObserver(() =>
    style.setProperty(barHeight, `${window.innerHeight - bar.getBoundingClientRect().top}px`),
  )
  observer.observe(bar)
  return () => {
    observer.disconnect()
    style.removeProperty(barHeight)
  }
}

function NewReleaseLink({ applicationId, builds }: Pick<Props, 'applicationId' | 'builds'>) {
  return (
    <ButtonLink
      size="xs"
      variant="default"
      leftSection={<IconPackageExport size={15} />}
      to="/applications/$applicationId/releases/new"
      params={{ applicationId }}
      search={{ builds: builds.map(({ id }) => id).join(',') }}
    >
      New release
    </ButtonLink>
  )
}

type CompareProps = { applicationId: string; first: ListedBuild; second: ListedBuild }

function CompareLink({ applicationId, first, second }: CompareProps) {
  return (
    <ButtonLink
      size="xs"
      variant="default"
      leftSection={<IconArrowsDiff size={15} />}
      to="/applications/$applicationId/builds/$buildId"
      params={{ applicationId, buildId: first.id }}
      search={{ tab: 'compare', with: second.id }}
    >
      Compare
    </ButtonLink>
  )
}

type MenuProps = Pick<Props, 'applicationId' | 'builds'> & { apply: (action: BuildAction) => void }

function MoveMenu({ applicationId, builds, apply }: MenuProps) {
  const { data: streams = [] } = useQuery(streamsQuery(applicationId))
  const origins = new Set(builds.map(({ stream }) => stream.id))
  const origin = origins.size === 1 ? builds[0]?.stream : undefined
  return (
    <Menu position="top-start">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconFolder size={15} />}>
          Move
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Move to the stream</Menu.Label>
        {streams.map((stream) => (
          <Menu.Item
            key={stream.id}
            disabled={stream.id === origin?.id}
            onClick={() => apply(buildChanges.move(stream, origin))}
          >
            {stream.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function LabelMenu({ applicationId, builds, apply }: MenuProps) {
  const { data: labels = [] } = useQuery(labelsQuery(applicationId))
  return (
    <Menu position="top-start">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconTag size={15} />}>
          Label
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {labels.length === 0 && <Menu.Label>{buildText.noLabels}</Menu.Label>}
        {labels.map((label) => {
          const isOnAll = builds.every((build) => build.labels.some(({ id }) => id === label.id))
          return (
            <Menu.Item
              key={label.id}
              onClick={() => apply(isOnAll ? buildChanges.unlabel(label) : buildChanges.label(label))}
              rightSection={isOnAll ? 'remove' : null}
            >
              <LabelDot name={label.name} color={label.color} />
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
