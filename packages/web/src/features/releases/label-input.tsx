import { TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { labelsQuery } from '../labels/label.queries.ts'

type Props = {
  applicationId: string
  /** Names of labels. */
  value: string[]
  onChange: (names: string[]) => void
  error?: ReactNode
}

/** Chooses labels by name. A name that does not exist yet creates a label. */
export function LabelInput({ applicationId, value, onChange, error }: Props) {
  const { data: labels = [] } = useQuery(labelsQuery(applicationId))
  return (
    <TagsInput
      label="Labels"
      placeholder={value.length === 0 ? 'Choose or add' : ''}
      // A label of the application can have the same name as one of the workspace.
      data={[...new Set(labels.map(({ name }) => name))]}
      value={value}
      onChange={onChange}
      maxTags={10}
      clearable
      error={error}
    />
  )
}
