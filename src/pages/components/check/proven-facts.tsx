import { amountText } from '../../shared/check/amount.ts'
import { type CheckView, titleTag } from '../../shared/check/check-state.ts'
import { formatAmount } from '../../shared/format.ts'
import { Hash } from '../hash.tsx'
import { type KeyValue, KeyValues } from '../key-values.tsx'

/** The facts that the proof states, for the donor to compare with their own. */
export const ProvenFacts = (props: CheckView) => {
  const { texts, state, assets, chains, lang } = props
  const proof = state.outcome?.proof
  if (!proof) return null
  const { facts } = texts
  const Title = titleTag(props)
  const { donation, chainId, block } = proof
  const { value, currency } = amountText(donation.amount, donation.asset, assets)
  const items: KeyValue[] = [
    { key: facts.amount, value: `${formatAmount(lang, value)} ${currency}` },
    {
      key: facts.chain,
      value: chains.find(({ id }) => id === chainId)?.name ?? `eip155:${chainId}`,
    },
    { key: facts.account, value: <Hash value={donation.account} full /> },
    {
      key: facts.sender,
      value: donation.sender ? <Hash value={donation.sender} full /> : facts.unknownSender,
    },
    { key: facts.transaction, value: <Hash value={donation.txHash} full /> },
    { key: facts.block, value: String(block.number), hint: block.hash },
    { key: facts.donation, value: donation.id },
  ]
  return (
    <>
      <Title>{facts.title}</Title>
      <KeyValues items={items} />
    </>
  )
}
