import { Hint } from '../hint.tsx'
import { useNow } from './now.ts'
import { absoluteTime, relativeTime, shortAge } from './time.ts'

/** Shows how long ago or in how much time something happens, with the exact time on hover. */
export function RelativeTime({ time, short = false }: { time: string; short?: boolean }) {
  const now = useNow()
  return (
    <Hint label={absoluteTime(time)}>
      <time dateTime={time} className="tabular">
        {short ? shortAge(time, now) : relativeTime(time, now)}
      </time>
    </Hint>
  )
}
