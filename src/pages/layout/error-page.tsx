import type { DomainError } from '../../kernel/errors.ts'
import type { Shown } from '../page.ts'
import { type ErrorKind, errorTexts } from '../texts/errors/index.ts'
import { layoutTexts } from '../texts/layout/index.ts'
import type { Frame } from './document.tsx'

const KIND_OF: Readonly<Record<number, ErrorKind>> = {
  401: 'signIn',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  410: 'gone',
  429: 'tooMany',
  451: 'legal',
  500: 'ours',
  503: 'unavailable',
}

type Refused = {
  refusal: DomainError
  status: number
  /** The value of the header `Retry-After`, in seconds. */
  retryAfter: string | undefined
  requestId: string
  frame: Frame
}

/** The page of a refused request: what happened, what to do, and the id of the request. */
export const errorPage = ({ refusal, status, retryAfter, requestId, frame }: Refused): Shown => {
  const { lang, path } = frame
  const t = errorTexts[lang]
  const kind = KIND_OF[status] ?? 'badRequest'
  const { title, what } = t[kind]
  const seconds = Number(retryAfter)
  return {
    title,
    head: status === 503 && <meta http-equiv="refresh" content={String(seconds || 5)} />,
    body: (
      <div class="narrow">
        <h1>{title}</h1>
        <p class="lead">{what}</p>
        {kind === 'badRequest' && lang === 'en' && <p>{refusal.message}</p>}
        {seconds > 0 && status !== 503 && <p>{t.retry(seconds)}</p>}
        <p>
          {kind === 'signIn' && (
            <a class="button" href={`/sign-in?to=${encodeURIComponent(path)}`}>
              {layoutTexts[lang].signIn}
            </a>
          )}{' '}
          <a href="/">{t.home}</a>
        </p>
        <p class="soft">
          {t.request} <code>{requestId}</code>
        </p>
      </div>
    ),
  }
}
