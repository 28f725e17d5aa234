import type { GetApplicationAnswer } from '@quayside/sdk'
import { factsText } from '../../output/table.ts'

/** An application as its page in a terminal. */
export function applicationFacts(application: GetApplicationAnswer['data']): string {
  return factsText([
    ['Application', application.id],
    ['Name', application.name],
    ['Description', application.description],
    ['Builds', application.build_count],
    ['Storage', application.storage_usage.total_string],
    ['Created', application.created_at],
  ])
}
