import { ActionIcon, Button, Progress } from '@mantine/core'
import type { FullBuild } from '@quayside/sdk'
import type { ComponentProps } from 'react'
import { buildText } from '../../../text/builds/build.ts'
import { Copyable } from '../../../ui/copyable.tsx'
import { formatBytes } from '../../../ui/format/bytes.ts'
import { IconCircleCheck, IconFileAlert, IconFingerprint, IconX } from '../../../ui/icons/icons.ts'
import { Notice } from '../../../ui/notice.tsx'
import type { CheckResult } from './files-of-build.ts'
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

// One notice shows all states, so that screen readers announce each change of it.
function CheckBanner({ state, onClose }: { state: FileCheckState; onClose: () => void }) {
  return <Notice mb="md" {...noticeOf(state, onClose)} />
}

type NoticeProps = ComponentProps<typeof Notice>

function noticeOf(state: FileCheckState, onClose: () => void): NoticeProps {
  const { file, result, error } = state
  const action = (
    <ActionIcon variant="subtle" color="gray" aria-label="Dismiss" onClick={onClose}>
      <IconX size={16} />
    </ActionIcon>
  )
  if (error !== undefined) return { ...failure, title: file.name, children: error, action }
  if (result !== undefined) return { ...resultNotice(state, result), action }
  return {
    kind: 'info',
    icon: <IconFingerprint size={18} aria-hidden />,
    title: `Reading ${file.name}`,
    children: <ReadingProgress state={state} />,
    action: (
      <Button size="xs" variant="default" onClick={onClose}>
        Cancel
      </Button>
    ),
  }
}

function ReadingProgress({ state: { file, hashedBytes } }: { state: FileCheckState }) {
  return (
    <>
      <span className="tabular">
        {formatBytes(hashedBytes)} of {formatBytes(file.size)}
      </span>
      <Progress size="sm" mt={6} value={(hashedBytes / Math.max(1, file.size)) * 100} aria-label="Progress" />
    </>
  )
}

const failure = { kind: 'bad', role: 'status', icon: <IconFileAlert size={18} aria-hidden /> } as const

function resultNotice({ file, sha256 }: FileCheckState, result: CheckResult): NoticeProps {
  if (result.kind === 'unknown')
    return {
      kind: 'warn',
      icon: <IconFingerprint size={18} aria-hidden />,
      title: file.name,
      children: buildText.verify.noChecksum,
    }
  if (result.kind === 'matches')
    return {
      kind: 'good',
      icon: <IconCircleCheck size={18} aria-hidden />,
      title: buildText.verify.matches(result.file.filename),
      children: sha256 !== undefined && <Copyable value={sha256} label="SHA-256" mono />,
    }
  return {
    ...failure,
    title: buildText.verify.differs(result.file.filename),
    children:
      result.file.size_bytes === file.size
        ? buildText.verify.differsDetail
        : buildText.verify.sizes(
            sizeText(result.file.size_bytes, file.size),
            sizeText(file.size, result.file.size_bytes),
          ),
  }
}

/** Returns a size in bytes if the rounded size would be the same as the other. */
function sizeText(bytes: number, other: number): string {
  const rounded = formatBytes(bytes)
  return rounded === formatBytes(other) ? `${bytes.toLocaleString('en')} bytes` : rounded
}
