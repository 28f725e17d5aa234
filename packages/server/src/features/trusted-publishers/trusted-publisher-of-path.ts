import type { Db } from '../../database/transaction.ts'
import type { Actor } from '../../http/actor.ts'
import { requireApplication } from '../applications/application.db.ts'
import { requireTrustedPublisher } from './trusted-publisher.db.ts'

/** The `visible` step of every endpoint of one rule. */
export async function requireTrustedPublisherOfPath({
  db,
  actor,
  params,
}: {
  db: Db
  actor: Actor
  params: { application_id: string; trusted_publisher_id: string }
}) {
  const application = await requireApplication(db, actor, params.application_id)
  const publisher = await requireTrustedPublisher(db, application.id, params.trusted_publisher_id)
  return { application, publisher }
}
