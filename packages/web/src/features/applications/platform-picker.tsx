import { Button, Checkbox, Input } from '@mantine/core'
import { useState } from 'react'
import { platformGroups, platforms } from '../../text/builds/platforms.ts'
import { PlatformIcon } from '../../ui/platform-icon.tsx'
import classes from './platform-picker.module.css'

const common = new Set(['android', 'ios', 'windows', 'macos', 'linux'])

type Props = {
  value: readonly string[]
  onChange: (platforms: string[]) => void
  error?: React.ReactNode
  canEdit?: boolean
}

/** Selects platforms. Shows the most common and the selected ones first, and the others on request. */
export function PlatformPicker({ value, onChange, error, canEdit = true }: Props) {
  // A platform does not disappear when it is deselected.
  const [first] = useState(() => new Set([...(canEdit ? common : []), ...value]))
  const [showsAll, setShowsAll] = useState(false)
  const groups = showsAll
    ? platformGroups
    : [{ label: 'Platforms', platforms: platforms.filter(({ identifier }) => first.has(identifier)) }]
  return (
    <Input.Wrapper label="Platforms" labelElement="div" error={error}>
      {groups.map(({ label, platforms: shown }) => (
        <div key={label} role="group" aria-label={label}>
          {showsAll && <div className={classes.group}>{label}</div>}
          <div className={classes.grid}>
            {shown.map((platform) => {
              const { identifier, name } = platform
              const isSelected = value.includes(identifier)
              return (
                <label key={identifier} className={classes.option} data-selected={isSelected || undefined}>
                  <PlatformIcon platform={platform} size={20} />
                  <span className={classes.name}>{name}</span>
                  <Checkbox
                    size="xs"
                    checked={isSelected}
                    disabled={!canEdit}
                    onChange={() =>
                      onChange(
                        isSelected ? value.filter((each) => each !== identifier) : [...value, identifier],
                      )
                    }
                  />
                </label>
              )
            })}
          </div>
        </div>
      ))}
      {canEdit && (
        <Button
          variant="subtle"
          size="xs"
          mt={4}
          // The text, not the padding, is aligned with the fields.
          ml="calc(-1 * var(--button-padding-x))"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? 'Show fewer platforms' : 'Show all platforms'}
        </Button>
      )}
    </Input.Wrapper>
  )
}
