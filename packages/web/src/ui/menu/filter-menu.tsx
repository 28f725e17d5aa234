import { Button, Checkbox, Popover, ScrollArea, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { IconChevronDown, IconPlus } from '../icons/icons.ts'
import classes from './filter-menu.module.css'

export type FilterOption = { value: string; label: string; icon?: ReactNode }

type Props = {
  label: string
  options: readonly FilterOption[]
  /** The selected values. */
  values: readonly string[]
  onChange: (values: string[]) => void
  /** Whether a text that is not an option can be added, such as the name of a branch. */
  allowsOther?: boolean
  /** Whether the button is small and shows no count, because the values are shown beside it. */
  isCompact?: boolean
}

/** A button that opens a searchable list from which several values can be selected. */
export function FilterMenu({
  label,
  options,
  values,
  onChange,
  allowsOther = false,
  isCompact = false,
}: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const filter = useFilter({ options, values, onChange, allowsOther })
  const { text, setText, shown, canAdd, toggle, add } = filter
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" width={260} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant={isCompact ? 'subtle' : 'default'}
          color="gray"
          size={isCompact ? 'compact-xs' : 'xs'}
          leftSection={isCompact ? <IconPlus size={13} /> : undefined}
          rightSection={isCompact ? undefined : <IconChevronDown size={14} />}
          onClick={() => setIsOpen(!isOpen)}
          data-active={(!isCompact && values.length > 0) || undefined}
          className={classes.button}
        >
          {label}
          {!isCompact && values.length > 0 && <span className={classes.count}>{values.length}</span>}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={6}>
        <TextInput
          size="xs"
          placeholder={allowsOther ? 'Find or add' : 'Find'}
          aria-label={`Find: ${label}`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            const [only] = shown
            if (event.key !== 'Enter') return
            if (canAdd) add()
            else if (only !== undefined) toggle(only.value)
          }}
          data-autofocus
        />
        <OptionList filter={filter} values={values} />
      </Popover.Dropdown>
    </Popover>
  )
}

type FilterInput = Pick<Props, 'options' | 'values' | 'onChange'> & { allowsOther: boolean }

/** Returns the options that contain the typed text, and the functions that select options. */
function useFilter({ options, values, onChange, allowsOther }: FilterInput) {
  const [text, setText] = useState('')
  const needle = text.trim().toLowerCase()
  const others = values
    .filter((value) => !options.some((option) => option.value === value))
    .map((value): FilterOption => ({ value, label: value }))
  const shown = [...others, ...options].filter((option) => option.label.toLowerCase().includes(needle))
  const canAdd =
    allowsOther && needle !== '' && !shown.some((option) => option.label.toLowerCase() === needle)
  const toggle = (value: string) =>
    onChange(values.includes(value) ? values.filter((each) => each !== value) : [...values, value])
  const add = () => {
    toggle(text.trim())
    setText('')
  }
  return { text, setText, shown, canAdd, toggle, add }
}

type ListProps = { filter: ReturnType<typeof useFilter>; values: readonly string[] }

function OptionList({ filter: { text, shown, canAdd, toggle, add }, values }: ListProps) {
  return (
    <ScrollArea.Autosize mah={280} mt={6} type="auto">
      {shown.map(({ value, label: name, icon }) => (
        <label key={value} className={classes.option}>
          <Checkbox size="xs" checked={values.includes(value)} onChange={() => toggle(value)} />
          {icon !== undefined && (
            <span className={classes.icon} aria-hidden>
              {icon}
            </span>
          )}
          <span className={classes.name}>{name}</span>
        </label>
      ))}
      {canAdd && (
        <button type="button" className={classes.option} onClick={add}>
          Add “{text.trim()}”
        </button>
      )}
      {shown.length === 0 && !canAdd && (
        <Text fz="xs" c="dimmed" p={8}>
          Nothing found
        </Text>
      )}
    </ScrollArea.Autosize>
  )
}
