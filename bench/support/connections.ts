import { readProc } from './process-memory.ts'

/** The state of an established connection in proc_pid_net_tcp(5). */
const ESTABLISHED = '01'

/**
 * The connections to a server on this machine, by the client's port: the number of bytes that the
 * kernel holds for both sides. Null if the system does not report it.
 */
export const connectionsTo = (serverPort: number): Map<number, number> | null => {
  const lines = readProc('/proc/net/tcp')?.split('\n').slice(1)
  if (lines === undefined) return null
  const held = new Map<number, number>()
  for (const line of lines) {
    const [, local = '', remote = '', state, queues = ''] = line.trim().split(/\s+/)
    const ports = [portOf(local), portOf(remote)]
    const clientPort = ports.find((port) => port !== serverPort)
    if (state !== ESTABLISHED || clientPort === undefined || !ports.includes(serverPort)) continue
    const [sending = '0', received = '0'] = queues.split(':')
    const bytes = Number.parseInt(sending, 16) + Number.parseInt(received, 16)
    held.set(clientPort, (held.get(clientPort) ?? 0) + bytes)
  }
  return held
}

const portOf = (address: string): number => Number.parseInt(address.split(':')[1] ?? '', 16)
