import { randomBytes, randomInt } from 'node:crypto'
import { inTransaction } from '../../../database/transaction.ts'
import { emailPattern } from '../../../http/endpoint/fields.ts'
import { portalCodeMail } from '../../../http/mails/portal-code.mail.ts'
import { retryText } from '../../../http/pages/error-page.ts'
import { page, type PageCall } from '../../../http/pages/page.ts'
import { uuidV7 } from '../../../lib/ids.ts'
import { Problem, problem } from '../../../lib/problem.ts'
import { enqueueMail } from '../../mails/mail.ts'
import {
  codeLifeMinutes,
  countCodeGuess,
  findCodePause,
  findRequestedEmail,
  insertPortalCode,
  insertPortalSession,
  lockPortalForCode,
  removePortalCode,
  removePortalSession,
  sessionLifeDays,
} from './portal-code.db.ts'
import { codeDocument, emailDocument } from './portal-sign-in-document.ts'
import {
  codeCookie,
  hashToken,
  portalParams,
  requireVisitedPortal,
  sessionCookie,
  type VisitedPortal,
} from './visited-portal.ts'

const codeDigits = 8
const isEmail = new RegExp(emailPattern)
const maxEmailLength = 254

const definition = { params: portalParams, load: requireVisitedPortal, isForEveryClient: true } as const
const newToken = (): string => randomBytes(32).toString('base64url')

/** Sends a code to an email address that a private portal allows. The response is the same for any other address. */
export const requestPortalCode = page({
  ...definition,
  method: 'POST',
  path: '/public/portals/:portal_id/code',
  async handle({ portal, ...call }) {
    if (portal.isOpen) return { location: portal.home }
    const email = (call.fields.get('email') ?? '').trim().toLowerCase()
    const texts = call.text.portal.signIn
    if (!isEmail.test(email) || email.length > maxEmailLength)
      return { ...emailDocument(call, portal, { email, error: texts.invalidEmail }), status: 422 }
    const browserToken = newToken()
    try {
      await sendCode(call, portal, { email, browserToken })
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== 'too_many') throw error
      const message = texts.tooManyCodes(retryText(error, call.text))
      const document = emailDocument(call, portal, { email, error: message })
      return { ...document, status: error.status, headers: error.headers }
    }
    return {
      location: `${portal.base}/code`,
      cookies: [
        {
          name: codeCookie,
          value: browserToken,
          path: portal.home,
          maxAgeSeconds: codeLifeMinutes * 60,
        },
      ],
    }
  },
})

const tooManyCodes = problem(
  'too_many',
  'portal.too_many_codes',
  'Too many codes were requested. Try again later.',
)

async function sendCode(
  call: PageCall,
  portal: VisitedPortal,
  { email, browserToken }: { email: string; browserToken: string },
): Promise<void> {
  const { network } = call
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0')
  const id = uuidV7()
  await inTransaction(call.db, async (tx) => {
    const isAllowed = await lockPortalForCode(tx, portal.id, email)
    const retryAfterSeconds = await findCodePause(tx, { portalId: portal.id, email, network })
    if (retryAfterSeconds > 0) throw tooManyCodes({ retryAfterSeconds })
    await insertPortalCode(tx, {
      id,
      portal_id: portal.id,
      email,
      code_hash: codeHash(call, id, code),
      browser_hash: hashToken(browserToken),
      network,
    })
    if (!isAllowed) return
    const shownCode = `${code.slice(0, codeDigits / 2)} ${code.slice(codeDigits / 2)}`
    const mail = portalCodeMail.render({
      portal: portal.name,
      portalUrl: portal.url,
      code: shownCode,
      validMinutes: codeLifeMinutes,
    })
    const { workspace_id: workspaceId } = portal
    await enqueueMail(tx, call, { workspaceId, to: email, secrets: [shownCode], ...mail })
  })
}

const codePurpose = 'portal code v1'
const codeText = (id: string, code: string): string => JSON.stringify([id, code])
const codeHash = ({ secretBox }: Pick<PageCall, 'secretBox'>, id: string, code: string): string =>
  secretBox.token(codePurpose, codeText(id, code))

const browserHashOf = ({ cookies }: PageCall): string => hashToken(cookies.get(codeCookie) ?? '')

/** The page on which the browser that requested a code enters it. */
export const portalCodePage = page({
  ...definition,
  method: 'GET',
  path: '/public/portals/:portal_id/code',
  async handle({ portal, ...call }) {
    if (portal.isOpen) return { location: portal.home }
    const email = await findRequestedEmail(call.db, portal.id, browserHashOf(call))
    if (email === undefined) return emailDocument(call, portal, { error: call.text.portal.signIn.expired })
    return codeDocument(call, portal, { email })
  },
})

/** Opens the portal if the code is correct. A code is used once, by the browser that requested it. */
export const enterPortalCode = page({
  ...definition,
  method: 'POST',
  path: '/public/portals/:portal_id/session',
  async handle({ portal, ...call }) {
    const path = portal.home
    if (portal.isOpen) return { location: path }
    const code = (call.fields.get('code') ?? '').slice(0, 100).replaceAll(/\D/g, '')
    const texts = call.text.portal.signIn
    const token = newToken()
    const result = await inTransaction(call.db, async (tx) => {
      const requested = await countCodeGuess(tx, portal.id, browserHashOf(call))
      if (requested === undefined) return 'expired'
      const { id, email, code_hash } = requested
      if (!call.secretBox.isToken(code_hash ?? '', codePurpose, codeText(id, code))) return { email }
      await removePortalCode(tx, id)
      const { host } = portal
      await insertPortalSession(tx, { token_hash: hashToken(token), portal_id: portal.id, email, host })
      return 'correct'
    })
    if (result === 'expired') return { ...emailDocument(call, portal, { error: texts.expired }), status: 403 }
    if (result !== 'correct')
      return {
        ...codeDocument(call, portal, { email: result.email, error: texts.wrongCode }),
        status: 403,
      }
    return {
      location: path,
      cookies: [
        { name: sessionCookie, value: token, path, maxAgeSeconds: sessionLifeDays * 24 * 60 * 60 },
        { name: codeCookie, value: '', path, maxAgeSeconds: 0 },
      ],
    }
  },
})

/** Ends the session of a visitor. */
export const leavePortal = page({
  ...definition,
  method: 'POST',
  path: '/public/portals/:portal_id/sign-out',
  async handle({ portal, ...call }) {
    const token = call.cookies.get(sessionCookie)
    if (token !== undefined) await removePortalSession(call.db, portal.id, hashToken(token))
    const path = portal.home
    return { location: path, cookies: [{ name: sessionCookie, value: '', path, maxAgeSeconds: 0 }] }
  },
})
