import type { FullRelease } from '@quayside/sdk'
import { getRouteApi, Link } from '@tanstack/react-router'
import { checklistText } from '../../../text/releases/release-checklist.ts'
import { IconCircleCheckFilled, IconCircleDashed, IconMinus } from '../../../ui/icons/icons.ts'
import { useReleaseTask } from '../release-task.ts'
import type { ChecklistItem, Fix } from './check-release.ts'
import classes from './checklist.module.css'

const route = getRouteApi('/console/applications/$applicationId/releases/$releaseId')
const icons = { done: IconCircleCheckFilled, open: IconCircleDashed, none: IconMinus }

type Props = {
  release: FullRelease
  items: readonly ChecklistItem[]
  /** Whether open items offer what resolves them. */
  canFix: boolean
}

export function ChecklistItems({ release, items, canFix }: Props) {
  return (
    <ul className={classes.items} aria-label={checklistText.title}>
      {items.map(({ id, state, text, fix }) => {
        const Icon = icons[state]
        return (
          <li key={id} className={classes.item} data-state={state}>
            <Icon size={16} role="img" aria-label={checklistText.states[state]} />
            <span>
              {text}
              {canFix && fix !== undefined && (
                <>
                  {' '}
                  <FixLink release={release} fix={fix} />
                </>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** Leads to what resolves an open item, or opens its form. */
function FixLink({ release, fix }: { release: FullRelease; fix: Fix }) {
  const { start } = useReleaseTask()
  const navigate = route.useNavigate()
  const label = checklistText.fixes[fix.kind]
  if (fix.kind === 'build')
    return (
      <Link
        to="/applications/$applicationId/builds/$buildId"
        params={{ applicationId: release.application_id, buildId: fix.buildId }}
        className={classes.fix}
      >
        {label}
      </Link>
    )
  const { kind } = fix
  return (
    <button
      type="button"
      className={classes.fix}
      onClick={() => {
        start(kind === 'audience' ? undefined : kind === 'edit-notes' ? 'notes' : kind)
        void navigate({ search: { tab: kind === 'audience' ? 'audience' : undefined } })
      }}
    >
      {label}
    </button>
  )
}
