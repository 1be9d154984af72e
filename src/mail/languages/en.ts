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
  password_changed: ({ isKept, wallets, webhooks, campaigns, roles }) => ({
    subject: 'Your password was changed',
    text: `${
      isKept
        ? `Your Fundproof password was changed in an open session. All other sessions have ended. API keys,
webhooks and wallets continue to work.`
        : `Your Fundproof password was changed. All other sessions and API keys have ended, all webhooks are
paused, and a wallet can sign in only after you link it again.`
    }
${listsOf('This remains in your account. Remove what is not yours:', [
  ['Wallets', wallets],
  ['Webhooks', webhooks],
  ['Campaigns', campaigns],
  ['Roles', roles],
])}
If it was not you, choose a new password at once, with a code that we mail to this address.
`,
  }),
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
  account_changed: (values) =>
    values.change === 'wallet'
      ? {
          subject: 'A wallet was linked to your account',
          text: `This wallet can now sign in to your Fundproof account:

    ${values.wallet}

If it was not you, choose a new password at once, with a code that we mail to this address. After
that the wallet cannot sign in.
`,
        }
      : {
          subject: 'Your email address was changed',
          text: `Your Fundproof account now has another email address. This is the last message to the old address.

If it was not you, tell the operator of this service at once.
`,
        },
}
