import { linkOptions } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'

/** Returns the pages of an application that the person may open. */
export function useApplicationTabs(applicationId: string) {
  const { can } = useSession()
  return tabsOf(applicationId).filter(({ scope }) => scope === undefined || can(scope, applicationId))
}

function tabsOf(applicationId: string) {
  const params = { applicationId }
  return [
    { label: 'Builds', link: linkOptions({ to: '/applications/$applicationId', params }), isIndex: true },
    {
      label: 'Releases',
      link: linkOptions({ to: '/applications/$applicationId/releases', params }),
      scope: 'releases:read',
    },
    { label: 'Streams', link: linkOptions({ to: '/applications/$applicationId/streams', params }) },
    { label: 'Distribute', link: linkOptions({ to: '/applications/$applicationId/distribute', params }) },
    {
      label: 'Webhooks',
      link: linkOptions({ to: '/applications/$applicationId/webhooks', params }),
      scope: 'webhooks:read',
    },
    {
      label: 'Feedback',
      link: linkOptions({ to: '/applications/$applicationId/feedback', params }),
      scope: 'builds:read',
    },
    {
      label: 'Insights',
      link: linkOptions({ to: '/applications/$applicationId/insights', params }),
      scope: 'builds:read',
    },
    {
      label: 'Downloads',
      link: linkOptions({ to: '/applications/$applicationId/downloads', params }),
      scope: 'builds:read',
    },
    { label: 'Activity', link: linkOptions({ to: '/applications/$applicationId/activity', params }) },
    { label: 'Settings', link: linkOptions({ to: '/applications/$applicationId/settings', params }) },
  ]
}
