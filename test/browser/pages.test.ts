import type { BrowserContext } from 'playwright-core'
import { afterAll } from 'vitest'
import { SEED_USER } from '../../src/commands/seed/seed.ts'
import { test } from './support/browser-test.ts'
import type { OpenPage } from './support/open-page.ts'
import { expectReadable, expectWhole } from './support/readable.ts'
import { createScene, type Scene } from './support/scene.ts'
import type { Stack } from './support/stack.ts'

type SessionState = Awaited<ReturnType<BrowserContext['storageState']>>

let scene: Promise<Scene> | undefined
const sceneOf = (stack: Stack): Promise<Scene> => {
  scene ??= createScene(stack)
  return scene
}
afterAll(async () => (await scene)?.startBlocks())

const WATER = '/c/clean-water-for-bako'
const ROOF = '/c/a-school-roof-for-bako'

/**
 * Each page in each of its states: name, path, and a text that the page shows only in this state.
 */
const PUBLIC: [string, (scene: Scene) => string, RegExp][] = [
  ['the first page', () => '/', /of 500\sUSDC/],
  ['the reference of the API', () => '/docs', /People record donations here/],
  ['the error codes', () => '/docs/errors', /Every answer of 400 and above/],
  ['the heads of all ledgers', () => '/total', /Sealed entries/],
  ['a search without results', () => '/?q=zebra', /No campaign fits/],
  ['a campaign', () => WATER, /The well at the school/],
  ['a campaign with an escrow', () => ROOF, /One verifier alone can release/],
  ['donations', () => `${WATER}/donations`, /Confirming, 1 of/],
  [
    'donations of a state',
    () => `${WATER}/donations?status=refunded`,
    /No donation has this state/,
  ],
  ['the ledger', () => `${WATER}/ledger`, /Takes back entry/],
  ['updates', () => `${WATER}/updates`, /The survey is done/],
  ['an escrow', () => `${ROOF}/escrow`, /The escrow collects money/],
  ['giving', () => `${WATER}/donate`, /This browser has no wallet/],
  ['giving to an escrow', () => `${ROOF}/donate`, /goes back to the exchange/],
  ['a payment that was made', () => `${WATER}/paid`, /Already paid/],
  ['a waiting donation', ({ waiting }) => `/d/${waiting}`, /The payment has not arrived yet/],
  [
    'a waiting donation to an escrow',
    ({ waitingEscrow }) => `/d/${waitingEscrow}`,
    /The payment has not arrived yet/,
  ],
  ['a confirming donation', ({ confirming }) => `/d/${confirming}`, /1 of 3 blocks/],
  ['a proven donation', ({ completed }) => `/d/${completed}`, /You can check the proof below/],
  ['a failed donation', ({ failed }) => `/d/${failed}`, /^Failed$/],
  ['a reversed donation', ({ reversed }) => `/d/${reversed}`, /Reversed/],
  ['a receipt', ({ completed }) => `/d/${completed}/receipt`, /Receipt for a donation/],
  ['the status', () => '/status', /Development chain/],
  ['a card for other sites', () => '/embed/c/clean-water-for-bako', /Clean water for Bako/],
  ['the check of proofs', () => '/check', /Check a proof/],
  ['sign-in', () => '/sign-in', /I have forgotten my password/],
  ['register', () => '/register', /I already have an account/],
  ['reset', () => '/reset', /we send you a code/],
  ['claim', () => '/claim', /Claim your donation/],
  ['no page', () => '/nowhere', /There is no page at this address/],
]

/** Pages that only a signed-in user sees. */
const OWN: typeof PUBLIC = [
  ['the account', () => '/account', /Where you are signed in/],
  ['a new mail address', () => '/account/email', /We mail a code to the new address/],
  ['own donations', () => '/account/donations', /Reversed/],
  ['own open payments', () => '/account/deposits', /8(\.00)?\sUSDC/],
  ['notifications', () => '/notifications', /Mark all as read/],
]

let session: Promise<SessionState> | undefined

/** Signs in once with the form. Returns the cookies of that session. */
const sessionOf = (openPage: OpenPage): Promise<SessionState> => {
  const signIn = async () => {
    const page = await openPage({ path: '/sign-in' })
    await page.getByLabel('Email address or user name').fill(SEED_USER.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(SEED_USER.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Account' }).first().waitFor()
    return page.context().storageState()
  }
  session ??= signIn()
  return session
}

test.for(PUBLIC)('%s: everyone can read it', async ([, pathOf, text], { stack, openPage }) => {
  const page = await openPage({ path: pathOf(await sceneOf(stack)) })
  await expectReadable(page, text)
})

test.for(OWN)('%s: everyone can read it', async ([, pathOf, text], { stack, openPage }) => {
  const scene = await sceneOf(stack)
  const storageState = await sessionOf(openPage)
  const page = await openPage({ path: pathOf(scene), context: { storageState } })
  await expectReadable(page, text)
})

test.for(PUBLIC)('%s: nothing is cut off in German', async ([, pathOf], { stack, openPage }) => {
  const path = pathOf(await sceneOf(stack))
  await expectWhole(await openPage({ path, lang: 'de' }))
})

test('a blocked country: everyone can read it', async ({ openPage }) => {
  const context = { extraHTTPHeaders: { 'x-country': 'KP' } }
  const page = await openPage({ path: '/', context })
  await expectReadable(page, /Not available in your country/)
})
