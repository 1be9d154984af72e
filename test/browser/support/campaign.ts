import { ROOF, WATER } from '../../../src/commands/seed/campaigns.ts'
import { SEED_USER } from '../../../src/commands/seed/seed.ts'
import { call } from '../../support/api-user.ts'
import type { Stack } from './stack.ts'

/**
 * The accounts of the development chain that the seeded user and the seeded verifier have linked.
 */
export const RECIPIENT = 7
const VERIFIER = 6
const YEAR_MS = 365 * 86_400_000

/**
 * Sends a request to the API, and returns the body of the answer. Throws if the status is an error.
 */
export const ask = async (
  { port }: Stack,
  method: string,
  path: string,
  options: { body?: unknown; token?: string } = {},
) => {
  const answer = await call(port, method, path, options)
  if (answer.status >= 400) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Signs in as the seeded user. Returns the access token. */
export const signInSeedUser = async (stack: Stack): Promise<string> => {
  const body = { username: SEED_USER.email, password: SEED_USER.password }
  const { tokens } = await ask(stack, 'POST', '/api/auth/login', { body })
  return (tokens as { accessToken: string }).accessToken
}

/**
 * Makes a campaign that a test may change, with or without an escrow. It resembles a seeded
 * campaign.
 */
export const createCampaign = async (stack: Stack, { hasEscrow = false } = {}) => {
  const { addressOf, newAddress } = stack.chain
  const at = (years: number) => new Date(Date.now() + years * YEAR_MS).toISOString()
  const escrow = {
    recipient: addressOf(RECIPIENT),
    deadline: at(1),
    expiry: at(2),
    verifiers: [addressOf(VERIFIER)],
    surplus: 'donors',
  }
  const body = hasEscrow
    ? { ...ROOF.campaign, title: 'Another roof', escrow }
    : { ...WATER.campaign, title: 'Another well', ledgerAccount: newAddress() }
  const token = await signInSeedUser(stack)
  const { data } = await ask(stack, 'POST', '/v1/campaigns', { body, token })
  const { id, slug, ledgerAccount } = data as Record<'id' | 'slug' | 'ledgerAccount', string>
  return { id, path: `/c/${slug}`, account: ledgerAccount.split(':').at(-1) ?? '' }
}
