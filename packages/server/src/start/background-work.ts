import type { Connection } from '../database/connect.ts'
import { listenForNotifications } from '../database/listen.ts'
import type { Deps } from '../deps.ts'
import { startReleasePublisher } from '../features/releases/publish-scheduled.ts'
import { scheduleChannel } from '../features/releases/release.db.ts'
import { startWebhookSender } from '../features/webhooks/webhook-sender.ts'

type Options = {
  connection: Connection
  sendsWebhooks: boolean
  /** Receives the functions that stop the work. */
  closers: (() => Promise<void>)[]
}

/** Starts the work that a node does without requests, besides jobs, and that notifications of the database wake. */
export function startBackgroundWork(deps: Deps, { connection, sendsWebhooks, closers }: Options): void {
  const publisher = startReleasePublisher(deps)
  closers.push(() => publisher.stop())
  const channels: Record<string, () => void> = { [scheduleChannel]: publisher.wake }
  if (sendsWebhooks) {
    const sender = startWebhookSender(deps)
    closers.push(() => sender.stop())
    channels['quayside_events'] = sender.wake
  }
  const listening = listenForNotifications({ connection, log: deps.log, channels })
  closers.push(() => listening.close())
}
