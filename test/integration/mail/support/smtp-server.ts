import { createRequire } from 'node:module'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'

export type SmtpServer = {
  url: string
  /** The received messages, in their raw form. */
  messages: string[]
  close(): Promise<void>
}

type Done = (error?: Error | null) => void
type Options = {
  authOptional: boolean
  disabledCommands: string[]
  logger: boolean
  onRcptTo(address: { address: string }, session: unknown, done: Done): void
  onData(stream: NodeJS.ReadableStream, session: unknown, done: Done): void
}
type RealServer = {
  server: Server
  listen(port: number, host: string, done: () => void): void
  close(done: () => void): void
}
// The package has no types. These are the parts that the tests use.
const { SMTPServer } = createRequire(import.meta.url)('smtp-server') as {
  SMTPServer: new (options: Options) => RealServer
}

/**
 * Starts a real SMTP server on a free loopback port. It stops after the test. `onRecipient` returns
 * the reply to each `RCPT TO`. A reply that does not begin with 2 is a refusal.
 */
export const startSmtpServer = async (
  onRecipient: (address: string) => string = () => '250 fine',
): Promise<SmtpServer> => {
  const messages: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      const reply = onRecipient(address)
      if (reply.startsWith('2')) return done()
      done(Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) }))
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        messages.push(Buffer.concat(chunks).toString('utf8'))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as AddressInfo
  const close = () => new Promise<void>((resolve) => smtp.close(resolve))
  onTestFinished(close)
  return { url: `smtp://127.0.0.1:${port}`, messages, close }
}
