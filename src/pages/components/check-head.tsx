import type { HeadVerdict, NewestHead } from '../shared/check/check-head.ts'
import type { KeptHead } from '../shared/check/kept-file.ts'
import { fill, formatMoment } from '../shared/format.ts'
import type { CheckTexts, Look, Said } from './check-state.ts'
import { Filled } from './values.tsx'

const LOOKS: Partial<Record<HeadVerdict, Look>> = {
  current: 'proven',
  older: 'proven',
  alone: 'proven',
  no_signatures: 'doubt',
}

/** What the head of a ledger proves about the total, and what it leaves open. */
export const sayHead = (
  { head: t, says }: CheckTexts,
  verdict: HeadVerdict,
  { campaignId, seq, more }: KeptHead,
  newest: NewestHead,
  lang: string,
): Said => {
  const path = `/c/${encodeURIComponent(campaignId)}`
  const values = {
    seq: <strong>{seq}</strong>,
    campaign: <a href={path}>{says.campaign}</a>,
    ledger: <a href={`${path}/ledger`}>{t.ledger}</a>,
    entries: String(more.entries),
    time: formatMoment(lang, new Date(String(more.sealedAt))),
  }
  const look = LOOKS[verdict] ?? 'wrong'
  const isSigned = look === 'proven'
  return {
    look,
    title: t.titles[verdict],
    why: fill(t.why[verdict], { seq, newest: newest?.seq ?? '' }),
    proven: isSigned ? [<Filled key="signed" text={t.signed} values={values} />, t.fixed] : [],
    beside: isSigned
      ? [says.trusted, <Filled key="open" text={`${t.trusted} ${t.keep}`} values={values} />]
      : null,
  }
}
