import { QuaysideError, type CreatedInvitation, type CreateInvitationParams } from '@quayside/sdk'
import { api } from '../../api/client.ts'
import { fieldErrorsOf } from '../../api/errors.ts'
import { memberText } from '../../text/members/members.ts'

type Failed = { email: string; error: unknown }

/** Separates addresses that are typed or pasted, such as from the list of recipients of an email. */
export const emailSeparators = [',', ';', '\n', '\t']
const separator = new RegExp(`[${emailSeparators.join('')}]`)

/** Returns each address in the texts once. A part without one remains, so that the person can correct it. */
export function emailsIn(texts: readonly string[]): string[] {
  const parts = texts.flatMap((text) => text.split(separator)).map((part) => part.trim())
  const emails = parts.flatMap((part) => part.match(/[^\s<>"']+@[^\s<>"']+/g) ?? part)
  const byAddress = new Map(emails.map((email) => [email.toLowerCase(), email]))
  byAddress.delete('')
  return [...byAddress.values()]
}

/** Invites one person after another, and continues if an invitation is rejected. */
export async function inviteEach(
  emails: readonly string[],
  bodyOf: (email: string) => CreateInvitationParams['body'],
): Promise<{ created: CreatedInvitation[]; failed: Failed[] }> {
  const created: CreatedInvitation[] = []
  const failed: Failed[] = []
  for (const email of emails)
    try {
      created.push((await api.createInvitation({ body: bodyOf(email) })).data)
    } catch (error) {
      failed.push({ email, error })
    }
  return { created, failed }
}

/** Returns an error that names each rejected address at the field, unless another cause applies to all of them. */
export function invitationError(failed: readonly Failed[]): unknown {
  const other = failed.find(({ error }) => !(error instanceof QuaysideError) || isOfOtherField(error))
  if (other !== undefined) return other.error
  const messages = failed.map(({ email, error }) => {
    const reason = fieldErrorsOf(error)['email'] ?? (error instanceof Error ? error.message : '')
    return failed.length === 1 ? reason : memberText.notInvited(email, reason)
  })
  return new QuaysideError(422, messages.join(' '), { errors: { emails: messages } })
}

const isOfOtherField = (error: QuaysideError): boolean =>
  Object.keys(error.errors).length > 0 && !('email' in error.errors)
