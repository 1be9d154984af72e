import type { MailTexts } from '../templates.ts'

export const en: MailTexts = {
  verify_email: ({ code, minutes }) => ({
    subject: `${code} is your Fundproof code`,
    text: `Your code to confirm this email address is

    ${code}

It is valid for ${minutes} minutes. If you did not ask for it, you can ignore this message.
`,
  }),
  reset_password: ({ code, minutes }) => ({
    subject: 'Your code to choose a new password',
    text: `Your code to choose a new Fundproof password is

    ${code}

It is valid for ${minutes} minutes. If you did not ask for it, ignore this message: your password
stays as it is. Never give this code to anybody.
`,
  }),
  endpoint_disabled: ({ url, reason }) => ({
    subject: 'A webhook endpoint of yours was switched off',
    text: `We no longer send events to

    ${url}

${
  reason === 'gone'
    ? 'It answered 410 Gone, which asks us to stop.'
    : 'Every attempt of the last five days has failed.'
}
Events that happen meanwhile are not lost: they are listed in your account.
`,
  }),
}
