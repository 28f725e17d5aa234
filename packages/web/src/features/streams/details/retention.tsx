import { Button, Group, NumberInput, SegmentedControl, Slider, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { RetentionSummary, Stream } from '@quayside/sdk'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { applicationKey } from '../../../api/query-keys.ts'
import { streamText } from '../../../text/builds/stream.ts'
import { Section } from '../../../ui/section.tsx'
import { showDone, showFailure } from '../../../ui/toast.tsx'
import { retentionSummaryQuery, streamsQuery } from '../stream.queries.ts'
import { RetentionBuilds } from './retention-builds.tsx'
import { RetentionTotals } from './retention-totals.tsx'
import classes from './stream-details.module.css'

type Props = {
  applicationId: string
  stream: Stream
  canWrite: boolean
  /** Stops reloading the preview, which no longer exists once the stream is deleted. */
  isDeleting: boolean
}

const initialDays = 30
const previewDelayMs = 150

/** Chooses how long a stream keeps its builds, and previews what that does to each of them. */
export function Retention({ applicationId, stream, canWrite, isDeleting }: Props) {
  const [days, setDays] = useState(stream.retention_days)
  const { save, isSaving } = useSaveRetention(applicationId, stream.id)
  const [previewedDays] = useDebouncedValue(days, previewDelayMs)
  const { data: summary } = useQuery({
    ...retentionSummaryQuery(applicationId, stream.id, previewedDays ?? undefined),
    placeholderData: keepPreviousData,
    enabled: !isDeleting,
  })
  const isChanged = days !== stream.retention_days
  return (
    <>
      <Section title="Retention">
        <div className={classes.card}>
          <DaysControl
            days={days}
            onChange={setDays}
            isDisabled={!canWrite}
            lastDays={stream.retention_days}
          />
          <Text fz="sm" c="dimmed">
            {days === null ? streamText.help.forever : streamText.help.days(days, summary?.trash_days ?? 30)}
          </Text>
          {isChanged && (
            <UnsavedRetention
              days={days}
              summary={summary}
              isSaving={isSaving}
              onReset={() => setDays(stream.retention_days)}
              onSave={() => void save(days)}
            />
          )}
        </div>
        <RetentionTotals summary={summary} days={days} />
      </Section>
      <RetentionBuilds
        applicationId={applicationId}
        streamId={stream.id}
        days={days}
        summary={summary}
        isDeleting={isDeleting}
      />
    </>
  )
}

function useSaveRetention(applicationId: string, streamId: string) {
  const [isSaving, setIsSaving] = useState(false)
  const queryClient = useQueryClient()

  async function save(days: number | null): Promise<void> {
    setIsSaving(true)
    try {
      await api.updateStream({
        application_id: applicationId,
        stream_identifier: streamId,
        body: { retention_days: days },
      })
      await queryClient.invalidateQueries({ queryKey: streamsQuery(applicationId).queryKey })
      await queryClient.invalidateQueries({ queryKey: applicationKey(applicationId, 'builds') })
      showDone(streamText.retentionSaved)
    } catch (error) {
      showFailure(error)
    } finally {
      setIsSaving(false)
    }
  }

  return { save, isSaving }
}

type UnsavedProps = {
  days: number | null
  summary: RetentionSummary | undefined
  isSaving: boolean
  onReset: () => void
  onSave: () => void
}

/** Says that the number of days is not saved yet, and how many builds saving it moves to the trash at once. */
function UnsavedRetention({ days, summary, isSaving, onReset, onSave }: UnsavedProps) {
  return (
    <Group justify="space-between" className={classes.unsaved}>
      <Text fz="sm" fw={550} role="status">
        {streamText.unsaved(days)}{' '}
        {days !== null &&
          summary !== undefined &&
          summary.due.builds > 0 &&
          streamText.saveDue(summary.due.builds, summary.due.size_total_bytes)}
      </Text>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onReset}>
          Reset
        </Button>
        <Button size="xs" loading={isSaving} onClick={onSave}>
          Save
        </Button>
      </Group>
    </Group>
  )
}

type ControlProps = {
  days: number | null
  onChange: (days: number | null) => void
  isDisabled: boolean
  /** The saved number, which is selected again after "forever". */
  lastDays: number | null
}

const marks = [1, 7, 30, 90, 365] as const
const steps = 1_000
const maxSlider = 365

// The slider is logarithmic, because the difference between 3 and 4 days matters more than that between 303 and 304.
const toSlider = (days: number): number => (Math.log(Math.min(days, maxSlider)) / Math.log(maxSlider)) * steps
const toDays = (position: number): number => Math.round(maxSlider ** (position / steps))

function DaysControl({ days, onChange, isDisabled, lastDays }: ControlProps) {
  return (
    <div className={classes.control}>
      <SegmentedControl
        aria-label="Retention"
        size="sm"
        disabled={isDisabled}
        data={[
          { value: 'forever', label: 'Forever' },
          { value: 'days', label: 'For a number of days' },
        ]}
        value={days === null ? 'forever' : 'days'}
        onChange={(value) => onChange(value === 'forever' ? null : (lastDays ?? initialDays))}
      />
      {days !== null && (
        <>
          <NumberInput
            aria-label="Days"
            className={classes.days}
            suffix=" days"
            min={1}
            max={36_500}
            allowDecimal={false}
            disabled={isDisabled}
            value={days}
            onChange={(value) => typeof value === 'number' && value >= 1 && onChange(value)}
          />
          <Slider
            className={classes.slider}
            thumbLabel="Days"
            size="sm"
            min={0}
            max={steps}
            disabled={isDisabled}
            label={null}
            marks={marks.map((mark) => ({ value: toSlider(mark), label: String(mark) }))}
            value={toSlider(days)}
            onChange={(position) => onChange(toDays(position))}
            // One step of an arrow key is too short to reach the next day.
            onKeyDownCapture={(event) => {
              const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
              if (step === undefined) return
              event.preventDefault()
              event.stopPropagation()
              onChange(Math.max(1, days + step))
            }}
          />
        </>
      )}
    </div>
  )
}
