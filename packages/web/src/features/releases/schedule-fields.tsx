import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { releaseText } from '../../text/releases/release.ts'
import { localInput } from '../../ui/format/local-input.ts'
import { useNow } from '../../ui/format/now.ts'
import { relativeTime } from '../../ui/format/time.ts'

type Props = {
  /** A local time as date inputs write it, such as `2026-12-01T09:00`. */
  value: string
  onChange: (value: string) => void
  error?: ReactNode
}

const dayMs = 86_400_000

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

/** Returns the ISO timestamp of a local time; undefined if it is missing or not in the future. */
export function futureTimestamp(value: string): string | undefined {
  const time = new Date(value)
  return time.getTime() > Date.now() ? time.toISOString() : undefined
}

/** Returns the time zone of the person with its offset at a time, such as `Europe/Madrid (GMT+1)`. */
export function localZone(at: Date): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const offset = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value
  return offset === undefined || offset === timeZone ? timeZone : `${timeZone} (${offset})`
}

/** Returns a time in UTC, such as `Dec 1, 2026, 09:00`. */
export const utcTime = (time: Date): string =>
  new Intl.DateTimeFormat('en', {
    dateStyle: 'medium',
    timeStyle: 'short',
    hour12: false,
    timeZone: 'UTC',
  }).format(time)

function suggestions(now: Date): { label: string; at: Date }[] {
  const morning = (days: number) => {
    const at = new Date(now.getTime() + days * dayMs)
    at.setHours(9, 0, 0, 0)
    return at
  }
  const daysToMonday = (8 - now.getDay()) % 7 || 7
  return [
    { label: 'In 1 hour', at: new Date(Math.ceil((now.getTime() + 3_600_000) / 60_000) * 60_000) },
    { label: 'Tomorrow, 9:00', at: morning(1) },
    ...(daysToMonday === 1 ? [] : [{ label: 'Monday, 9:00', at: morning(daysToMonday) }]),
  ]
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
