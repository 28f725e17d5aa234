import { VisuallyHidden } from '@mantine/core'
import type { CustomStoreReport } from '@quayside/sdk'
import { storeSteps } from '../../text/custom-stores.ts'
import { IconCircleCheck, IconCircleDashed, IconCircleX } from '../../ui/icons/icons.ts'
import classes from './store-report.module.css'

const icons = { passed: IconCircleCheck, failed: IconCircleX, skipped: IconCircleDashed }

/** Lists the steps of a test: what happened in each, and what to do if it failed. */
export function StoreReport({ report }: { report: CustomStoreReport }) {
  return (
    <ol className={classes.steps} aria-label="Test steps">
      {report.steps.map(({ name, state, detail, advice }) => {
        const Icon = icons[state]
        return (
          <li key={name} className={classes.step} data-state={state}>
            <Icon size={18} className={classes.icon} aria-hidden />
            <span className={classes.name}>
              {storeSteps[name]} <VisuallyHidden>({state})</VisuallyHidden>
            </span>
            {state !== 'skipped' && <span className={classes.detail}>{detail}</span>}
            {advice !== null && <span className={classes.advice}>{advice}</span>}
          </li>
        )
      })}
    </ol>
  )
}
