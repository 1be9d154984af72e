import { amountText } from '../../shared/check/amount.ts'
import { type CheckView, chainName, titleTag } from '../../shared/check/check-state.ts'
import { formatMoney } from '../../shared/format.ts'
import { Hash } from '../hash.tsx'
import { KeyValues } from '../key-values.tsx'

/** The facts that the proof states, for the donor to compare with their own. */
export const ProvenFacts = (props: CheckView) => {
  const { texts, state, assets, lang } = props
  const proof = state.outcome?.proof
  if (!proof) return null
  const { facts } = texts
  const Title = titleTag(props)
  const { donation, chainId, block } = proof
  const { account, sender, txHash } = donation
  const amount = amountText(donation.amount, donation.asset, assets)
  return (
    <>
      <Title>{facts.title}</Title>
      <KeyValues
        items={[
          { key: facts.amount, value: formatMoney(lang, amount) },
          { key: facts.chain, value: chainName(props, chainId) },
          { key: facts.account, value: <Hash value={account} full /> },
          { key: facts.sender, value: sender ? <Hash value={sender} full /> : facts.unknownSender },
          { key: facts.transaction, value: <Hash value={txHash} full /> },
          { key: facts.block, value: String(block.number), hint: block.hash },
          { key: facts.donation, value: donation.id },
        ]}
      />
    </>
  )
}
