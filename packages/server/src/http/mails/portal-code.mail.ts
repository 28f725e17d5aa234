import { html } from '../../lib/html.ts'
import { colors, fonts } from '../pages/design-tokens.ts'
import { defineMail } from './define-mail.ts'
import { oneLine, renderMail } from './mail-document.ts'

type PortalCode = { portal: string; portalUrl: string; code: string; validMinutes: number }

const codeStyle = `margin:0;font:600 28px/1.3 ${fonts.code};letter-spacing:.08em;color:${colors.light.ink}`

/** Contains the code with which a visitor opens a private portal. */
export const portalCodeMail = defineMail<PortalCode>({
  render({ portal, portalUrl, code, validMinutes }) {
    const name = oneLine(portal)
    const address = portalUrl.replace(/^https?:\/\//, '')
    const hint = 'Enter it only on that page, in the browser in which you asked for it.'
    const ignore =
      'If you did not ask for this code, ignore this email. Nobody can use it without your mailbox.'
    return {
      subject: `Your code for ${name}`,
      text: `Your code to open ${name} at ${address}:\n\n${code}\n\nIt works once, within ${validMinutes} minutes. ${hint}\n\n${ignore}\n`,
      html: renderMail({
        sender: name,
        title: 'Your code',
        paragraphs: [`Enter this code to open ${name} at ${address}.`],
        content: html`<p style="${codeStyle}">${code}</p>`,
        footer: [`The code works once, within ${validMinutes} minutes. ${hint}`, ignore],
      }),
    }
  },
  sample: {
    portal: 'Acme builds',
    portalUrl: 'https://downloads.example.com',
    code: '4821 0936',
    validMinutes: 10,
  },
})
