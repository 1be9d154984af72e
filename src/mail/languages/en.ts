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
stays as it is. Never give this code to anyone.
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
  change_email: ({ code, minutes }) => ({
    subject: `${code} is your Fundproof code`,
    text: `Your code to use this email address for your Fundproof account is

    ${code}

It is valid for ${minutes} minutes. If you did not ask for it, ignore this message: nothing changes.
Never give this code to anyone.
`,
  }),
  email_taken: () => ({
    subject: 'This address already has a Fundproof account',
    text: `A Fundproof account asked for this email address, but it belongs to another account. Nothing has
changed.

If you asked for it, sign in to the account that has this address. Give that account another address
or delete it. If you did not ask for it, ignore this message.
`,
  }),
  account_changed: ({ change }) =>
    change === 'password'
      ? {
          subject: 'Your password was changed',
          text: `The password of your Fundproof account was changed by a session that entered the old password.
All other sessions have ended. API keys and webhooks continue to work.

If it was not you, choose a new password at once, with a code that we mail to this address.
`,
        }
      : {
          subject: 'Your email address was changed',
          text: `Your Fundproof account now has another email address. This is the last message to the old address.

If it was not you, tell the operator of this service at once.
`,
        },
}
