import type { FirstSteps } from '@quayside/sdk'
import type { ReactNode } from 'react'
import { NewApiKeyDialog } from '../api-keys/new-api-key-dialog.tsx'
import { InviteDialog } from '../members/invite-dialog.tsx'
import { NewShareLinkDialog } from '../share-links/new-share-link-dialog.tsx'
import { PhoneDialog } from './phone-dialog.tsx'

/** The steps that a dialog takes. */
export type Dialog = Exclude<FirstSteps['steps'][number]['name'], 'first_build'>

export type FirstStepTargets = {
  /** The application to which people upload; undefined if there is none but the sample. */
  applicationId: string | undefined
  /** The newest build that is not in the sample application. */
  build: { applicationId: string; id: string; version: string } | undefined
}

type DialogProps = { name: Dialog; targets: FirstStepTargets; onClose: () => void }

/** The dialog that takes a step. */
export function StepDialog({ name, targets: { applicationId, build }, onClose }: DialogProps): ReactNode {
  if (name === 'phone') return <PhoneDialog onClose={onClose} />
  if (name === 'api_key') return <NewApiKeyDialog applicationId={applicationId} onClose={onClose} />
  if (name === 'invitation') return <InviteDialog onClose={onClose} />
  if (build === undefined) return null
  return (
    <NewShareLinkDialog
      shareable={{ type: 'build', applicationId: build.applicationId, id: build.id }}
      name={build.version}
      onClose={onClose}
    />
  )
}
