import { defineMail } from './define-mail.ts'
import { renderMail } from './mail-document.ts'

type SignInLink = { publicUrl: string; url: string; validMinutes: number }

/** Contains the link with which people sign in without a password. */
export const signInLinkMail = defineMail<SignInLink>({
  render: ({ publicUrl, url, validMinutes }) => ({
    subject: 'Sign in',
    text: `Sign in to ${publicUrl} within ${validMinutes} minutes:\n${url}\n\nIf you did not ask for this link, ignore this email.\n`,
    html: renderMail({
      sender: new URL(publicUrl).host,
      title: 'Sign in',
      paragraphs: [`Sign in to your account at ${publicUrl}.`],
      button: { label: 'Sign in', url },
      footer: [
        `The link works for ${validMinutes} minutes.`,
        'If you did not ask for this link, ignore this email.',
      ],
    }),
  }),
  sample: {
    publicUrl: 'https://builds.example.com',
    url: 'https://builds.example.com/sign-in?link=4fGk0mVq2c9xTn7L',
    validMinutes: 15,
  },
})
