import { expect, test } from 'vitest'
import { hasAnvil } from '../../support/test-chain.ts'
import { requestOf } from './support/api.ts'
import { createExampleApi, type Scene, sceneOf } from './support/example-scenes.ts'

/**
 * The expected refusals of examples that need a value that only a running server has, such as a
 * code from a mail. The server accepts all other examples.
 */
const REFUSED: Readonly<Record<string, string>> = {
  // Needs a refresh token of a session.
  'refresh.minimal': '401 invalid_token',
  // Needs a code from a mail.
  'requestVerification.full': '400 invalid_code',
  'resetPassword.full': '400 invalid_code',
  'changeEmail.withCode': '400 invalid_code',
  // Needs the signature of a message by a wallet.
  'linkWallet.minimal': '400 invalid_challenge',
  'linkWallet.full': '400 invalid_challenge',
  'signInWithWallet.minimal': '400 invalid_challenge',
  'signInWithWallet.full': '400 invalid_challenge',
  'proveAccount.full': '400 invalid_signature',
  'claimDeposit.full': '400 invalid_challenge',
  'verifyMilestone.minimal': '403 forbidden',
  'verifyMilestone.full': '403 forbidden',
  'v1VerifyMilestone.minimal': '403 forbidden',
  'v1VerifyMilestone.full': '403 forbidden',
  // Needs a campaign with a failed escrow.
  'prepareReturns.minimal': '409 not_escrowed',
  'prepareReturns.full': '409 not_escrowed',
  'prepareTermination.minimal': '409 not_escrowed',
  'prepareTermination.full': '409 not_escrowed',
  'prepareMilestoneRejection.minimal': '409 not_escrowed',
  'prepareMilestoneRejection.full': '409 not_escrowed',
}

test.runIf(hasAnvil)(
  'sends every example of a request to a server, which refuses none for its form',
  async () => {
    const api = await createExampleApi()
    const url = await api.listen()
    const refused: Record<string, string> = {}
    for (const { body, examples, operationId, method, path } of api.operations) {
      if (!body) continue
      expect(examples, operationId).toBeDefined()
      for (const [name, example] of Object.entries(examples ?? {})) {
        const { token, id, fields } = await sceneOf(api, operationId, name)
        const answer = await fetch(
          url + path.replace(':id', id ?? ''),
          requestOf(method.toUpperCase(), { token, body: withFields(example, fields) }),
        )
        const { code, error } = (await answer.json()) as { code?: string; error?: string }
        if (answer.ok) continue
        refused[`${operationId}.${name}`] = `${answer.status} ${code}`
        if (!(`${operationId}.${name}` in REFUSED)) refused[`${operationId}.${name}`] += ` ${error}`
      }
    }
    expect(refused).toEqual(REFUSED)
  },
)

/** Replaces the ids in the example by the ids of its scene. */
const withFields = (value: unknown, fields: Scene['fields'] = {}): unknown => {
  if (Array.isArray(value)) return value.map((item) => withFields(item, fields))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fields[key] ?? withFields(item, fields)]),
  )
}
