import { ActionIcon, UnstyledButton } from '@mantine/core'
import type { FirstSteps } from '@quayside/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { firstStepsText } from '../../text/first-steps.ts'
import { IconChevronRight, IconCircleCheckFilled, IconX } from '../../ui/icons/icons.ts'
import { lazyPart } from '../../ui/loading/lazy-part.ts'
import { firstStepsQuery, useHide } from './first-step.queries.ts'
import classes from './first-steps-card.module.css'
import type { Dialog, FirstStepTargets } from './step-dialog.tsx'

// The dialogs are a module of their own, because the names of all their files are a part of the module that loads them.
const StepDialog = lazyPart(async () => (await import('./step-dialog.tsx')).StepDialog)

type Step = FirstSteps['steps'][number]
type StepName = Step['name']
type Props = FirstStepTargets & { steps: readonly Step[] }

const titles: Record<StepName, string> = {
  first_build: 'Upload a build',
  phone: 'Open Quayside on your phone',
  api_key: 'Connect your CI',
  invitation: 'Invite somebody',
  share_link: 'Share a build',
}

/** Lists the first steps and opens the page or dialog of each that is not done. */
export function FirstStepsCard({ steps, ...targets }: Props) {
  const [dialog, setDialog] = useState<Dialog>()
  const queryClient = useQueryClient()
  const hide = useHide()
  const doneCount = steps.filter(({ done }) => done).length
  const close = () => {
    setDialog(undefined)
    void queryClient.invalidateQueries({ queryKey: firstStepsQuery.queryKey })
  }
  return (
    <section className={classes.card} aria-labelledby="first-steps">
      <div className={classes.header}>
        <h2 id="first-steps">First steps</h2>
        <span className={classes.count}>
          {doneCount} of {steps.length} done
        </span>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          className={classes.hide}
          aria-label="Hide first steps"
          onClick={() => hide('hidden', firstStepsText.hidden)}
        >
          <IconX size={16} />
        </ActionIcon>
      </div>
      <div className={classes.progress} aria-hidden>
        <span style={{ width: `${(doneCount / steps.length) * 100}%` }} />
      </div>
      <ul className={classes.list}>
        {steps.map((step) => (
          <li key={step.name}>
            <StepRow step={step} targets={targets} onOpen={setDialog} />
          </li>
        ))}
      </ul>
      {dialog !== undefined && (
        <Suspense>
          <StepDialog name={dialog} targets={targets} onClose={close} />
        </Suspense>
      )}
    </section>
  )
}

type RowProps = { step: Step; targets: FirstStepTargets; onOpen: (dialog: Dialog) => void }

function StepRow({ step: { name, done }, targets: { applicationId, build }, onOpen }: RowProps) {
  if (done)
    return (
      <div className={classes.step} data-done>
        <IconCircleCheckFilled size={18} role="img" aria-label="Done" color="var(--q-good)" />
        <span className={classes.title}>{titles[name]}</span>
      </div>
    )
  if (name === 'first_build')
    return applicationId === undefined ? (
      <Link to="/applications/new" className={classes.step}>
        <OpenStep name={name} />
      </Link>
    ) : (
      <Link to="/upload" search={{ application: applicationId }} className={classes.step}>
        <OpenStep name={name} />
      </Link>
    )
  if (name === 'share_link' && build === undefined)
    return (
      <div className={classes.step}>
        <OpenStep name={name} isBlocked />
      </div>
    )
  return (
    <UnstyledButton className={classes.step} aria-haspopup="dialog" onClick={() => onOpen(name)}>
      <OpenStep name={name} />
    </UnstyledButton>
  )
}

function OpenStep({ name, isBlocked = false }: { name: StepName; isBlocked?: boolean }) {
  return (
    <>
      <span className={classes.circle} aria-hidden />
      <span className={classes.text}>
        <span className={classes.title}>{titles[name]}</span>
        <span className={classes.detail}>
          {isBlocked ? firstStepsText.needsBuild : firstStepsText.details[name]}
        </span>
      </span>
      {!isBlocked && <IconChevronRight size={16} className={classes.chevron} aria-hidden />}
    </>
  )
}
