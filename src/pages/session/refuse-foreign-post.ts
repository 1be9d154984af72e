import { DomainError } from '../../kernel/errors.ts'

type Headers = (name: string) => string | undefined

/**
 * Refuses a form that another site sent with our caller's cookie. Browsers say in `Sec-Fetch-Site`
 * who sent it. A browser without this header must send an `Origin` that is ours: the origin of
 * `publicUrl`, or the host to which the request was sent.
 *
 * @throws DomainError `forbidden` if the form does not come from our own pages
 */
export const refuseForeignPost = (publicUrl: string, header: Headers): void => {
  const site = header('sec-fetch-site')
  const isOurs = site === undefined ? isOwnOrigin(publicUrl, header) : site === 'same-origin'
  if (!isOurs) throw new DomainError('forbidden', 'This form was not sent from our own pages.')
}

const isOwnOrigin = (publicUrl: string, header: Headers): boolean => {
  const origin = header('origin')
  if (origin === undefined || !URL.canParse(origin)) return false
  const { origin: from, host } = new URL(origin)
  return from === new URL(publicUrl).origin || host === header('host')
}
