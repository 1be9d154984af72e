import type { ComponentChildren } from 'preact'
import type { RefundsView } from '../../domain/escrow/refund/index.ts'
import { formatCount, formatMoment } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { escrowTexts } from './texts/index.ts'

type Props = { refunds: RefundsView; lang: Language; children: ComponentChildren }

/** How donors get their money back, and the state of the split that verifiers sign. */
export const RefundsPart = ({ refunds, lang, children }: Props) => {
  const t = escrowTexts[lang]
  return (
    <section class="page-section" id="refunds">
      <h2>{t.refunds}</h2>
      <p>{t.refundsIntro}</p>
      <ul class="plain-list">
        <li>{t.recordedRefunds}</li>
        <li>
          {t.plainRefunds} {rootOf(refunds, lang)}
        </li>
      </ul>
      {children}
    </section>
  )
}

const rootOf = ({ inForce, waiting, root }: RefundsView, lang: Language): string => {
  const t = escrowTexts[lang]
  if (waiting) return t.rootWaits(formatMoment(lang, waiting.readyAt))
  if (inForce) return t.rootInForce
  if (!root) return t.noRoot
  return root.missing > 0 ? t.rootMissing(formatCount(lang, root.missing)) : t.rootReady
}
