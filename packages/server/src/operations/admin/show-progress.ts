import { createProgressMeter, type Progress } from '../../lib/progress.ts'
import type { Terminal } from './command.ts'

const logEveryMs = 5_000
const redrawEveryMs = 200

/**
 * Returns a function that shows the progress of each step with its speed and the time left: in a terminal, a line that
 * is redrawn; elsewhere, a line every few seconds. The line of a complete step stays.
 */
export function showProgress(
  terminal: Terminal,
  nowMs: () => number = () => performance.now(),
): (progress: Progress) => void {
  const meter = createProgressMeter(nowMs)
  let shownAtMs = nowMs()
  return (progress) => {
    const line = () => meter.describe(progress)
    if (progress.isComplete) {
      if (progress.total > 0 || progress.done > 0) terminal.report(line())
      shownAtMs = nowMs()
      return
    }
    const draw = terminal.drawStatus
    if (nowMs() - shownAtMs < (draw === undefined ? logEveryMs : redrawEveryMs)) {
      // The meter needs to see the first call of each step.
      line()
      return
    }
    shownAtMs = nowMs()
    if (draw === undefined) terminal.report(line())
    else draw(line())
  }
}
