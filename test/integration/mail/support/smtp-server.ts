import { type AddressInfo, createServer, type Socket } from 'node:net'

export type SmtpServer = {
  url: string
  /** The messages taken, as they came over the wire. */
  messages: string[]
  close(): Promise<void>
}

/**
 * As much of an SMTP server (RFC 5321) as a mail program needs, on a loopback port of its own.
 * `onRecipient` gives the reply to each `RCPT TO`.
 */
export const startSmtpServer = async (
  onRecipient: (address: string) => string = () => '250 fine',
): Promise<SmtpServer> => {
  const messages: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let buffer = ''
    let inData = false
    const reply = (line: string) => socket.write(`${line}\r\n`)
    const command = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'EHLO' || verb === 'HELO') reply('250 test')
      else if (verb === 'RCPT') reply(onRecipient(/<(.*)>/.exec(line)?.[1] ?? ''))
      else if (verb === 'QUIT') socket.end('221 bye\r\n')
      else if (verb === 'DATA') {
        inData = true
        reply('354 go on')
      } else reply('250 fine')
    }
    socket.setEncoding('utf8')
    socket.on('error', () => {})
    socket.on('data', (text) => {
      buffer += text
      for (;;) {
        const end = buffer.indexOf(inData ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const piece = buffer.slice(0, end)
        buffer = buffer.slice(end + (inData ? 5 : 2))
        if (inData) {
          inData = false
          messages.push(piece)
          reply('250 taken')
        } else command(piece)
      }
    })
    reply('220 test')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    messages,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
