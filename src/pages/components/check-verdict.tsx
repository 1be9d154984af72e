import type { ComponentChildren } from 'preact'
import type { Verdict } from '../shared/check/check-proof.ts'
import { explorerLink, fill, formatMoney, shorten } from '../shared/format.ts'
import type { CheckView, Look, Said } from './check-state.ts'
import { amountText, chainName, isHashKnown, nameOf, namesOf, wordsOf } from './check-words.ts'
import { Button, Field } from './form.tsx'
import { Filled, Hash } from './values.tsx'

const LOOKS: Partial<Record<Verdict, Look>> = {
  proven: 'proven',
  needs_hash: 'open',
  unknown_key: 'doubt',
  lower_level: 'doubt',
  no_signatures: 'doubt',
}

/** What the check of a proof says. Null without a result. */
export const sayVerdict = (view: CheckView): Said | null => {
  const { texts, state } = view
  if (state.phase !== 'done' || state.outcome === null) return null
  const { verdict, answers, proof, isSigned } = state.outcome
  const look = LOOKS[verdict] ?? 'wrong'
  const { needs_hash, open, proven, wrong } = texts.titles
  const other = answers.find(({ hash }) => hash !== null && hash !== proof?.block.hash)
  const values = {
    block: proof?.block.number ?? '',
    source: nameOf(other?.source ?? '', texts),
    hash: shorten(other?.hash ?? ''),
  }
  return {
    look,
    title: { proven, wrong, doubt: open, open: isSigned ? needs_hash : open }[look],
    why: fill(texts.verdicts[verdict], values),
    proven: look === 'wrong' ? [] : provenOf(view),
    beside: besideOf(view, look),
  }
}

/** The sentences that the check has proven. A credit needs the signature of the site. */
const provenOf = (view: CheckView): ComponentChildren[] => {
  const { state, texts, assets, lang } = view
  const { outcome } = state
  if (!outcome?.proof || outcome.verdict === 'lower_level') return []
  const { says: t } = texts
  const { donation, block, chainId } = outcome.proof
  const amount = amountText(donation.amount, donation.asset, assets)
  const values = {
    amount: <strong>{formatMoney(lang, amount)}</strong>,
    sender: donation.sender && <Hash value={donation.sender} />,
    account: <Hash value={donation.account} />,
    block: <strong>{block.number}</strong>,
    chain: chainName(view, chainId),
    names: <strong>{namesOf(outcome.answers, texts).join(', ')}</strong>,
    campaign: <a href={`/c/${donation.campaignId}`}>{t.campaign}</a>,
  }
  const paid = donation.sender ? t.paid : t.arrived
  const sentences = isHashKnown(outcome) ? [paid, t.block] : [`${paid} ${t.onlyIf}`]
  return [...sentences, ...(outcome.isSigned ? [t.credit] : [])].map((text) => (
    <Filled key={text} text={text} values={values} />
  ))
}

/** The parties whose word the check took; or what the check still needs. */
const besideOf = (view: CheckView, look: Look): Said['beside'] => {
  const { texts, lang, state } = view
  const { outcome } = state
  const { says: t, words, accept } = texts
  if (!outcome?.proof) return null
  const { verdict, answers } = outcome
  if (verdict === 'needs_hash' || verdict === 'other_block') {
    return [
      t.others,
      <>
        <HashForm {...view} />
        <CheckpointForm {...view} />
      </>,
    ]
  }
  if (look === 'wrong') return null
  const names = namesOf(answers, texts).join(', ')
  const parties = wordsOf(outcome).map((word) => fill(words[word], { names }))
  return [
    t.trusted,
    <>
      <p>{fill(t.trust, { list: new Intl.ListFormat(lang).format(parties) })}</p>
      {outcome.keySource === 'site' && <p class="note">{t.keep}</p>}
      {verdict === 'lower_level' && (
        <Button type="button" kind="plain" name="act" value="accept">
          {accept}
        </Button>
      )}
    </>,
  ]
}

/** Asks for the hash of the block from another source: the donor's wallet, or an explorer. */
const HashForm = (view: CheckView) => {
  const { texts, state, chains } = view
  const { outcome } = state
  if (!outcome?.proof) return null
  const { block, chainId } = outcome.proof
  const chain = chains.find(({ id }) => id === chainId)
  const name = chainName(view, chainId)
  const explorer = explorerLink(chain, 'block', block.number)
  const without = outcome.answers.filter(({ hash }) => hash === null)
  return (
    <form class="form" data-act="hash">
      {outcome.answers.length === 0 && <p>{texts.noWallet}</p>}
      {without.map(({ source, problem, why }) => (
        <div key={source}>
          {problem && (
            <p>
              {fill(texts.problems[problem], { name: nameOf(source, texts), chain: name })}{' '}
              {why && <span lang="en">{why}</span>}
            </p>
          )}
          {problem === 'other_chain' && chain && (
            <Button type="button" kind="plain" name="act" value="switch">
              {fill(texts.switchTo, { name: source, chain: name })}
            </Button>
          )}
        </div>
      ))}
      <Field
        name="hash"
        label={fill(texts.hashLabel, { block: block.number })}
        hint={texts.hashHint}
        error={state.wrong === 'hash' ? texts.hashWrong : undefined}
        autocomplete="off"
        spellcheck={false}
      />
      {explorer && (
        <a href={explorer} target="_blank" rel="noreferrer">
          {texts.explorer}
        </a>
      )}
      <Button kind="plain">{texts.checkHash}</Button>
    </form>
  )
}

/** Asks for a checkpoint, from which the sync committee of the chain leads to the block. */
const CheckpointForm = ({ texts, state: { outcome, wrong } }: CheckView) =>
  outcome?.proof?.finality && (
    <form class="form" data-act="checkpoint">
      <Field
        name="checkpoint"
        label={texts.checkpointLabel}
        hint={fill(texts.checkpointHint, { slot: outcome.proof.finality.beginSlot })}
        error={wrong === 'checkpoint' ? texts.hashWrong : undefined}
        autocomplete="off"
        spellcheck={false}
      />
      <Button kind="plain">{texts.checkCheckpoint}</Button>
    </form>
  )
