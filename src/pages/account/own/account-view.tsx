import type { OpenSessionView, UserView } from '../../../domain/account/index.ts'
import type { WalletView } from '../../../domain/people/index.ts'
import { Button, ErrorSummary, SelectField } from '../../components/form.tsx'
import { Table } from '../../components/lists.tsx'
import { Banner } from '../../components/states.tsx'
import { Hash, KeyValues, Time } from '../../components/values.tsx'
import { shorten } from '../../shared/format.ts'
import { isLanguage, LANGUAGES, type Language, NAME_OF } from '../../shared/languages.ts'
import type { AccountTexts } from '../../texts/account/index.ts'
import { Input } from '../form-parts.tsx'
import type { FormState } from '../refusals.ts'
import { SignPart } from '../sign-part.tsx'
import { Area } from './area.tsx'

/** What was done just before, for a sentence at the top. */
export const NOTES = ['saved', 'linked', 'ended', 'password', 'email'] as const
type Note = (typeof NOTES)[number]

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
  const { t, form, note } = props
  return (
    <Area t={t} title={t.menu.label} current="account">
      {note && <Banner tone="info">{noteText(t, note)}</Banner>}
      <ErrorSummary title={t.refusedTitle} errors={form.errors} />
      <ProfilePart {...props} />
      <WalletsPart {...props} />
      <PasswordPart {...props} />
      <SessionsPart {...props} />
    </Area>
  )
}

const noteText = (
  { account, wallets, sessions, password, email }: AccountTexts,
  note: Note,
): string =>
  ({
    saved: account.saved,
    linked: wallets.linked,
    ended: sessions.ended,
    password: password.changed,
    email: email.changed,
  })[note]

const ProfilePart = ({ t, lang, user, form }: AccountProps) => {
  const { username, firstName, lastName } = user
  const publicName = String(user.profile.publicName ?? '')
  const values = { username, firstName: firstName ?? '', lastName: lastName ?? '', publicName }
  const filled: FormState = { ...form, values: { ...values, ...form.values } }
  return (
    <section class="stack" aria-labelledby="profile">
      <h2 id="profile">{t.account.profile}</h2>
      <EmailLine t={t} user={user} />
      <form class="form" method="post" action="/account">
        <Input name="username" t={t} form={filled} />
        <Input name="firstName" t={t} form={filled} required={false} />
        <Input name="lastName" t={t} form={filled} required={false} />
        {user.roles.includes('verifier') && (
          <Input name="publicName" t={t} form={filled} required={false} />
        )}
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

const EmailLine = ({ t, user }: Pick<AccountProps, 't' | 'user'>) => {
  const { email, emailVerified, verified } = user
  const hint = (
    <>
      {email !== null && (emailVerified ? t.account.confirmed : t.account.notConfirmed)}
      {email !== null && ' · '}
      {verified ? (
        <a href="/account/email">{email === null ? t.email.add : t.email.title}</a>
      ) : (
        <a href="/verify?to=/account">{t.account.confirm}</a>
      )}
    </>
  )
  return <KeyValues items={[{ key: t.labels.email, value: email ?? t.account.noEmail, hint }]} />
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

/** The open sessions of the person, in this browser and in others. */
const SessionsPart = ({ t, lang, sessions }: AccountProps) => (
  <section class="stack" aria-labelledby="sessions">
    <h2 id="sessions">{t.sessions.title}</h2>
    <Table
      caption={t.sessions.caption}
      columns={t.sessions.columns}
      rows={sessions.map(({ id, userAgent, createdAt, expiresAt, current }) => {
        const program = userAgent === null ? t.sessions.unknown : programOf(userAgent)
        return {
          key: id,
          cells: [
            <>
              {program}
              <span class="hint">
                {t.sessions.since} <Time at={createdAt} lang={lang} /> · {t.sessions.until}{' '}
                <Time at={expiresAt} lang={lang} day />
              </span>
            </>,
            current ? (
              <strong>{t.sessions.current}</strong>
            ) : (
              <form method="post" action={`/account/sessions/${id}/end`}>
                <button type="submit" class="text-button" aria-label={t.sessions.endOf(program)}>
                  {t.sessions.end}
                </button>
              </form>
            ),
          ],
        }
      })}
    />
    <form method="post" action="/account/sign-out-everywhere">
      <Button kind="danger">{t.sessions.everywhere}</Button>
    </form>
  </section>
)

const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

/** The order matters, because Android also says Linux, and an iPhone also says Mac OS. */
const SYSTEMS = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bMac OS\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

const MAX_LENGTH = 40

/** The name of a program by its `User-Agent` header, such as `Firefox, Linux`. */
export const programOf = (userAgent: string): string => {
  const nameIn = (names: typeof BROWSERS | typeof SYSTEMS) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = nameIn(BROWSERS)
  const known = browser && [browser, nameIn(SYSTEMS)].filter(Boolean).join(', ')
  return known ?? userAgent.slice(0, MAX_LENGTH)
}

/** The linked wallets, and the island that links one more after a recent sign-in. */
const WalletsPart = ({ t, lang, wallets, isRecent }: AccountProps) => (
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
