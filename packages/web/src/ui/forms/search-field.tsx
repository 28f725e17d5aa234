import { ActionIcon, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { IconSearch, IconX } from '../icons/icons.ts'

type Props = {
  /** What is searched, for screen readers, such as "releases". */
  label: string
  placeholder: string
  value: string
  onChange: (text: string) => void
  className?: string | undefined
  maxLength?: number
  /** Whether the `/` key moves to this field. */
  isListSearch?: boolean
}

// Keys that follow each other faster belong to one search.
const pauseMs = 40
// While the server still works on a search, the next one waits for a longer pause.
const busyPauseMs = 120

/**
 * Shows each key press at once and searches when the typing pauses, or with Enter. Follows the URL when it changes
 * elsewhere.
 */
export function SearchField({ label, placeholder, value, onChange, ...options }: Props) {
  const { className, maxLength = 50, isListSearch = true } = options
  const [text, setText] = useState(value)
  const queryClient = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const search = useRef(onChange)
  useEffect(() => {
    search.current = onChange
  })
  const searchNow = (searched: string) => {
    clearTimeout(timer.current)
    search.current(searched.trim())
  }
  useEffect(() => setText(value), [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <TextInput
      className={className}
      size="xs"
      data-list-search={isListSearch || undefined}
      leftSection={<IconSearch size={15} />}
      rightSection={
        text === '' ? null : (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label="Clear the search"
            onClick={() => {
              setText('')
              searchNow('')
            }}
          >
            <IconX size={14} />
          </ActionIcon>
        )
      }
      placeholder={placeholder}
      aria-label={`Search ${label}`}
      maxLength={maxLength}
      value={text}
      onChange={(event) => {
        const typed = event.currentTarget.value
        setText(typed)
        clearTimeout(timer.current)
        timer.current = setTimeout(
          () => searchNow(typed),
          queryClient.isFetching() > 0 ? busyPauseMs : pauseMs,
        )
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') searchNow(event.currentTarget.value)
        if (event.key === 'Escape') event.currentTarget.blur()
      }}
    />
  )
}
