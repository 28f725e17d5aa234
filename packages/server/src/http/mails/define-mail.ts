/** What the recipient of an email reads. */
export type MailText = { subject: string; text: string; html: string }

type MailDefinition<T> = {
  /** The subject, text and HTML for the details of one email. */
  render: (details: T) => MailText
  /** Details with realistic values. The tests render it, and `node scripts/mails.ts` shows it. */
  sample: T
}

export type MailTemplate<T> = MailDefinition<T> & { renderSample: () => MailText }

/** Declares an email. Each has a file of its own and is in `catalogue.ts`. */
export const defineMail = <T>(definition: MailDefinition<T>): MailTemplate<T> => ({
  ...definition,
  renderSample: () => definition.render(definition.sample),
})
