import { Button } from '@mantine/core'
import type { Application, Build } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { fieldErrorsOf } from '../../../api/errors.ts'
import { applicationKey } from '../../../api/query-keys.ts'
import { useSession } from '../../../api/session.ts'
import { releaseText } from '../../../text/releases/release.ts'
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx'
import { FailureBanner } from '../../../ui/loading/failure-banner.tsx'
import phoneBar from '../../../ui/phone-bar.module.css'
import { showDone, showFailure } from '../../../ui/toast.tsx'
import { futureTimestamp } from '../schedule-times.ts'
import { parseVersion, versionError } from '../version.ts'
import { AudienceStep } from './audience-step.tsx'
import { BuildsStep } from './builds-step.tsx'
import { createRelease } from './create-release.ts'
import { DetailsStep } from './details-step.tsx'
import classes from './new-release-form.module.css'
import { PublicationStep } from './publication-step.tsx'
import { ReleaseSummary } from './release-summary.tsx'
import { useNewRelease, type Created } from './use-new-release.ts'

type Props = { application: Pick<Application, 'id' | 'name'>; initialBuilds: readonly Build[] }

const submitLabels = { now: 'Publish release', scheduled: 'Schedule release', draft: 'Save draft' } as const

/** The form for a new release: what is released, who gets it, and when. */
export function NewReleaseForm({ application, initialBuilds }: Props) {
  const { id: applicationId } = application
  const release = useNewRelease(application.name, initialBuilds)
  const { values } = release
  const form = useRef<HTMLFormElement>(null)
  const submission = useSubmission(applicationId, release)
  const { error, checks, isRunning } = submission
  const problems = checks > 0 ? problemsOf(values) : {}
  const errors = fieldErrorsOf(error)
  useEffect(() => {
    if (checks > 0 || error !== undefined)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [checks, error])

  const hasUnshownError = error !== undefined && Object.keys(errors).length === 0
  return (
    <>
      <form
        ref={form}
        noValidate
        className={classes.columns}
        onSubmit={(event) => {
          event.preventDefault()
          void submission.submit()
        }}
      >
        <ReleaseSteps applicationId={applicationId} release={release} errors={errors} problems={problems} />
        <aside className={`${classes.aside} ${phoneBar.bar}`}>
          <ReleaseSummary values={values} />
          {hasUnshownError && <FailureBanner error={error} />}
          <Button type="submit" loading={isRunning} fullWidth>
            {submitLabels[values.publication]}
          </Button>
        </aside>
      </form>
      {submission.isConfirming && (
        <ConfirmDialog
          title={releaseText.withoutBuilds.title}
          confirmLabel={submitLabels[values.publication]}
          onConfirm={submission.send}
          onClose={submission.stopConfirming}
        >
          {releaseText.withoutBuilds.text}
        </ConfirmDialog>
      )}
    </>
  )
}

type StepsProps = {
  applicationId: string
  release: ReturnType<typeof useNewRelease>
  /** What the server rejected, by field. */
  errors: ReturnType<typeof fieldErrorsOf>
  /** What was found before sending, by field. */
  problems: Record<string, string>
}

function ReleaseSteps({ applicationId, release: { values, set }, errors, problems }: StepsProps) {
  const { can } = useSession()
  return (
    <div className={classes.steps}>
      <BuildsStep applicationId={applicationId} values={values} set={set} error={errors['build_ids']} />
      <DetailsStep
        applicationId={applicationId}
        values={values}
        set={set}
        errors={{ ...errors, version: versionError(errors), ...problems }}
      />
      {can('releases:write', applicationId) && (
        <AudienceStep applicationId={applicationId} values={values} set={set} />
      )}
      <PublicationStep
        values={values}
        set={set}
        error={problems['scheduledFor'] ?? errors['scheduled_for']}
      />
    </div>
  )
}

/** Checks and sends a new release. Asks before the page is left until the release is created. */
function useSubmission(applicationId: string, { values, isDirty }: ReturnType<typeof useNewRelease>) {
  const [error, setError] = useState<unknown>()
  const [isRunning, setIsRunning] = useState(false)
  /** How often problems were found before sending, since the last time that there were none. */
  const [checks, setChecks] = useState(0)
  const [isConfirming, setIsConfirming] = useState(false)
  const isDone = useRef(false)
  const finish = useFinish(applicationId)
  useBlocker({
    shouldBlockFn: () => isDirty && !isDone.current && !window.confirm(releaseText.leave),
    enableBeforeUnload: () => isDirty && !isDone.current,
  })

  async function submit(): Promise<void> {
    setError(undefined)
    if (Object.keys(problemsOf(values)).length > 0) {
      setChecks((count) => count + 1)
      return
    }
    setChecks(0)
    if (values.builds.length === 0 && values.publication !== 'draft') setIsConfirming(true)
    else await send()
  }

  async function send(): Promise<void> {
    setIsRunning(true)
    try {
      const created = await createRelease(applicationId, values)
      isDone.current = true
      await finish(created)
    } catch (failure) {
      setError(failure)
    } finally {
      setIsRunning(false)
    }
  }

  const stopConfirming = () => setIsConfirming(false)
  return { error, isRunning, checks, isConfirming, submit, send, stopConfirming }
}

type Values = ReturnType<typeof useNewRelease>['values']

/** Returns what must be corrected before the release can be sent, by field. */
function problemsOf({ version, title, publication, scheduledFor }: Values): Record<string, string> {
  return {
    ...(parseVersion(version) === undefined ? { version: releaseText.version.invalid } : {}),
    ...(title.trim() === '' ? { title: releaseText.enterTitle } : {}),
    ...(publication === 'scheduled' && futureTimestamp(scheduledFor) === undefined
      ? { scheduledFor: scheduledFor === '' ? releaseText.schedule.missing : releaseText.schedule.past }
      : {}),
  }
}

/** Returns a function that opens the new release and reports how far it got. */
function useFinish(applicationId: string) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return async ({ release, notifiedCount, failure }: Created): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: applicationKey(applicationId, 'releases') })
    await navigate({
      to: '/applications/$applicationId/releases/$releaseId',
      params: { applicationId, releaseId: release.id },
      search: failure === undefined ? {} : { tab: 'audience' },
    })
    if (failure !== undefined) {
      showFailure(failure)
      showDone(releaseText.created.incomplete)
    } else if (release.status === 'published') showDone(releaseText.created.published(notifiedCount))
    else showDone(releaseText.created[release.status === 'scheduled' ? 'scheduled' : 'draft'])
  }
}
