import { Button, type ButtonProps } from '@mantine/core'
import { useRef } from 'react'
import { showFailure } from '../../ui/toast.tsx'
import { inputFiles, inputFolder, pickFiles, pickFolder } from '../../upload/choose-files.ts'
import type { Chosen } from '../../upload/upload.ts'

type Props = ButtonProps & {
  kind: 'file' | 'files' | 'folder'
  /** The name of the file input, which screen readers do not reach. */
  inputLabel: string
  onChosen: (chosen: Chosen[]) => void | Promise<void>
  'aria-label'?: string
}

/** A button that opens the file dialog of the browser. */
export function ChooseButton({ kind, inputLabel, onChosen, ...button }: Props) {
  const input = useRef<HTMLInputElement>(null)
  async function choose(): Promise<void> {
    const chosen = await (kind === 'folder' ? pickFolder() : pickFiles({ multiple: kind === 'files' }))
    if (chosen === undefined) input.current?.click()
    else if (chosen.length > 0) await onChosen(chosen)
  }
  async function take(files: FileList | null): Promise<void> {
    const chosen = kind === 'folder' ? await inputFolder(files) : inputFiles(files)
    await onChosen(chosen)
  }
  return (
    <>
      <Button {...button} onClick={() => void choose().catch(showFailure)} />
      <input
        ref={input}
        type="file"
        multiple={kind === 'files'}
        // React does not declare this attribute.
        {...(kind === 'folder' ? { webkitdirectory: '' } : {})}
        hidden
        aria-label={inputLabel}
        onChange={({ currentTarget }) => {
          const { files } = currentTarget
          void take(files)
            .catch(showFailure)
            .finally(() => void (currentTarget.value = ''))
        }}
      />
    </>
  )
}
