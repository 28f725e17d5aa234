import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { releaseText } from '../../text/releases/release.ts'
import { localInput } from '../../ui/format/local-input.ts'
import { useNow } from '../../ui/format/now.ts'
import { relativeTime } from '../../ui/format/time.ts'
import { localZone, suggestions, utcTime } from './schedule-times.ts'

type Props = {
  /** A local time as date inputs write it, such as `2026-12-01T09:00`. */
  value: string
  onChange: (value: string) => void
  error?: ReactNode
}

/** Chooses when a release is published, in the time zone of the person. */
export function ScheduleFields({ value, onChange, error }: Props) {
  const now = useNow()
  const time = value === '' ? undefined : new Date(value)
  const isValid = time !== undefined && !Number.isNaN(time.getTime())
  return (
    <Stack gap="xs">
      <TextInput
        type="datetime-local"
        label="Publish at"
        description={releaseText.schedule.zone(localZone(isValid ? time : new Date(now)))}
        value={value}
        min={localInput(new Date(now))}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error ?? (isValid && time.getTime() <= now ? releaseText.schedule.past : undefined)}
        required
        data-autofocus
      />
      <Group gap={6}>
        {suggestions(new Date(now)).map(({ label, at }) => (
          <Button key={label} size="compact-xs" variant="default" onClick={() => onChange(localInput(at))}>
            {label}
          </Button>
        ))}
      </Group>
      <Text fz="xs" c="dimmed" aria-live="polite">
        {isValid && time.getTime() > now
          ? `${capitalized(relativeTime(time.toISOString(), now)).replace(/\.$/, '')}.${time.getTimezoneOffset() === 0 ? '' : ` ${releaseText.schedule.inUtc(utcTime(time))}`}`
          : '\u00A0'}
      </Text>
    </Stack>
  )
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
