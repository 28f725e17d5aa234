import { SegmentedControl, Skeleton, Text, Textarea } from '@mantine/core'
import { Suspense, useState } from 'react'
import { lazyPart } from '../loading/lazy-part.ts'
import classes from './markdown-editor.module.css'

const MarkdownText = lazyPart(async () => (await import('./markdown.tsx')).MarkdownText)

type Props = {
  /** What is written, for screen readers, such as "Notes". */
  label: string
  value: string
  onChange: (text: string) => void
  maxLength: number
  placeholder?: string
  help?: string
  error?: string | undefined
  hasFocus?: boolean
}

/** Edits Markdown with a preview of how readers see it. */
export function MarkdownEditor({ label, value, onChange, maxLength, ...options }: Props) {
  const { placeholder, help, error, hasFocus = false } = options
  const [mode, setMode] = useState('write')
  return (
    <div className={classes.editor}>
      <SegmentedControl
        size="xs"
        className={classes.modes}
        aria-label={`Editor mode: ${label}`}
        data={[
          { value: 'write', label: 'Write' },
          { value: 'preview', label: 'Preview' },
        ]}
        value={mode}
        onChange={setMode}
      />
      {mode === 'write' ? (
        <Textarea
          aria-label={label}
          autosize
          minRows={7}
          maxRows={24}
          maxLength={maxLength}
          value={value}
          placeholder={placeholder}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={error}
          autoFocus={hasFocus}
        />
      ) : (
        <div className={classes.preview}>
          {value.trim() === '' ? (
            <Text c="dimmed">Nothing to preview</Text>
          ) : (
            <RenderedMarkdown text={value} />
          )}
        </div>
      )}
      <Text fz="xs" c="dimmed" className="tabular">
        {help} {value.length > maxLength * 0.8 && `${value.length} of ${maxLength} characters`}
      </Text>
    </div>
  )
}

/** Loads the Markdown renderer when it is first needed. */
export function RenderedMarkdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<Skeleton height={16} width="60%" />}>
      <MarkdownText text={text} />
    </Suspense>
  )
}
