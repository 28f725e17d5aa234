import { ActionIcon, Button, Progress } from '@mantine/core'
import type { FullBuild } from '@quayside/sdk'
import { IconCircleCheck, IconFileAlert, IconFingerprint, IconX } from '@tabler/icons-react'
import { buildText } from '../../../text/build.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { formatBytes } from '../../../ui/format/bytes.ts'
import { Notice } from '../../../ui/notice.tsx'
import classes from './files.module.css'
import { useFileCheck, type FileCheckState } from './use-file-check.ts'
import { useFileDrop } from './use-file-drop.ts'

/** Compares a local file with the build as soon as it is dropped anywhere on the page. */
export function FileCheck({ build }: { build: FullBuild }) {
  const { state, start, clear } = useFileCheck(build)
  const isDragging = useFileDrop(start)
  return (
    <>
      {isDragging && (
        <div className={classes.overlay}>
          <strong>{buildText.verify.drop}</strong>
          <span>{buildText.verify.dropDetail}</span>
        </div>
      )}
      {state !== undefined && <CheckBanner state={state} onClose={clear} />}
    </>
  )
}

function CheckBanner({ state, onClose }: { state: FileCheckState; onClose: () => void }) {
  const { file, result } = state
  if (state.error !== undefined)
    return (
      <Notice
        mb="md"
        kind="bad"
        role="status"
        icon={<IconFileAlert size={18} aria-hidden />}
        title={file.name}
        action={<DismissButton onClick={onClose} />}
      >
        {state.error}
      </Notice>
    )
  if (result === undefined) return <ReadingNotice state={state} onCancel={onClose} />
  return <ResultNotice state={state} result={result} onClose={onClose} />
}

function DismissButton({ onClick }: { onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label="Dismiss" onClick={onClick}>
      <IconX size={16} />
    </ActionIcon>
  )
}

function ReadingNotice({
  state: { file, hashedBytes },
  onCancel,
}: {
  state: FileCheckState
  onCancel: () => void
}) {
  return (
    <Notice
      mb="md"
      kind="info"
      icon={<IconFingerprint size={18} aria-hidden />}
      title={`Reading ${file.name}`}
      action={
        <Button size="xs" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <span className="tabular">
        {formatBytes(hashedBytes)} of {formatBytes(file.size)}
      </span>
      <Progress size="sm" mt={6} value={(hashedBytes / Math.max(1, file.size)) * 100} aria-label="Progress" />
    </Notice>
  )
}

type ResultProps = {
  state: FileCheckState
  result: NonNullable<FileCheckState['result']>
  onClose: () => void
}

function ResultNotice({ state: { file, sha256 }, result, onClose }: ResultProps) {
  const close = <DismissButton onClick={onClose} />
  if (result.kind === 'unknown')
    return (
      <Notice
        mb="md"
        kind="warn"
        icon={<IconFingerprint size={18} aria-hidden />}
        title={file.name}
        action={close}
      >
        {buildText.verify.noChecksum}
      </Notice>
    )
  if (result.kind === 'matches')
    return (
      <Notice
        mb="md"
        kind="good"
        icon={<IconCircleCheck size={18} aria-hidden />}
        title={buildText.verify.matches(result.file.filename)}
        action={close}
      >
        {sha256 !== undefined && <Copyable value={sha256} label="SHA-256" mono />}
      </Notice>
    )
  return (
    <Notice
      mb="md"
      kind="bad"
      role="status"
      icon={<IconFileAlert size={18} aria-hidden />}
      title={buildText.verify.differs(result.file.filename)}
      action={close}
    >
      {result.file.size_bytes === file.size
        ? buildText.verify.differsDetail
        : buildText.verify.sizes(
            sizeText(result.file.size_bytes, file.size),
            sizeText(file.size, result.file.size_bytes),
          )}
    </Notice>
  )
}

/** Returns a size in bytes if the rounded size would be the same as the other. */
function sizeText(bytes: number, other: number): string {
  const rounded = formatBytes(bytes)
  return rounded === formatBytes(other) ? `${bytes.toLocaleString('en')} bytes` : rounded
}
