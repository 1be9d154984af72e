import { expect, test } from 'vitest'
import { campaignBody, createApiWithUser, donationBody } from './support/api.ts'

/** Invalid values: a wrong checksum, and an amount with too many decimals. */
const WRONG_CHECKSUM = '0x70997970c51812dC3A010C7d01b50e0d17dc79C8'
const TOO_FINE = '1.0000001'

test('names the field that a rule refused, as the request spells it', async () => {
  const { api, token } = await createApiWithUser()
  const { ledger_account: account, target_amount: target, ...rest } = campaignBody()
  const v1 = { ...rest, targetAmount: target, ledgerAccount: account }
  const { body: created } = await api.ask('POST', '/api/campaigns', { token, body: campaignBody() })
  const { _id: campaignId } = created.campaign as { _id: string }
  const donation = donationBody(campaignId)
  const transaction = { ...donation.transaction, ledgerAddress: WRONG_CHECKSUM }
  const amount = { value: 1, currency: 'DOGE' }
  for (const [path, body, code, field] of [
    [
      '/api/campaigns',
      campaignBody({ ledger_account: WRONG_CHECKSUM }),
      'invalid_input',
      'ledger_account',
    ],
    ['/v1/campaigns', { ...v1, ledgerAccount: WRONG_CHECKSUM }, 'invalid_input', 'ledgerAccount'],
    [
      '/api/campaigns',
      campaignBody({ ledger_account: `eip155:9:${account}` }),
      'unknown_chain',
      'ledger_account',
    ],
    [
      '/api/campaigns',
      campaignBody({ target_amount: TOO_FINE }),
      'invalid_amount',
      'target_amount',
    ],
    ['/v1/campaigns', { ...v1, targetAmount: TOO_FINE }, 'invalid_amount', 'targetAmount'],
    [
      '/api/campaigns',
      campaignBody({ milestones: [{ description: 'a', amount: TOO_FINE }] }),
      'invalid_amount',
      'milestones.0.amount',
    ],
    ['/api/campaigns', campaignBody({ currency: 'DOGE' }), 'unknown_currency', 'currency'],
    ['/api/donations', { ...donation, transaction }, 'invalid_input', 'transaction.ledgerAddress'],
    ['/api/donations', { ...donation, amount }, 'unknown_currency', 'amount.currency'],
    [
      '/v1/donations',
      { ...donation, amount: { value: TOO_FINE, currency: 'USDC' } },
      'invalid_amount',
      'amount.value',
    ],
    ['/api/auth/wallets/challenge', { address: WRONG_CHECKSUM }, 'invalid_input', 'address'],
    ['/api/auth/wallets/challenge', { address: account, chainId: 9 }, 'unknown_chain', 'chainId'],
  ] as const) {
    const { body: answer } = await api.ask('POST', path, { token, body })
    const details = answer.details as { path: string; message: string }[] | undefined
    expect([path, answer.code, details?.map((one) => one.path)]).toEqual([path, code, [field]])
  }
  const { body: listed } = await api.ask('GET', '/api/campaigns?cursor=x')
  expect(listed).toMatchObject({ code: 'invalid_cursor', details: [{ path: 'cursor' }] })
})
