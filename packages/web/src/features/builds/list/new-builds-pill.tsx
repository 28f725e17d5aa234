import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { onLiveMessage } from '../../../api/live.ts'
import { plural } from '../../../ui/format/bytes.ts'
import { IconArrowUp } from '../../../ui/icons/icons.ts'
import classes from './new-builds-pill.module.css'

const topPx = 200

/** Says how many builds have arrived while the list is scrolled down. At the top, new builds show by themselves. */
export function NewBuildsPill({ applicationId }: { applicationId: string }) {
  const [count, setCount] = useState(0)
  useEffect(
    () =>
      onLiveMessage((message) => {
        if (message.type !== 'change' || window.scrollY < topPx) return
        const { type, action, application_id: id } = message.change
        if (type === 'build' && action === 'created' && id === applicationId) setCount((known) => known + 1)
      }),
    [applicationId],
  )
  useEffect(() => {
    const reset = () => {
      if (window.scrollY < topPx) setCount(0)
    }
    window.addEventListener('scroll', reset, { passive: true })
    return () => window.removeEventListener('scroll', reset)
  }, [])
  if (count === 0) return null
  return (
    <div className={classes.pill} role="status">
      <Button
        size="xs"
        radius="xl"
        leftSection={<IconArrowUp size={14} />}
        onClick={() => window.scrollTo({ top: 0 })}
      >
        {plural(count, 'new build')}
      </Button>
    </div>
  )
}
