import { createTransport } from 'nodemailer'

type MailMessage = {
  /** The id is the same in every attempt, so that a mail program can recognise a duplicate. */
  id: string
  to: string
  subject: string
  text: string
}

export type MailTransport = {
  /** `smtp` sends mails. `printed` only writes them to the operator's console. */
  readonly kind: 'smtp' | 'printed'
  /**
   * Resolves when the server has accepted the mail. Throws MailRefusedError if the server refused
   * the mail permanently.
   */
  send(message: MailMessage): Promise<void>
  close(): void
}

/** `verify` connects and signs in without sending a mail. */
type SmtpTransport = MailTransport & { verify(): Promise<unknown> }

/** The mail server refused the message permanently (SMTP reply 5xx, RFC 5321 section 4.2.1). */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError'
}

const CONNECT_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_MS = 20_000
const MAX_CONNECTIONS = 3

/** Sends by SMTP. `url` is `smtp://user:password@host:port` or `smtps://…`. */
export const createSmtpTransport = (options: { url: string; from: string }): SmtpTransport => {
  const transport = createTransport({
    ...smtpOptions(options.url),
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: IDLE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = /@([^>\s]+)>?\s*$/.exec(options.from)?.[1] ?? 'localhost'
  return {
    kind: 'smtp',
    async send({ id, to, subject, text }) {
      try {
        await transport.sendMail({
          from: options.from,
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          // Asks mail servers not to send automatic answers (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        if (isRefusal(error)) throw new MailRefusedError(error.message)
        throw error
      }
    },
    verify: () => transport.verify(),
    close: () => transport.close(),
  }
}

/** Prints each mail as one readable block. */
export const createPrintedTransport = (print: (block: string) => void): MailTransport => ({
  kind: 'printed',
  async send({ to, subject, text }) {
    const lines = [`To: ${to}`, `Subject: ${subject}`, '', ...text.trimEnd().split('\n')]
    print(`\n${['┌── mail', ...lines.map((line) => `│ ${line}`.trimEnd()), '└──'].join('\n')}\n`)
  },
  close: () => {},
})

const smtpOptions = (text: string) => {
  const url = new URL(text)
  const secure = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    ...(url.username === ''
      ? {}
      : {
          auth: {
            user: decodeURIComponent(url.username),
            pass: decodeURIComponent(url.password),
          },
        }),
  }
}

/**
 * Whether the mail server refused a mail permanently. A refused login is not permanent, because
 * the operator can correct the user name and the password.
 */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error &&
  'responseCode' in error &&
  typeof error.responseCode === 'number' &&
  error.responseCode >= 500 &&
  (!('code' in error) || (error.code !== 'EAUTH' && error.code !== 'ENOAUTH'))
