import type { DepositView } from '../../domain/donations/index.ts'
import { Button, SlowNote } from '../components/form.tsx'
import { Banner } from '../components/states.tsx'
import { explorerLink, formatCount, formatMoney, shorten } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { donateTexts } from '../texts/donate/index.ts'
import type { Tracked } from './load-donation.ts'

type Props = {
  tracked: Pick<Tracked, 'donation' | 'chain'>
  payment: DepositView
  /** The wallet that the donor named, if this browser knows it. */
  wallet: string | undefined
  lang: Language
}

/** Offers the donor the payment of a named transaction, or a second payment after the first. */
export const OfferedPayment = ({ tracked, payment, wallet, lang }: Props) => {
  const { donation, chain } = tracked
  const { offered: t, slow } = donateTexts[lang]
  const isSecond = donation.payment === null || donation.payment.received !== null
  const money = formatMoney(lang, payment.amount)
  const [sender, block] = [shorten(payment.sender), formatCount(lang, payment.blockNumber)]
  const href = explorerLink(chain, 'tx', payment.txHash)
  const isOther = wallet && wallet.toLowerCase() !== payment.sender.toLowerCase()
  const named = isOther ? ` ${t.named(shorten(wallet))}` : ''
  return (
    <div class="offer">
      <Banner tone="warn" title={isSecond ? t.second(money) : t.found}>
        <p>{isSecond ? t.sameWallet(block) : t.from({ money, sender, block }) + named}</p>
        <p>{t.onlyYours}</p>
        <form class="donation-links" method="post" action={`/d/${donation.id}/payment`}>
          <input type="hidden" name="payment" value={payment.id} />
          <Button kind="plain">{isSecond ? t.add : t.take}</Button>
          {href && <a href={href}>{t.see}</a>}
          <SlowNote {...slow} href={`/d/${donation.id}`} />
        </form>
      </Banner>
    </div>
  )
}
