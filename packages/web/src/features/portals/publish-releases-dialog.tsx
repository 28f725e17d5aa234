import { Button, Checkbox, Group, Modal, ScrollArea, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { PortalRelease } from '@quayside/sdk'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { portalText } from '../../text/portals.ts'
import { plural } from '../../ui/bytes.ts'
import { FailureBanner } from '../../ui/failure-banner.tsx'
import { calendarDay } from '../../ui/time.ts'
import type { PortalApplication } from './portal-applications.tsx'
import { publishedReleasesQuery } from './portal.queries.ts'

type Props = {
  application: PortalApplication
  /** The releases that are already in the portal. */
  published: readonly PortalRelease[]
  onPublish: (releaseId: string) => Promise<void>
  onClose: () => void
}

/** Publishes releases of an application individually in a portal. */
export function PublishReleasesDialog({ application, published, onPublish, onClose }: Props) {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 150)
  const query = useQuery({
    ...publishedReleasesQuery(application.id, search),
    placeholderData: keepPreviousData,
  })
  const [selected, setSelected] = useState<string[]>([])
  const [isRunning, setIsRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  const releases = query.data?.filter(({ id }) => !published.some((release) => release.id === id))
  async function publish(): Promise<void> {
    setIsRunning(true)
    setError(undefined)
    try {
      for (const id of selected) {
        await onPublish(id)
        setSelected((ids) => ids.filter((each) => each !== id))
      }
      onClose()
    } catch (failure) {
      setError(failure)
      setIsRunning(false)
    }
  }
  const failure = error ?? query.error ?? undefined
  return (
    <Modal opened onClose={onClose} title={`Publish releases of ${application.name}`}>
      <Stack>
        <TextInput
          leftSection={<IconSearch size={15} />}
          placeholder="Version or title"
          aria-label="Search releases"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        {releases === undefined && query.error === null && <Skeleton height={140} />}
        {releases?.length === 0 && (
          <Text fz="sm" c="dimmed">
            {search === '' ? portalText.noPublishedReleases : 'No releases match.'}
          </Text>
        )}
        <ScrollArea.Autosize mah="50vh">
          <Checkbox.Group value={selected} onChange={setSelected} aria-label="Releases">
            <Stack gap="xs" p={2}>
              {releases?.map(({ id, version, title, published_at: at }) => (
                <Checkbox
                  key={id}
                  value={id}
                  label={title === version ? version : `${version} · ${title}`}
                  description={at === null ? undefined : `Published ${calendarDay(at)}`}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        </ScrollArea.Autosize>
        {failure !== undefined && <FailureBanner error={failure} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isRunning} disabled={selected.length === 0} onClick={() => void publish()}>
            {selected.length === 0 ? 'Publish' : `Publish ${plural(selected.length, 'release')}`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
