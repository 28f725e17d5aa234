import { defineMail } from './define-mail.ts'
import { renderMail } from './mail-document.ts'

type SecondFactorRequired = { publicUrl: string }

const advice = 'Your account requires a second factor, so sign in with your password or a passkey.'

/** Is sent instead of a sign-in link to people whose account requires a second factor. */
export const secondFactorRequiredMail = defineMail<SecondFactorRequired>({
  render: ({ publicUrl }) => {
    const sentence = `Someone asked for a sign-in link for your account at ${publicUrl}.`
    return {
      subject: 'Sign in',
      text: `${sentence} ${advice}\n`,
      html: renderMail({
        sender: new URL(publicUrl).host,
        title: 'Sign in',
        paragraphs: [sentence, advice],
        footer: ['If you did not ask for this link, ignore this email.'],
      }),
    }
  },
  sample: { publicUrl: 'https://builds.example.com' },
})
