import { defineMail } from './define-mail.ts'
import { renderMail } from './mail-document.ts'

type PasswordReset = { publicUrl: string; url: string; validMinutes: number }

/** Contains the link with which people set a new password. */
export const passwordResetMail = defineMail<PasswordReset>({
  render: ({ publicUrl, url, validMinutes }) => ({
    subject: 'Reset your password',
    text: `Someone asked to reset the password of your account at ${publicUrl}.\n\nSet a new password within ${validMinutes} minutes:\n${url}\n\nIf it was not you, ignore this email.\n`,
    html: renderMail({
      sender: new URL(publicUrl).host,
      title: 'Reset your password',
      paragraphs: [`Someone asked to reset the password of your account at ${publicUrl}.`],
      button: { label: 'Set a new password', url },
      footer: [
        `The link works for ${validMinutes} minutes.`,
        'If it was not you, ignore this email. Your password stays the same.',
      ],
    }),
  }),
  sample: {
    publicUrl: 'https://builds.example.com',
    url: 'https://builds.example.com/reset-password?token=4fGk0mVq2c9xTn7L',
    validMinutes: 60,
  },
})
