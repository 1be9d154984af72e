import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { expect, onTestFinished } from 'vitest'
import { encodeAddressAmount, selectors } from '../../contracts-abi/index.ts'
import type { DonationProof } from '../../src/verifier/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { expectAccessible } from './support/axe.ts'
import { test } from './support/browser-test.ts'
import { ask, createCampaign } from './support/campaign.ts'
import { takeScreenshot } from './support/screenshot.ts'
import type { Stack } from './support/stack.ts'

const UNITS = 25_000_000n
const PROVEN = 'The donation is proven.'

/** Promises 25 USDC as a guest, from an account of the development chain, to a new campaign. */
const promise = async (stack: Stack, index: number) => {
  const { chain } = stack
  const { id: campaignId, account } = await createCampaign(stack)
  const body = {
    campaignId,
    amount: { value: '25', currency: 'USDC' },
    donor: { walletAddress: chain.addressOf(index), name: 'Ada', message: 'For the well.' },
  }
  const { id } = (await ask(stack, 'POST', '/v1/donations', { body })).data as { id: string }
  const pay = async (): Promise<string> => {
    const { paid } = await chain.sendToken(index, account, UNITS)
    return paid.txHash
  }
  return { id, path: `/d/${id}`, account, pay }
}

/** Makes a donation whose proof is ready. */
const give = async (stack: Stack, index: number) => {
  const gift = await promise(stack, index)
  await gift.pay()
  const proof = await waitFor(
    'the proof of the donation',
    async () => {
      const answer = await fetch(`${stack.origin}/api/donations/${gift.id}/proof`)
      return answer.ok ? ((await answer.json()) as DonationProof) : null
    },
    (found) => found !== null,
  )
  if (!proof) throw new Error('The proof is ready.')
  return { ...gift, proof }
}

const startCheck = (page: Page) => page.getByRole('button', { name: 'Check this proof' }).click()
/**
 * Fills in the hash of the proof's block by hand, and presses the button. Default: the true hash.
 */
const checkWithHash = async (page: Page, { block }: DonationProof, hash = block.hash) => {
  await page.getByLabel(`Hash of block ${block.number}`).fill(hash)
  await page.getByRole('button', { name: 'Check with this hash' }).click()
}
const sees = (page: Page, text: string) => page.getByText(text).first().waitFor()

/** Drops a file on the page, as if dragged from another window. */
const drop = (page: Page, name: string, content: unknown) =>
  page.evaluate(
    ({ name, text }) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([text], name, { type: 'application/json' }))
      document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
      )
    },
    { name, text: JSON.stringify(content) },
  )

test('a promise becomes a proven donation while the page is open, and is checked by the wallet', async ({
  stack,
  openWithWallet,
}) => {
  const { path, id, account, pay } = await promise(stack, 3)
  const { page, wallet } = await openWithWallet(path, { account: 3 })
  await sees(page, 'The payment has not arrived yet.')
  expect(await page.getByRole('button', { name: 'Check this proof' }).isVisible()).toBe(false)
  expect(await page.getByText(account, { exact: true }).first().isVisible()).toBe(true)
  await expectAccessible(page)
  await takeScreenshot(page, 'donation-promised')

  const hash = await pay()
  await sees(page, '25\u00a0USDC are credited to the campaign. Thank you.')
  await sees(page, 'You can check the proof below, without trusting us.')
  expect(await page.getByText(account, { exact: true }).first().isVisible()).toBe(false)

  await startCheck(page)
  await sees(page, PROVEN)
  expect(wallet.asked('eth_getBlockByNumber')).toHaveLength(1)
  expect(wallet.asked('eth_requestAccounts')).toEqual([])
  await sees(page, 'You trusted Test Wallet for the hash of the block, this site for its own key')
  await page.getByText('What the proof says').click()
  expect(await page.locator('.check').innerText()).toContain(hash)
  await expectAccessible(page)
  await takeScreenshot(page, 'donation-proven')

  await page.evaluate(() => {
    navigator.share = async (data) => {
      document.title = JSON.stringify(data)
    }
  })
  await page.getByRole('button', { name: 'Share' }).click()
  const shared = JSON.parse(await page.title()) as { text: string; url: string }
  expect(shared.text).toMatch(/^25\u00a0USDC for /)
  expect(shared.url).toBe(page.url())
  expect(JSON.stringify(shared)).not.toContain('0x')

  await page.getByRole('link', { name: 'Receipt' }).click()
  await page.waitForURL(`**/d/${id}/receipt`)
  await sees(page, 'Receipt for a donation')
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('banner').isVisible()).toBe(false)
  expect(await page.getByRole('button').count()).toBe(0)
  const paper = await page.pdf({ format: 'A4' })
  expect(paper.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)
  await takeScreenshot(page, 'receipt-print')
})

test('the block of the check comes from the wallet or the hand of the donor', async ({
  stack,
  openPage,
  openWithWallet,
}) => {
  const { path, proof } = await give(stack, 4)

  const without = await openPage({ path })
  await startCheck(without)
  await sees(without, 'There is no wallet in this browser.')
  await checkWithHash(without, proof, '0x12')
  await sees(without, 'A hash has 0x and 64 digits.')
  await expectAccessible(without)
  await checkWithHash(without, proof, `0x${'00'.repeat(32)}`)
  await sees(without, `According to your own source, block ${proof.block.number} has another hash`)
  await takeScreenshot(without, 'check-open')
  await checkWithHash(without, proof)
  await sees(without, PROVEN)

  const { page: elsewhere } = await openWithWallet(path, { account: 4, chainId: 1 })
  await startCheck(elsewhere)
  await elsewhere.getByRole('button', { name: 'Switch Test Wallet to' }).click()
  await sees(elsewhere, PROVEN)
})

test('a changed proof fails, and so does the proof of another donation', async ({
  stack,
  openPage,
  createWallet,
}) => {
  const [{ path, id, proof }, { proof: foreign }] = await Promise.all([
    give(stack, 5),
    give(stack, 4),
  ])
  /** Makes a donation, and opens its page with `json` instead of its proof. */
  const checkAnother = async (account: number, json: DonationProof) => {
    const page = await openPage({ wallet: createWallet({ account }) })
    await page.route(`**/api/donations/${id}/proof`, (route) => route.fulfill({ json }))
    await page.goto(path)
    await startCheck(page)
    return page
  }
  const more = { ...proof, donation: { ...proof.donation, amount: '26000000' } }
  const changed = await checkAnother(4, more)
  await sees(changed, 'The donation is NOT proven.')
  await sees(changed, 'Amount, asset, sender and recipient are right fails')
  await takeScreenshot(changed, 'check-wrong')

  const other = await checkAnother(5, foreign)
  await sees(other, 'This is the proof of another donation than the one on this page.')
})

test('any proof is checked from a dropped file, offline and with files that were kept', async ({
  stack,
  openPage,
}) => {
  const { proof, id } = await give(stack, 6)
  const { proof: next } = await give(stack, 2)
  const head = await fetch(`${stack.origin}/api/campaigns/${proof.donation.campaignId}/ledger/head`)
  const kept = (await head.json()) as { seq: number; head: string; keyId: string }
  const page = await openPage({ path: '/check' })
  await expectAccessible(page)
  await drop(page, 'notes.json', { hello: 'world' })
  await sees(page, 'This is not a proof. A proof is a JSON file.')

  const loaded = page.waitForResponse(/verifier-.*\.js/)
  await page.getByLabel('Or paste the proof').focus()
  await (await loaded).finished()
  await page.context().setOffline(true)
  await drop(page, 'proof.json', proof)
  await sees(page, 'There is no wallet in this browser.')
  await checkWithHash(page, proof)
  await sees(page, PROVEN)
  await sees(page, 'this site for its own key')
  await page.getByText('What the proof says').click()
  await sees(page, id)
  await takeScreenshot(page, 'check-proven')

  await drop(page, 'head.json', kept)
  await sees(page, 'Compared with head.json')
  await sees(page, 'the file that you kept for the key of the service')
  await sees(page, PROVEN)
  const [seal] = proof.ledger.seals
  await drop(page, 'other.json', { ...kept, seq: seal?.seq, head: `0x${'00'.repeat(32)}` })
  await sees(page, 'The service has changed its ledger after you kept the file.')
  await drop(page, 'key.json', { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) })
  await sees(page, 'A key that is not in your file has signed this proof.')

  await drop(page, 'keys.json', { keys: next.ledger.keys })
  await drop(page, 'next.json', next)
  // The hash that was filled in for the earlier proof does not count for this proof.
  await checkWithHash(page, next)
  await sees(page, PROVEN)

  await page.getByLabel('Or paste the proof').fill('{}')
  await page.getByRole('button', { name: 'Check again' }).click()
  await sees(page, 'This file holds neither a key nor a head of the ledger.')
})

test('a donor with a checkpoint needs no node, also offline', async ({ stack, openPage }) => {
  const { proof } = await give(stack, 3)
  const root = await firstCheckpoint(stack)
  const answer = await fetch(`${stack.origin}/api/finality/31337/updates?from=${root}`)
  const updates = await answer.json()
  const openCheck = async () => {
    const page = await openPage({ path: '/check' })
    await page.getByLabel('Or paste the proof').focus()
    await page.waitForLoadState('networkidle')
    return page
  }
  const checkFrom = async (page: Page, checkpoint: string) => {
    await page.getByLabel('Or a checkpoint').fill(checkpoint)
    await page.getByRole('button', { name: 'Check with this checkpoint' }).click()
  }
  const online = await openCheck()
  await drop(online, 'proof.json', proof)
  await checkFrom(online, '0x12')
  await sees(online, 'A hash has 0x and 64 digits.')
  await checkFrom(online, root)
  await sees(online, PROVEN)
  await sees(online, 'the sync committee of the chain (from your checkpoint on')
  await expectAccessible(online)
  await takeScreenshot(online, 'check-checkpoint')

  const offline = await openCheck()
  await offline.context().setOffline(true)
  await drop(offline, 'updates.json', updates)
  await sees(offline, 'These are updates of a sync committee.')
  await drop(offline, 'proof.json', proof)
  await checkFrom(offline, `0x${'ab'.repeat(32)}`)
  await sees(offline, 'The checkpoint does not prove this block:')
  await sees(offline, 'this is another checkpoint, or another chain.')
  await takeScreenshot(offline, 'check-other-checkpoint')
  await checkFrom(offline, root)
  await sees(offline, PROVEN)
  const { finality } = proof
  const signature = { sync_committee_signature: `0x${'00'.repeat(96)}` }
  const sync_aggregate = { ...finality?.update.sync_aggregate, ...signature }
  const update = { ...finality?.update, sync_aggregate }
  await drop(offline, 'altered.json', { ...proof, finality: { ...finality, update } })
  await checkFrom(offline, root)
  await sees(offline, 'The checkpoint does not prove this block:')
  await sees(offline, 'The signature of the committee is invalid.')
})

/** The oldest checkpoint from which the service has kept the committees. */
const firstCheckpoint = async ({ databaseUrl }: Stack): Promise<string> => {
  const sql = postgres(databaseUrl, { max: 1 })
  const [row] = await sql`
    select '0x' || encode(root, 'hex') as root from committee_message
    where kind = 'bootstrap' order by slot limit 1`
  await sql.end()
  return String(row?.root)
}

test('a downloaded head gets an answer about the total, and a changed one is not proven', async ({
  stack,
  openPage,
}) => {
  const { proof } = await give(stack, 5)
  const { campaignId } = proof.donation
  const readHead = async () => {
    const answer = await fetch(`${stack.origin}/api/campaigns/${campaignId}/ledger/head`)
    return (await answer.json()) as { seq: number }
  }
  const page = await openPage({ path: '/check', width: 390 })
  let head = await readHead()
  // Another test may give to the same campaign before the page has compared the head.
  await expect
    .poll(
      async () => {
        head = await readHead()
        await drop(page, `head-${head.seq}.json`, head)
        await page.getByText('The head is signed').waitFor()
        return page.getByText('The head is signed, and the ledger still ends with it.').isVisible()
      },
      { timeout: 60_000 },
    )
    .toBe(true)
  await sees(
    page,
    'Nothing was added or changed since you kept it. Amounts were not added up here.',
  )
  await expectAccessible(page)
  await takeScreenshot(page, 'check-head')
  await drop(page, 'changed.json', { ...head, seq: head.seq + 1 })
  await sees(page, 'The head is NOT proven.')
  await page.getByLabel('Or paste the proof').fill(JSON.stringify(head))
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('The head is signed').waitFor()
})

test('a reorganisation while the page is open takes the block back, and a new payment counts', async ({
  stack,
  openPage,
}) => {
  const { path, account } = await promise(stack, 7)
  const page = await openPage({ path })
  await sees(page, 'The payment has not arrived yet.')
  await stack.stopBlocks()
  onTestFinished(() => stack.startBlocks())
  const pay = () =>
    stack.rpc<string>('eth_sendTransaction', [
      {
        from: stack.chain.addressOf(7),
        to: stack.token,
        data: encodeAddressAmount(selectors.transfer, account, UNITS),
      },
    ])
  const blockOf = async (hash: string): Promise<number> => {
    await stack.mine()
    const receipt = await stack.rpc<{ blockNumber: string }>('eth_getTransactionReceipt', [hash])
    return Number(receipt.blockNumber)
  }
  const block = await blockOf(await pay())
  await sees(page, `In block ${block}, which is not final yet.`)
  await takeScreenshot(page, 'donation-confirming')
  await expectAccessible(page)

  await stack.chain.takeBackFrom(block)
  await stack.mine()
  await sees(page, 'The payment has not arrived yet.')
  const again = await blockOf(await pay())
  await sees(page, `In block ${again}, which is not final yet.`)
  await stack.startBlocks()
  await sees(page, '25\u00a0USDC are credited to the campaign. Thank you.')

  await stack.chain.takeBackFrom(again)
  await sees(page, 'The chain replaced the block with this payment')
  expect(await page.getByRole('button', { name: 'Check this proof' }).isVisible()).toBe(false)
  await takeScreenshot(page, 'donation-reversed')
})

test('the page is read and printed without JavaScript', async ({ stack, openPage }) => {
  const { path } = await give(stack, 1)
  const page = await openPage({ path, javaScript: false, lang: 'de', width: 360 })
  await sees(page, 'sind der Kampagne gutgeschrieben. Vielen Dank.')
  await takeScreenshot(page, 'donation-phone')
  expect(await page.getByRole('button', { name: 'Diesen Beweis prüfen' }).isVisible()).toBe(false)
  expect(await page.locator('noscript').first().innerText()).toContain('JavaScript')
  const link = page.getByRole('link', { name: 'Beweis herunterladen' })
  expect(await link.getAttribute('href')).toMatch(/\/api\/donations\/.*\/proof$/)
  await page.getByRole('link', { name: 'Quittung' }).click()
  await sees(page, 'Quittung über eine Spende')
  await expect(page.goto('/d/none').then((answer) => answer?.status())).resolves.toBe(404)
})
