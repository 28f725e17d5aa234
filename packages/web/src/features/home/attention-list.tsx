import { UnstyledButton } from '@mantine/core'
import type { AttentionItem } from '@quayside/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions, type LinkOptions } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { attentionText } from '../../text/attention.ts'
import { useNow } from '../../ui/format/now.ts'
import { IconAlertCircle, IconAlertTriangle, IconInfoCircle } from '../../ui/icons/icons.ts'
import { attentionQuery } from '../statistics/statistics.queries.ts'
import classes from './attention-list.module.css'
import panel from './home-page.module.css'

const icons = {
  error: { Icon: IconAlertCircle, color: 'var(--q-bad)' },
  warning: { Icon: IconAlertTriangle, color: 'var(--q-warn)' },
  info: { Icon: IconInfoCircle, color: 'var(--q-soft)' },
}

const shownItems = 6

/** Lists what has failed or soon will. Hidden while there is nothing to do. */
export function AttentionList() {
  const [showsAll, setShowsAll] = useState(false)
  const { can } = useSession()
  const now = useNow()
  const { data: items = [] } = useQuery({ ...attentionQuery, enabled: can('workspace:read') })
  if (items.length === 0) return null
  return (
    <section className={panel.panel}>
      <h2 className={panel.panelTitle}>Needs attention</h2>
      <ul className={classes.list}>
        {(showsAll ? items : items.slice(0, shownItems)).map((item) => {
          const { Icon, color } = icons[item.severity]
          const { title, detail } = attentionText(item, now)
          const link = linkTo(item)
          const key = [item.kind, item.application?.id, item.subject?.id, item.platform?.identifier].join(' ')
          return (
            <li key={key} className={classes.item}>
              <Icon size={17} color={color} role="img" aria-label={item.severity} />
              <div className={classes.text}>
                {link === undefined ? title : <Link {...link}>{title}</Link>}
                <span>{detail}</span>
              </div>
            </li>
          )
        })}
      </ul>
      {items.length > shownItems && (
        <UnstyledButton
          className={classes.more}
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? 'Show fewer' : `Show ${items.length - shownItems} more`}
        </UnstyledButton>
      )}
    </section>
  )
}

function linkTo({ kind, application, subject }: AttentionItem): LinkOptions | undefined {
  if (kind === 'emails_failed') return linkOptions({ to: '/settings', search: { section: 'emails' } })
  if (kind === 'storage_low') return linkOptions({ to: '/settings', search: { section: 'storage' } })
  if (application === null) return undefined
  const params = { applicationId: application.id }
  if (kind === 'access_requested')
    return linkOptions({
      to: '/applications/$applicationId/settings',
      params,
      search: { section: 'members' },
    })
  if (subject?.type === 'webhook')
    return linkOptions({
      to: '/applications/$applicationId/webhooks/$webhookId',
      params: { ...params, webhookId: subject.id },
    })
  if (subject?.type === 'build')
    return linkOptions({
      to: '/applications/$applicationId/builds/$buildId',
      params: { ...params, buildId: subject.id },
    })
  if (subject?.type === 'stream')
    return linkOptions({
      to: '/applications/$applicationId/streams',
      params,
      search: { stream: subject.id },
    })
  return linkOptions({ to: '/applications/$applicationId', params })
}
