import { Autocomplete } from '@mantine/core'
import { useEffect, useState } from 'react'

type Props = {
  actors: readonly string[]
  value: string | undefined
  onChange: (actor: string | undefined) => void
}

/** Selects a person or a key by name. Recent names are suggested, any other can be typed. */
export function ActorSelect({ actors, value, onChange }: Props) {
  const [text, setText] = useState(value ?? '')
  useEffect(() => setText(value ?? ''), [value])
  const commit = (name: string) => onChange(name.trim() || undefined)
  return (
    <Autocomplete
      size="xs"
      aria-label="Person or key"
      placeholder="Anyone"
      clearable
      data={actors.toSorted((a, b) => a.localeCompare(b))}
      value={text}
      onChange={(next) => {
        setText(next)
        if (next === '') onChange(undefined)
      }}
      onOptionSubmit={commit}
      onBlur={() => commit(text)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(text)
      }}
    />
  )
}
