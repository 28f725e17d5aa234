import { QuaysideError } from '@quayside/sdk'

/** Something that must be created by hand, such as a webhook whose secret the API does not return. */
export type CreateAgain = { type: string; name: string; reason: string }
export type NotImported = { what: string; reason: string }

const countedTypes = ['custom target', 'icon', 'share link', 'webhook', 'distribution group'] as const
type CountedType = (typeof countedTypes)[number]

/** What is never imported from another server, because the API neither returns nor accepts it. */
export const neverImportedByApi: NotImported = {
  what: 'creation times, people, API keys, trusted publishers, portals, downloads, statistics and the audit log',
  reason: 'The API does not accept them. To keep them, use `quayside-server admin export` and `import`.',
}

/** Collects what an import created and what it could not carry. */
export class ImportReport {
  readonly createAgain: CreateAgain[] = []
  readonly #neverImported: NotImported
  readonly notImported: NotImported[] = []
  readonly counts: Record<CountedType, number> = {
    'custom target': 0,
    icon: 0,
    'share link': 0,
    webhook: 0,
    'distribution group': 0,
  }

  constructor(neverImported: NotImported) {
    this.#neverImported = neverImported
  }

  /** Runs the requests that create something. If the key may not create it, or the server rejects it, reports that. */
  async attempt(type: CountedType, name: string, create: () => Promise<boolean>): Promise<void> {
    if (this.notImported.some(({ what }) => what === `${type}s`)) return
    try {
      if (await create()) this.counts[type]++
    } catch (error) {
      if (!(error instanceof QuaysideError) || ![403, 404, 409, 422].includes(error.status)) throw error
      if (error.status === 403) this.notImported.push({ what: `${type}s`, reason: error.message })
      else this.createAgain.push({ type, name, reason: error.message })
    }
  }

  /** Returns the text after the summary of builds and releases. */
  describe(): string {
    const created = countedTypes
      .filter((type) => this.counts[type] > 0)
      .map((type) => `${this.counts[type]} ${type}${this.counts[type] === 1 ? '' : 's'}`)
    const lines = created.length === 0 ? [] : [`Also imported: ${created.join(', ')}.`]
    if (this.createAgain.length > 0)
      lines.push(
        '',
        'Create again:',
        ...this.createAgain.map(({ type, name, reason }) => `  ${type} ${name}: ${reason}`),
      )
    const missing = [...this.notImported, this.#neverImported]
    lines.push('', 'Not imported:', ...missing.map(({ what, reason }) => `  ${what}: ${reason}`))
    return lines.join('\n')
  }

  toJson() {
    return {
      custom_targets: this.counts['custom target'],
      icons: this.counts.icon,
      share_links: this.counts['share link'],
      webhooks: this.counts.webhook,
      distribution_groups: this.counts['distribution group'],
      create_again: this.createAgain,
      not_imported: [...this.notImported, this.#neverImported],
    }
  }
}
