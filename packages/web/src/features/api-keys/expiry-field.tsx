import { Group, NativeSelect, TextInput } from '@mantine/core'
import { localDay } from '../../ui/format/local-input.ts'
import { calendarDay } from '../../ui/format/time.ts'

/** A number of days, `never`, or a date such as `2027-01-31`. */
export type Expiry = '30' | '90' | '365' | 'never' | (string & {})

type Props = { value: Expiry; onChange: (expiry: Expiry) => void; error?: React.ReactNode }

const msPerDay = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * msPerDay)

/** Selects when something expires. */
export function ExpiryField({ value, onChange, error }: Props) {
  const isDate = value.includes('-') || value === ''
  return (
    <Group align="end" gap="xs" grow>
      <NativeSelect
        label="Expires"
        error={error}
        value={isDate ? 'date' : value}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value === 'date' ? localDay(inDays(180)) : currentTarget.value)
        }
        data={[
          ...[30, 90, 365].map((days) => ({
            value: String(days),
            label: `In ${days === 365 ? '1 year' : `${days} days`}, on ${calendarDay(inDays(days).toISOString())}`,
          })),
          { value: 'date', label: 'On another day' },
          { value: 'never', label: 'Never' },
        ]}
      />
      {isDate && (
        <TextInput
          type="date"
          aria-label="Day"
          min={localDay(inDays(1))}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Group>
  )
}

/** Returns the expiry as the API expects it: the end of the day, or null for never. */
export function expiresAt(expiry: Expiry): string | null {
  if (expiry === 'never' || expiry === '') return null
  if (expiry.includes('-')) return new Date(`${expiry}T23:59:59`).toISOString()
  return inDays(Number(expiry)).toISOString()
}
