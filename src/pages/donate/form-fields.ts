import type { CampaignView } from '../../domain/campaigns/index.ts'
import { RecordIntent } from '../../domain/donations/index.ts'
import { payableAssets } from '../load/payable.ts'
import type { Visit } from '../page.ts'
import { readAmount, unitsOf } from '../shared/typed.ts'
import type { Refusal } from './refusals.ts'

/** What a donor says about a payment. */
export type Declared = {
  amount: { value: string; currency: string }
  wallet: string
  position: { logPosition?: number | 'native' }
}

/** The fields of a form, with the amount in the language of the page that had the form. */
export const typedIn = ({ form, lang }: Pick<Visit, 'form' | 'lang'>): Declared => ({
  amount: {
    value: readAmount(form.get('amount') ?? '', form.get('lang') ?? lang),
    currency: form.get('currency') ?? '',
  },
  wallet: form.get('wallet')?.trim() ?? '',
  position: {},
})

/** The name and the message of a form. An empty field counts as absent. */
export const wordsOf = (form: URLSearchParams): { name?: string; message?: string } => {
  const name = form.get('name')?.trim()
  const message = form.get('message')?.trim()
  return { ...(name && { name }), ...(message && { message }) }
}

const Words = RecordIntent.shape.donor.pick({ name: true, message: true })

/** The refusals of a form's amount. The domain names only the first wrong field of a form. */
export const wrongAmount = (
  { ctx }: Visit,
  campaign: CampaignView,
  { value, currency }: Declared['amount'],
): Refusal[] => {
  const asset = payableAssets(ctx, campaign).find(({ symbol }) => symbol === currency)
  if (!asset) return ['currency']
  return unitsOf(value, asset.decimals) ? [] : ['amount']
}

export const wrongWords = (form: URLSearchParams): Refusal[] => {
  const { success, error } = Words.safeParse(wordsOf(form))
  const wrong = success ? [] : error.issues.map(({ path: [field] }) => field)
  return (['name', 'message'] as const).filter((field) => wrong.includes(field))
}

export const wrongWallet = (wallet: string, ledgerAccount: string): Refusal[] => {
  if (wallet.toLowerCase() === ledgerAccount.toLowerCase()) return ['ownAccount']
  if (WALLET_NAME.test(wallet)) return ['walletName']
  return ADDRESS.test(wallet) ? [] : ['wallet']
}

/** A name such as `jonas.eth`, which no node is asked for. */
const WALLET_NAME = /^[^\s.]+(\.[^\s.]+)+$/
/** The domain also checks the checksum of an address. */
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
