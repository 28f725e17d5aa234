import { Badge, Button } from '@mantine/core'
import type { View } from '@quayside/sdk'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { viewText } from '../../../text/builds/views.ts'
import { showDone, showFailure } from '../../../ui/toast.tsx'
import { useMayChange, useViewsChanged } from './view.queries.ts'
import classes from './views.module.css'

type Props = {
  view: View
  query: View['query']
  onSaveNew: () => void
  onDiscard: () => void
}

/** Says that the list differs from the view, and saves or discards the difference. */
export function ViewChanges({ view, query, onSaveNew, onDiscard }: Props) {
  const [isRunning, setIsRunning] = useState(false)
  const changed = useViewsChanged(view.application_id)
  const maySave = useMayChange(view)
  async function save(): Promise<void> {
    setIsRunning(true)
    try {
      const path = { application_id: view.application_id, view_id: view.id }
      const { data } = await api.updateView({ ...path, body: { query } })
      await changed(data)
      onDiscard()
      showDone(viewText.saved)
    } catch (error) {
      showFailure(error)
    } finally {
      setIsRunning(false)
    }
  }
  return (
    <div className={classes.changes} role="group" aria-label={viewText.changed}>
      <Badge variant="light" color="yellow" tt="none" visibleFrom="sm">
        {viewText.changed}
      </Badge>
      {maySave && (
        <Button size="compact-xs" loading={isRunning} onClick={() => void save()}>
          {viewText.save}
        </Button>
      )}
      <Button size="compact-xs" variant="default" onClick={onSaveNew}>
        {viewText.saveNew}
      </Button>
      <Button size="compact-xs" variant="subtle" onClick={onDiscard}>
        {viewText.discard}
      </Button>
    </div>
  )
}
