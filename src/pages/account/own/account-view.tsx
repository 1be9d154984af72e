import type { OpenSessionView, UserView } from '../../../domain/user/index.ts'
import type { WalletView } from '../../../domain/wallet/index.ts'
import { Banner } from '../../components/banner.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorSummary } from '../../components/error-summary.tsx'
import { SelectField } from '../../components/field.tsx'
import { KeyValues } from '../../components/key-values.tsx'
import { isLanguage, NAME_OF } from '../../languages.ts'
import { LANGUAGES, type Language } from '../../shared/languages.ts'
import { Input } from '../form-parts.tsx'
import type { FormState } from '../refusals.ts'
import type { AccountTexts } from '../texts/index.ts'
import { Area } from './area.tsx'
import { SessionsPart } from './sessions-part.tsx'
import { WalletsPart } from './wallets-part.tsx'

/** What was done just before, for a sentence at the top. */
export const NOTES = ['saved', 'linked', 'ended', 'password'] as const
export type Note = (typeof NOTES)[number]

type AccountProps = {
  t: AccountTexts
  lang: Language
  user: UserView
  hasPassword: boolean
  isRecent: boolean
  wallets: readonly WalletView[]
  sessions: readonly OpenSessionView[]
  form: FormState
  note?: Note | undefined
}

/** Everything about the account of the signed-in person. */
export const AccountView = (props: AccountProps) => {
  const { t, lang, form, note, sessions } = props
  return (
    <Area t={t} title={t.account.title} current="account">
      {note && <Banner tone="info">{noteText(t, note)}</Banner>}
      <ErrorSummary title={t.refusedTitle} errors={form.errors} />
      <ProfilePart {...props} />
      <WalletsPart {...props} />
      <PasswordPart {...props} />
      <SessionsPart t={t} lang={lang} sessions={sessions} />
    </Area>
  )
}

const noteText = ({ account, wallets, sessions, password }: AccountTexts, note: Note): string =>
  ({
    saved: account.saved,
    linked: wallets.linked,
    ended: sessions.ended,
    password: password.changed,
  })[note]

const ProfilePart = ({ t, lang, user, form }: AccountProps) => {
  const { username, firstName, lastName } = user
  const values = { username, firstName: firstName ?? '', lastName: lastName ?? '' }
  const filled: FormState = { ...form, values: { ...values, ...form.values } }
  return (
    <section class="stack" aria-labelledby="profile">
      <h2 id="profile">{t.account.profile}</h2>
      <EmailLine t={t} user={user} />
      <form class="form" method="post" action="/account">
        <Input name="username" t={t} form={filled} />
        <Input name="firstName" t={t} form={filled} required={false} />
        <Input name="lastName" t={t} form={filled} required={false} />
        <SelectField
          name="lang"
          label={t.labels.lang}
          value={isLanguage(user.lang) ? user.lang : lang}
          options={LANGUAGES.map((value) => ({ value, label: NAME_OF[value] }))}
        />
        <Button>{t.account.save}</Button>
      </form>
    </section>
  )
}

const EmailLine = ({ t, user: { email, emailVerified } }: Pick<AccountProps, 't' | 'user'>) => {
  const state = emailVerified ? (
    t.account.confirmed
  ) : (
    <>
      {t.account.notConfirmed} · <a href="/verify?to=/account">{t.account.confirm}</a>
    </>
  )
  const value = email ?? t.account.noEmail
  return <KeyValues items={[{ key: t.account.email, value, hint: email !== null && state }]} />
}

const PasswordPart = ({ t, form, hasPassword }: AccountProps) => (
  <section class="stack" aria-labelledby="password">
    <h2 id="password">{hasPassword ? t.password.change : t.password.set}</h2>
    <p class="soft">{t.password.lead}</p>
    <form class="form" method="post" action="/account/password">
      {hasPassword && <Input name="password" t={t} form={form} label={t.password.current} />}
      <Input name="newPassword" t={t} form={form} />
      <Button kind="plain">{hasPassword ? t.password.change : t.password.set}</Button>
    </form>
  </section>
)
