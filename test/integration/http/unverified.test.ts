import { expect, test } from 'vitest'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { createFuzzApi } from '../../property/fuzz/world.ts'

const SIGNING_OUT = ['logout', 'endSession', 'endOtherSessions']

test('lets an unverified account read and sign out, and refuses everything else', async () => {
  const api = await createFuzzApi()
  const { token } = await api.signIn({ verified: false })
  const signedIn = api.operations.filter(({ auth }) => auth === 'user' || auth === 'verified')
  const isAllowed = ({ method, operationId }: (typeof signedIn)[number]) =>
    SIGNING_OUT.includes(operationId) || (method === 'get' && operationId !== 'streamEvents')
  const refused: string[] = []
  // The sign-out comes last, because it ends the token.
  for (const { method, path, operationId } of signedIn.toSorted((one) =>
    one.operationId === 'logout' ? 1 : -1,
  )) {
    const answer = await api.ask(method.toUpperCase(), path.replaceAll(/:\w+/g, newId()), { token })
    if (answer.body.code !== 'email_unverified') continue
    expect(answer).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('POST /api/auth/request-verification') },
    })
    refused.push(operationId)
  }
  const expected = signedIn.filter((one) => !isAllowed(one)).map(({ operationId }) => operationId)
  expect(refused.toSorted()).toEqual(expected.toSorted())
  expect(expected).toEqual(
    expect.arrayContaining(['linkWallet', 'createWebhook', 'createKey', 'streamEvents']),
  )
  expect((await api.ask('GET', '/api/auth/me', { token })).status).toBe(401)
})
