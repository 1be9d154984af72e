import type { Wallet } from 'ethers'
import { expect } from 'vitest'
import { codeFor, PASSWORD, register, verify } from '../../http/support/account.ts'
import type { TestPages, Visited } from './test-pages.ts'

/** Returns the cookie of an answer in the form that the browser sends back. */
export const cookieOf = ({ headers }: Visited): string =>
  headers.get('set-cookie')?.split(';')[0] ?? ''

/** Signs in with the form of the page. */
export const signInPage = (pages: TestPages, name: string, fields: Record<string, string> = {}) =>
  pages.visit('/sign-in', { form: { name, password: PASSWORD, ...fields } })

/**
 * Registers, confirms the address and signs in with the form of the page. Returns the session's
 * cookie.
 */
export const signUpPage = async (pages: TestPages, name: string): Promise<string> => {
  const email = `${name}@example.org`
  await register(pages, name)
  await verify(pages, email, await codeFor(pages, email))
  return cookieOf(await signInPage(pages, name))
}

/** Gets a message from a page, signs it with the wallet, and sends the signature as a form. */
export const signOnPage = async (
  pages: TestPages,
  path: '/sign-in/wallet' | '/account/wallets',
  key: Pick<Wallet, 'address' | 'signMessage'>,
  { cookie, ...fields }: { cookie?: string; to?: string } = {},
): Promise<Visited> => {
  const asked = { address: key.address, chainId: '31337' }
  const challenge = await pages.visit(`${path}/challenge`, { cookie, form: asked })
  expect(challenge.status).toBe(200)
  const { nonce, message } = JSON.parse(challenge.html) as { nonce: string; message: string }
  const signature = await key.signMessage(message)
  return pages.visit(path, { cookie, form: { nonce, signature, ...fields } })
}
