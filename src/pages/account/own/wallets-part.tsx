import type { WalletView } from '../../../domain/wallet/index.ts'
import { Hash } from '../../components/hash.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { shorten } from '../../shared/format.ts'
import type { Language } from '../../shared/languages.ts'
import { SignPart } from '../sign-part.tsx'
import type { AccountTexts } from '../texts/index.ts'

type Props = { t: AccountTexts; lang: Language; wallets: readonly WalletView[]; isRecent: boolean }

/** The linked wallets, and the island that links one more after a recent sign-in. */
export const WalletsPart = ({ t, lang, wallets, isRecent }: Props) => (
  <section class="stack" aria-labelledby="wallets">
    <h2 id="wallets">{t.wallets.title}</h2>
    <p class="soft">{t.wallets.lead}</p>
    {wallets.length === 0 ? (
      <p>{t.wallets.empty}</p>
    ) : (
      <Table
        caption={t.wallets.caption}
        columns={t.wallets.columns}
        rows={wallets.map(({ id, address, createdAt }) => ({
          key: id,
          cells: [
            <Hash key="address" value={address} texts={t.wallets.copy} />,
            <>
              <Time at={createdAt} lang={lang} day />
              <form class="inline" method="post" action={`/account/wallets/${id}/unlink`}>
                <button
                  type="submit"
                  class="text-button"
                  aria-label={t.wallets.unlink(shorten(address))}
                >
                  {t.wallets.unlinkShort}
                </button>
              </form>
            </>,
          ],
        }))}
      />
    )}
    <h3>{t.wallets.link}</h3>
    {isRecent ? (
      <SignPart
        challenge="/account/wallets/challenge"
        action="/account/wallets"
        to="/account"
        texts={t.linkWallet}
        noScript={t.wallets.noScript}
      />
    ) : (
      <p>
        {t.refused.sign_in_again} <a href="/sign-in?again&to=/account">{t.signIn.title}</a>
      </p>
    )}
  </section>
)
