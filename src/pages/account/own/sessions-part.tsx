import type { OpenSessionView } from '../../../domain/user/index.ts'
import { Button } from '../../components/button.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import type { Language } from '../../shared/languages.ts'
import type { AccountTexts } from '../texts/index.ts'
import { programOf } from './program.ts'

type Props = { t: AccountTexts; lang: Language; sessions: readonly OpenSessionView[] }

/** The open sessions of the person, in this browser and in others. */
export const SessionsPart = ({ t, lang, sessions }: Props) => (
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
