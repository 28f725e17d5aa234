import type { VisitorText } from '../../http/pages/text/english.ts'
import { html, type Html } from '../../lib/html.ts'
import type { Fact } from './package-facts.ts'
import { remainingTime } from './remaining-time.ts'

type Limits = { expiresAt: string | null; downloadsLeft: number | null }

/** Returns what a page says about its link: who shared it, and its limits. */
export function linkFacts(
  { expiresAt, downloadsLeft }: Limits,
  { workspace_name }: { workspace_name: string },
  { now, text }: { now: Date; text: VisitorText },
): Fact[] {
  const { sharedBy, expires, downloadsLeft: downloadsLabel } = text.download
  const facts: Fact[] = [[sharedBy, workspace_name]]
  if (expiresAt !== null)
    facts.push([
      expires,
      html`<time datetime="${expiresAt}" title="${expiresAt}"
        >${remainingTime(now, new Date(expiresAt), text)}</time
      >`,
    ])
  if (downloadsLeft !== null) facts.push([downloadsLabel, downloadsLeft.toLocaleString(text.locale)])
  return facts
}

export const renderFacts = (facts: readonly Fact[]): Html[] =>
  facts.map(
    ([label, value]) =>
      html`<div>
        <dt>${label}</dt>
        <dd>${value}</dd>
      </div>`,
  )
