import { useQueryClient } from '@tanstack/react-query'
import { useMatches, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { uploadText } from '../../text/builds/upload.ts'
import { plural } from '../../ui/format/bytes.ts'
import { IconUpload } from '../../ui/icons/icons.ts'
import { showAction, showDone, showFailure } from '../../ui/toast.tsx'
import { droppedFiles, hasFiles } from '../../upload/choose-files.ts'
import type { UploadPhase } from '../../upload/upload.ts'
import classes from './drop-overlay.module.css'
import { uploadFiles } from './upload-queue.ts'
import { useUploadApplications } from './upload-target.ts'

// A file that is dropped on the page of a build is compared with the build.
const otherUses: ReadonlySet<string> = new Set(['/console/applications/$applicationId/builds/$buildId'])

// These pages ask for missing platforms themselves.
const uploadPages: ReadonlySet<string> = new Set(['/console/upload', '/setup'])

const asked: Partial<Record<UploadPhase, (files: string) => string>> = {
  'needs-platform': uploadText.needsPlatform,
  'needs-application': uploadText.needsApplication,
}

/**
 * Lets a person drop files on any page. They go to the application that the page shows, and nowhere else if the person may
 * not upload there. The browser would otherwise open the file instead of the console.
 */
export function DropOverlay() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { selected, isOtherUse, isUploadPage } = useDropTarget()
  const [isDragging, setIsDragging] = useState(false)
  const depth = useRef(0)
  const applicationId = selected?.id
  useEffect(() => {
    if (isOtherUse) return undefined
    async function upload(transfer: DataTransfer): Promise<void> {
      if (applicationId === undefined) return
      const chosen = await droppedFiles(transfer)
      if (chosen.length === 0) return
      const uploads = await uploadFiles(queryClient, applicationId, chosen)
      const choose = () => void navigate({ to: '/upload', search: { application: applicationId } })
      for (const [phase, group] of Map.groupBy(uploads, ({ phase }) => phase)) {
        const ask = asked[phase]
        if (ask !== undefined && !isUploadPage)
          showAction(ask(plural(group.length, 'file')), 'Choose', choose)
      }
      const sent = uploads.filter(({ phase }) => phase !== 'failed' && asked[phase] === undefined)
      for (const [name, { length }] of Map.groupBy(sent, (upload) => upload.applicationName))
        showDone(uploadText.added(plural(length, 'file'), name))
    }
    const setDepth = (next: number) => {
      depth.current = Math.max(0, next)
      setIsDragging(depth.current > 0)
    }
    return listenToFiles({
      // The browser reports each element below the pointer that is entered or left.
      dragenter: () => setDepth(depth.current + 1),
      dragleave: () => setDepth(depth.current - 1),
      dragover: () => {},
      drop: ({ dataTransfer }) => {
        setDepth(0)
        if (dataTransfer !== null) void upload(dataTransfer).catch(showFailure)
      },
    })
  }, [applicationId, isOtherUse, isUploadPage, navigate, queryClient])
  if (!isDragging || isOtherUse) return null
  return (
    <div className={classes.overlay} role="status">
      <div className={classes.message}>
        <IconUpload size={28} stroke={1.5} />
        {selected === undefined ? uploadText.cannotDrop : uploadText.dropTo(selected.name)}
      </div>
    </div>
  )
}

/** Returns the application that the page shows, and what the page does with files itself. */
function useDropTarget() {
  const { params, search, isOtherUse, isUploadPage } = useMatches({
    select: (matches) => ({
      params: matches.at(-1)?.params as { applicationId?: string } | undefined,
      search: matches.at(-1)?.search as { application?: string } | undefined,
      isOtherUse: matches.some(({ routeId }) => otherUses.has(routeId)),
      isUploadPage: matches.some(({ routeId }) => uploadPages.has(routeId)),
    }),
    structuralSharing: true,
  })
  const { selected } = useUploadApplications(params?.applicationId ?? search?.application)
  const isShown = params?.applicationId === undefined || selected?.id === params.applicationId
  return { selected: isShown ? selected : undefined, isOtherUse, isUploadPage }
}

type DragType = 'dragenter' | 'dragleave' | 'dragover' | 'drop'

/** Handles files that are dragged over the page instead of the browser. Returns a function that stops. */
function listenToFiles(handlers: Record<DragType, (event: DragEvent) => void>): () => void {
  const controller = new AbortController()
  for (const type of Object.keys(handlers) as DragType[])
    window.addEventListener(
      type,
      (event) => {
        if (!hasFiles(event.dataTransfer)) return
        event.preventDefault()
        handlers[type](event)
      },
      { signal: controller.signal },
    )
  return () => controller.abort()
}
