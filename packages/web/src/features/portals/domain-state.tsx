import type { Portal } from '@quayside/sdk'
import { IconCircleCheck, IconClockPause } from '../../ui/icons/icons.ts'
import classes from './domain-state.module.css'

/** Shows the custom domain of a portal, if it has one, and whether it is verified. */
export function DomainState({
  portal: { custom_domain: domain, custom_domain_active: isActive },
}: {
  portal: Portal
}) {
  if (domain === null) return null
  return (
    <span className={classes.domain}>
      {isActive ? (
        <IconCircleCheck size={16} color="var(--q-good)" aria-hidden />
      ) : (
        <IconClockPause size={16} color="var(--q-warn)" aria-hidden />
      )}
      <span className={classes.name}>{domain}</span>
      {isActive ? 'verified' : 'not verified'}
    </span>
  )
}
