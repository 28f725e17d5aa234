import { Button } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { useSyncExternalStore } from 'react'
import { connectionState, onConnectionChange } from '../api/connection.ts'
import { isConsoleOutdated, onConsoleOutdated } from '../api/console-version.ts'
import { reloadPage } from '../api/page-reload.ts'
import { connectionText } from '../text/connection.ts'
import { IconPlugConnectedX, IconRefresh } from '../ui/icons/icons.ts'
import classes from './page-banner.module.css'

/**
 * Says that the browser is offline or the server cannot be reached, until requests succeed again. Otherwise says that the server
 * has a newer version of the console than the page.
 */
export function PageBanner() {
  const { online } = useNetwork()
  const state = useSyncExternalStore(onConnectionChange, connectionState, () => 'reached' as const)
  const isOutdated = useSyncExternalStore(onConsoleOutdated, isConsoleOutdated, () => false)
  if (!online || state !== 'reached')
    return (
      <div className={classes.banner} role="status">
        <IconPlugConnectedX size={16} />
        {state === 'reached' || (state === 'away' && !online)
          ? connectionText.offline
          : connectionText[state]}
      </div>
    )
  if (!isOutdated) return null
  return (
    <div className={classes.banner} data-tone="info" role="status">
      <IconRefresh size={16} />
      {connectionText.outdated}
      <Button size="compact-xs" variant="default" onClick={reloadPage}>
        Reload
      </Button>
    </div>
  )
}
