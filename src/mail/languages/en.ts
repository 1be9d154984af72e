import { listsOf, type MailTexts } from '../templates.ts'

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
  password_changed: ({ wallets, webhooks, campaigns, roles }) => {
    const remaining = listsOf([
      ['Wallets', wallets],
      ['Webhooks', webhooks],
      ['Campaigns', campaigns],
      ['Roles', roles],
    ])
    return {
      subject: 'Your password was changed',
      text: `Your Fundproof password was changed with a code that we mailed to this address. All sessions and
API keys have ended, and all webhooks are paused.

${
  remaining === ''
    ? 'Nothing else is in your account.'
    : `This remains in your account. Remove what is not yours:

${remaining}`
}
`,
    }
  },
}
